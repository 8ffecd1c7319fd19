/**
 * The thread for a search with a regular expression. Some patterns take so long that the search must be ended from
 * outside.
 */
import { replaceLines } from "./replace-lines.ts";
import { searchLines } from "./search-lines.ts";
import { readSearch, writeAnswer } from "./search-messages.ts";
import type { FromSearch, ToSearch } from "./search-messages.ts";

declare const self: {
  onmessage: ((event: { readonly data: ToSearch }) => void) | null;
  postMessage(message: FromSearch): void;
};

self.onmessage = ({ data }) => {
  const [texts, task] = readSearch(data);
  self.postMessage(
    writeAnswer("find" in task ? searchLines(texts, task.find) : replaceLines(texts, task.replace)),
  );
};
