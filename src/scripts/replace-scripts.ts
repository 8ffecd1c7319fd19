/** Replaces a pattern in the sources of many scripts, as one change, all or none. */
import type { SessionLink } from "../session/session-link.ts";
import { readScriptsAsync } from "./script-sources.ts";
import { StudioBridgeError } from "../protocol/errors.ts";
import { limits } from "../protocol/limits.ts";
import { invalidInput } from "../protocol/messages.ts";
import type { Zod } from "../protocol/schema.ts";
import { gitBlobHash } from "../util/git-blob-hash.ts";
import { withBreaks } from "./edit-input.ts";
import { editScriptsAsync } from "./edit-scripts.ts";
import type { EditOptions, EditResult } from "./edit-scripts.ts";
import type { ReplaceSearch } from "./replace-lines.ts";
import { checkClassAsync, checkOneLine } from "./search-input.ts";
import { checkPattern, replaceTextsAsync } from "./search-texts.ts";

/** The fields of a pattern, its replacement, and where both count. */
export const replaceFields = (z: Zod) => ({
  pattern: z.string().min(1, "the pattern is empty").describe("Text within a line"),
  with: z.string().describe("The new text; $1 and $& only with regex"),
  regex: z.boolean().default(false).describe("pattern is a JavaScript regex"),
  ignoreCase: z.boolean().default(false).describe("Ignore upper and lower case"),
  word: z.boolean().default(false).describe("Only whole words"),
  root: z.string().min(1, "a path is empty").optional().describe("Instance to search below (default all)"),
  className: z.string().min(1, "a class is empty").optional().describe("Only scripts of this class"),
  expectCount: z
    .int("expected a number of matches")
    .min(0, "expected 0 matches or more")
    .optional()
    .describe("Refuse another number of matches"),
});

export interface ReplaceWish {
  readonly pattern: string;
  readonly with: string;
  readonly regex: boolean;
  readonly ignoreCase: boolean;
  readonly word: boolean;
  readonly root?: string | undefined;
  readonly className?: string | undefined;
  readonly expectCount?: number | undefined;
}

export interface ReplaceResult extends EditResult {
  /** Places where the pattern matches. */
  readonly total: number;
  readonly scripts: number;
  readonly searched: number;
}

/** Throws INVALID_INPUT for a pattern that no search understands. */
export function checkReplace(wish: ReplaceWish): void {
  checkPattern(searchOf(wish));
  checkOneLine(wish.pattern);
}

/**
 * Each script is written only if its source is still the one that was searched. Throws PRECONDITION_FAILED for another
 * count than the expected one, and INVALID_INPUT for more scripts than one change holds.
 */
export async function replaceInScriptsAsync(
  link: SessionLink,
  wish: ReplaceWish,
  options: EditOptions,
): Promise<ReplaceResult> {
  const { root, className } = wish;
  const read = await readScriptsAsync(link, { root, className });
  if (read.length === 0 && className !== undefined) await checkClassAsync(className);
  const texts = read.map(({ source }) => withBreaks(source));
  const { texts: found, total } = await replaceTextsAsync(texts, searchOf(wish), link.signal);
  checkCount(wish, total, found.length);
  const edits = found.flatMap(({ text, replacements }) => {
    const script = read[text];
    if (script === undefined) return [];
    const { path, source } = script;
    return [{ path, hash: gitBlobHash(source), edit: { kind: "found" as const, replacements } }];
  });
  const done = await editScriptsAsync(link, edits, options);
  return { ...done, total, scripts: found.length, searched: read.length };
}

function searchOf({ pattern, with: text, regex, ignoreCase, word }: ReplaceWish): ReplaceSearch {
  return { pattern, with: withBreaks(text), isRegex: regex, ignoreCase, isWord: word };
}

function checkCount({ expectCount }: ReplaceWish, total: number, scripts: number): void {
  const found = `The pattern matches ${total} time${total === 1 ? "" : "s"} in ${scripts} script${scripts === 1 ? "" : "s"}`;
  if (expectCount !== undefined && expectCount !== total)
    throw new StudioBridgeError("PRECONDITION_FAILED", `${found}, not ${expectCount}. Nothing was changed.`, {
      hint: "Look at the matches with a dry run first.",
    });
  if (scripts > limits.patchSources)
    throw invalidInput(
      `${found}; a call changes at most ${limits.patchSources} scripts. Nothing was changed.`,
      "Narrow it with a root or a class, and make several calls.",
    );
}
