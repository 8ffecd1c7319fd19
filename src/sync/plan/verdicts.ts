/** What becomes of each difference of an Instance that both sides have: which side takes over the other's value, and why. */
import { unreachedProperty } from "../../roblox/custom-properties.ts";
import type { RojoNode, LeftOpen } from "../../roblox/rojo/node.ts";
import { visibleOnOneLine } from "../../util/visible-controls.ts";
import type { ScriptFacts } from "../base/git-history.ts";
import type { Lineage } from "../revisions/lineage.ts";
import type { HeldItem } from "../revisions/revision.ts";
import type { Reason, Verdict } from "../types.ts";
import { aspectKey, type AspectOptions, type Difference, type PairEntry } from "./aspects.ts";
import type { Entry } from "./entries.ts";
import { holdsStudioValue, isInstanceOf } from "./later-values.ts";
import type { Limit, Limits } from "./limits.ts";
import { mergedSource } from "./merge.ts";
import { isScript, withLf } from "./normalize.ts";
import { replacesStudio } from "./one-way.ts";

export interface Ruling {
  readonly verdict: Verdict;
  readonly reason?: Reason;
  readonly detail?: string;
  readonly merged?: string;
  /** A pull that replaces a file as it was committed. */
  readonly replacesCommitted?: true;
}

/** What git says of one script, or why it said nothing, for people. */
export type GitOfScript = ScriptFacts | { readonly failed: string };
export type GitOfScripts = ReadonlyMap<RojoNode, GitOfScript>;

export interface JudgeOptions {
  readonly limits: Limits;
  readonly aspects: AspectOptions;
  /** What is known of earlier syncs of this place. */
  readonly lineage: Lineage | undefined;
  /** What git says of scripts, by the files' node, or Studio's where only Studio has the script. */
  readonly git: GitOfScripts;
  /** None of the project's scripts is in the place, so that its scripts may be those of another project. */
  readonly isForeign: boolean;
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
    return { verdict: "skip", reason: reasonOfObstacle(difference), detail: difference.obstacle };
  return unwritableProperty(difference, entry, ruling, options) ?? ruling;
}

/** A source can be fixed. */
const reasonOfObstacle = ({ aspect }: Difference): Reason => (aspect === "source" ? "refused" : "unwritable");

/** What the files state of a property that no plugin can write. Where both sides changed it, a person may take Studio's value. */
function unwritableProperty(
  { aspect, name = "" }: Difference,
  { file }: PairEntry,
  { verdict, reason }: Ruling,
  { aspects: { isForScripts }, limits }: JudgeOptions,
): Ruling | undefined {
  const isPushed = verdict === "push" || (verdict === "unresolved" && reason === "no_base");
  if (!isForScripts || !isPushed || aspect !== "property") return undefined;
  if (limits.isWritable(file.className, name)) return undefined;
  const unreached = unreachedProperty(file.className, name);
  const detail =
    unreached === undefined
      ? `scripts cannot write ${name}; set it in Studio`
      : `a sync neither reads nor writes ${unreached} in an open Studio; set it there`;
  return { verdict: "skip", reason: "unwritable", detail };
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
  const leftOpen = options.lineage?.leftOpen(entry, aspectKey(difference));
  const isOneWay = options.limits.isOneWay(entry);
  if (leftOpen !== undefined && (!isOneWay || isTakenBack(leftOpen))) return openRuling(leftOpen);
  if (isOneWay && difference.cause !== "file") return rulingInOneWay(difference, entry, options);
  switch (difference.cause) {
    case "file":
      return { verdict: "push", reason: "file_changed" };
    case "unknown":
      return rulingWithoutBase(difference, entry, options);
    case "studio":
      return olderStudio(difference, entry, options) ?? { verdict: "pull", reason: "studio_changed" };
    case "both":
      return (
        olderStudio(difference, entry, options) ??
        olderCommit(difference, entry, options) ?? {
          verdict: "unresolved",
          reason: "both_changed",
          ...mergeOf(difference, baseText(difference)),
        }
      );
  }
}

/** A person has taken it back, which counts also in a one-way folder. */
export const isTakenBack = (reason: Reason | undefined): boolean =>
  reason === "push_undone" || reason === "pull_undone";

/** A source that the files had once is no change that a person made in Studio. */
function rulingInOneWay(
  difference: Difference,
  entry: PairEntry,
  { lineage, aspects }: JudgeOptions,
): Ruling {
  const held = difference.aspect === "source" ? (lineage?.ever(entry) ?? []) : [];
  const isOlder = held.length > 0 && holdsStudioValue(held, difference, entry, aspects);
  return isOlder ? pushOlder : replacesStudio;
}

/** What an earlier sync has left open stays so until it is answered, or until both sides are equal. */
export const openRuling = (reason: LeftOpen): Ruling => ({
  verdict: "unresolved",
  reason,
  detail: LEFT_OPEN_TEXTS[reason],
});

