/**
 * Takes out of texts what may be from the place: a report is made to be sent to others. Only words that the self-test itself
 * consists of stay; what Studio says beside them, such as names of Instances, becomes `…`.
 */
import { actionNames } from "../../protocol/actions.ts";
import { errorCodes } from "../../protocol/errors.ts";

const WORD = /[\p{L}_][\p{L}\p{N}_]*/gu;
/** A number this long may be the id of a place or of a user. */
const LONG_NUMBER = /(?<![.\d])\d{6,}(?![.\d])/g;

export type Redact = (text: string) => string;

/** `texts`: the sources of what was run, and everything that the self-test says by itself. */
export function redactionBy(texts: Iterable<string>): Redact {
  const known = new Set<string>(
    [...actionNames, ...Object.keys(errorCodes)].flatMap((text) => text.match(WORD) ?? []),
  );
  for (const text of texts) for (const word of text.match(WORD) ?? []) known.add(word);
  return (text) => text.replace(WORD, (word) => (known.has(word) ? word : "…")).replace(LONG_NUMBER, "#");
}
