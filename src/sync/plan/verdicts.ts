/** What becomes of each difference of an Instance that both sides have: which side takes over the other's value, and why. */
import { gitBlobHash } from "../../util/git-blob-hash.ts";
import type { CommittedFile, Direction, Reason, Verdict } from "../types.ts";
import type { Difference, PairEntry } from "./aspects.ts";
import type { Limit, Limits } from "./limits.ts";
import { mergedSource } from "./merge.ts";
import { withLf } from "./normalize.ts";

export interface Ruling {
  readonly verdict: Verdict;
  readonly reason?: Reason;
  readonly detail?: string;
  readonly merged?: string;
}

export interface JudgeOptions {
  readonly limits: Limits;
  /** By absolute path; a file that is missing is unknown to git. */
  readonly git: ReadonlyMap<string, CommittedFile>;
}

/** Undefined for what the project leaves out of the sync. */
export function rulingOn(
  difference: Difference,
  entry: PairEntry,
  options: JudgeOptions,
): Ruling | undefined {
  const { limits } = options;
  const isLeftOut = limits.isIgnored(entry) || limits.isIgnoredProperty(entry.file.className, difference);
  const ruling = rulingByCause(difference, entry, options);
  // Ignoring means that Studio's state never goes to the files; what the files changed still goes to Studio.
  if (isLeftOut && difference.cause !== "file" && difference.cause !== "both") return undefined;
  const limit = limitOn(difference, entry, ruling.verdict, limits);
  if (limit === "unlisted") return undefined;
  if (limit !== undefined) return { verdict: "skip", ...limit };
  if (difference.obstacle !== undefined)
    return { verdict: "skip", reason: "unwritable", detail: difference.obstacle };
  return ruling;
}

function limitOn(
  difference: Difference,
  entry: PairEntry,
  verdict: Verdict,
  limits: Limits,
): Limit | undefined {
  if (difference.isOfClass === true) return limits.classChange(entry);
  return verdict === "pull" ? limits.pulled(entry, difference) : undefined;
}

function rulingByCause(difference: Difference, entry: PairEntry, options: JudgeOptions): Ruling {
  switch (difference.cause) {
    case "file":
      return { verdict: "push", reason: "file_changed" };
    case "studio":
      return { verdict: "pull", reason: "studio_changed" };
    case "both":
      return { verdict: "unresolved", reason: "both_changed", ...mergeOf(difference, baseText(difference)) };
    case "unknown":
      return rulingWithoutBase(difference, entry, options);
  }
}

function rulingWithoutBase(difference: Difference, entry: PairEntry, { limits, git }: JudgeOptions): Ruling {
  if (limits.isInPackage(entry)) return { verdict: "push", reason: "file_changed" };
  const committed = difference.aspect === "source" ? git.get(entry.file.file ?? "") : undefined;
  const direction = committed === undefined ? undefined : directionByGit(difference, committed);
  if (direction !== undefined)
    return { verdict: direction, reason: direction === "pull" ? "studio_changed" : "file_changed" };
  return { verdict: "unresolved", reason: "no_base", ...mergeOf(difference, committed?.text) };
}

/** A file as it was committed was not changed; Studio's text that was committed was not changed there. */
function directionByGit(
  { file, studio }: Difference,
  { current, earlier }: CommittedFile,
): Direction | undefined {
  if (file?.type !== "text" || studio?.type !== "text") return undefined;
  if (current.includes(gitBlobHash(file.value))) return "pull";
  return [...current, earlier].includes(gitBlobHash(studio.value)) ? "push" : undefined;
}

const baseText = ({ base }: Difference): string | undefined =>
  base?.type === "text" ? base.value : undefined;

function mergeOf({ aspect, file, studio }: Difference, base: string | undefined): { merged?: string } {
  if (aspect !== "source" || base === undefined) return {};
  if (file?.type !== "text" || studio?.type !== "text") return {};
  const merged = mergedSource(file.value, withLf(base), studio.value);
  return merged === undefined ? {} : { merged };
}
