/** The thread that a search with a regular expression runs in, because some patterns take longer than anybody waits. */
import { searchLines } from "./search-lines.ts";
import { readSearch, writeFound } from "./search-messages.ts";
import type { FromSearch, ToSearch } from "./search-messages.ts";

declare const self: {
  onmessage: ((event: { readonly data: ToSearch }) => void) | null;
  postMessage(message: FromSearch): void;
};

self.onmessage = ({ data }) => self.postMessage(writeFound(searchLines(...readSearch(data))));