const LEFT_OPEN_TEXTS: { readonly [Why in LeftOpen]: string } = {
  push_undone: "a sync brought it to Studio, and that was taken back",
  pull_undone: "a sync brought it to the files, and that was taken back",
  studio_older: "Studio holds what it had after an earlier sync",
  git_elsewhere: "the place holds a commit that you have not checked out; pull or check it out first",
  foreign_place: "no script of the project is in this place",
};

/**
 * A source that comes back was written by a sync. A flag or a number that comes back says little: a place names what it
 * holds, so that a person may as well have made it, except where a sync was killed before its name was in the place.
 */
function olderStudio(difference: Difference, entry: PairEntry, options: JudgeOptions): Ruling | undefined {
  const { lineage, aspects } = options;
  if (lineage === undefined) return undefined;
  const isHeld = (states: readonly (HeldItem | undefined)[]) =>
    states.length > 0 && holdsStudioValue(states, difference, entry, aspects);
  if (difference.aspect === "source") return isHeld(lineage.olderSources(entry)) ? pushOlder : undefined;
  if (difference.cause === "both") return isHeld(lineage.unsure(entry)) ? pushOlder : undefined;
  return isHeld(lineage.later(entry)) ? openRuling("studio_older") : undefined;
}

const pushOlder: Ruling = { verdict: "push", reason: "studio_older" };

/** The files are as committed, and Studio holds what was committed before. */
function olderCommit(difference: Difference, entry: PairEntry, { git }: JudgeOptions): Ruling | undefined {
  const facts = difference.aspect === "source" ? git.get(entry.file) : undefined;
  if (facts === undefined || "failed" in facts) return undefined;
  return facts.isHead && facts.studio.kind === "here" ? pushOlder : undefined;
}

function rulingWithoutBase(difference: Difference, entry: PairEntry, options: JudgeOptions): Ruling {
  const { lineage, git, aspects } = options;
  if (difference.aspect !== "source") return { verdict: "unresolved", reason: "no_base" };
  if (lineage !== undefined && holdsStudioValue(lineage.ever(entry), difference, entry, aspects))
    return pushOlder;
  const facts = git.get(entry.file);
  if (facts === undefined) return { verdict: "unresolved", reason: "no_base" };
  return rulingByGit(facts, difference);
}

function rulingByGit(facts: GitOfScript, difference: Difference): Ruling {
  if ("failed" in facts) return { verdict: "unresolved", reason: "no_base", detail: facts.failed };
  const merge = mergeOf(difference, facts.headText);
  const { studio } = facts;
  if (studio.kind === "here") return pushOlder;
  const older = olderByGit(facts);
  if (older !== undefined) return { ...older, ...merge };
  if (facts.isHead || facts.isIndex)
    return { verdict: "pull", reason: "studio_changed", replacesCommitted: true };
  return { verdict: "unresolved", reason: "no_base", ...merge };
}

/** What is open because git has Studio's text, but not where the files stand. */
function olderByGit({ studio }: ScriptFacts): Ruling | undefined {
  switch (studio.kind) {
    case "atOtherPath":
      return {
        verdict: "unresolved",
        reason: "studio_older",
        detail: `git has Studio's text as ${visibleOnOneLine(studio.path)}`,
      };
    case "elsewhere":
      return {
        verdict: "unresolved",
        reason: "git_elsewhere",
        detail: LEFT_OPEN_TEXTS.git_elsewhere,
      };
    case "unknowable":
      return { verdict: "unresolved", reason: "no_base", detail: studio.reason };
    default:
      return undefined;
  }
}

/** A script that only Studio has, in a place whose revision is not known. Undefined where nothing says that it is old. */
export function olderScript(entry: Entry, options: JudgeOptions): Ruling | undefined {
  const { lineage, git, aspects, isForeign } = options;
  const { studio } = entry;
  if (studio === undefined) return undefined;
  if (isForeign && isScript(studio.className)) return openRuling("foreign_place");
  if (lineage !== undefined && lineage.base !== undefined)
    return isInstanceOf(lineage.later(entry), entry, aspects) ? olderThanFiles : undefined;
  const source = aspects.normalizer.view(studio).source;
  const isKept = (lineage?.ever(entry) ?? []).some(
    (held) => held !== undefined && aspects.normalizer.view(held.node).source === source,
  );
  if (source !== undefined && isKept) return olderThanFiles;
  const facts = git.get(studio);
  if (facts === undefined || "failed" in facts) return undefined;
  return facts.studio.kind === "here" ? olderThanFiles : olderByGit(facts);
}

export const olderThanFiles: Ruling = {
  verdict: "unresolved",
  reason: "studio_older",
  detail: "the files had it earlier, and no longer have it",
};

const baseText = ({ base }: Difference): string | undefined =>
  base?.type === "text" ? base.value : undefined;

function mergeOf({ aspect, file, studio }: Difference, base: string | undefined): { merged?: string } {
  if (aspect !== "source" || base === undefined) return {};
  if (file?.type !== "text" || studio?.type !== "text") return {};
  const merged = mergedSource(file.value, withLf(base), studio.value);
  return merged === undefined ? {} : { merged };
}
