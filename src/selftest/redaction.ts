/**
 * Removes words from texts that may come from the user's place, because a report is made to be sent to others. Only words of
 * the self-test itself stay; any other word, such as the name of an Instance, becomes `…`.
 */
import { actionNames } from "../protocol/actions.ts";
import { errorCodes } from "../protocol/errors.ts";

const WORD = /[\p{L}_][\p{L}\p{N}_]*/gu;
/** A number this long may be the id of a place or of a user. */
const LONG_NUMBER = /(?<![.\d])\d{6,}(?![.\d])/g;

export type Redact = (text: string) => string;

/** `texts` are the sources of all programs that ran, and all texts of the self-test. Their words stay. */
export function redactionBy(texts: Iterable<string>): Redact {
  const known = new Set<string>(
    [...actionNames, ...Object.keys(errorCodes)].flatMap((text) => text.match(WORD) ?? []),
  );
  for (const text of texts) for (const word of text.match(WORD) ?? []) known.add(word);
  return (text) => text.replace(WORD, (word) => (known.has(word) ? word : "…")).replace(LONG_NUMBER, "#");
}
