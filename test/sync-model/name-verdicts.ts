/** Who is newer, script by script: the first row that fits decides. */
import type { Basis, History } from "./name-history.ts";
import type { GitFacts, Look, Texts } from "./rules.ts";
import { isCompiled, type Key, keysOf, YES } from "./side.ts";

export type Verdict = "same" | "push" | "pull" | "open";
export interface Ruling {
  readonly key: Key;
  readonly verdict: Verdict;
  readonly reason: string;
  /** The summary tells it. */
  readonly isTold?: boolean;
}

export interface Facts {
  readonly look: Look;
  readonly history: History;
  readonly basis: Basis;
  /** No script of the files has a counterpart, so that this may be another game. */
  readonly isForeign: boolean;
}

const has = (side: Texts | undefined, path: number): boolean => side?.get(keysOf(path)[0]) === YES;

export function rulingsOn(path: number, facts: Facts): Ruling[] {
  const { look } = facts;
  const [exists, source, flag] = keysOf(path);
  const [hasFile, hasStudio] = [has(look.files, path), has(look.studio, path)];
  if (look.isOneWay && isCompiled(path)) return oneWayRulings(path, facts);
  if (!hasFile && !hasStudio) return [{ key: exists, verdict: "same", reason: "" }];
  if (hasFile !== hasStudio)
    return [left(path, facts) ?? (hasFile ? onlyFile(path, facts) : onlyStudio(path, facts))];
  const same: Ruling = { key: exists, verdict: "same", reason: "" };
  return [same, valueRuling(path, source, facts), valueRuling(path, flag, facts)];
}

/** Nothing goes to the files; what that replaces in Studio is told. */
function oneWayRulings(path: number, facts: Facts): Ruling[] {
  const { look, basis } = facts;
  const { base } = basis;
  const [exists, source, flag] = keysOf(path);
  const same: Ruling = { key: exists, verdict: "same", reason: "" };
  const [hasFile, hasStudio] = [has(look.files, path), has(look.studio, path)];
  if (hasFile && hasStudio) return [same, oneWayValue(source, facts), oneWayValue(flag, facts)];
  if (!hasFile && !hasStudio) return [same];
  const open = left(path, facts);
  if (open !== undefined && isTakenBack(open.reason)) return [open];
  if (hasFile) return [{ key: exists, verdict: "push", reason: "one_way", isTold: true }];
  // What Studio has added stays where it is, unless the files had it once.
  if (base === undefined || !has(base, path)) {
    const isLeftOver = facts.history.line.some(({ tree }) => isAsIn(look.studio, tree, path));
    return [isLeftOver ? { key: exists, verdict: "open", reason: "studio_older" } : same];
  }
  const isEdited = !isAsIn(look.studio, base, path);
  return [{ key: exists, verdict: "push", reason: "file_removed", isTold: isEdited }];
}

function oneWayValue(key: Key, facts: Facts): Ruling {
  const { look, basis } = facts;
  const [file, studio] = [look.files.get(key), look.studio.get(key)];
  if (file === studio) return { key, verdict: "same", reason: "" };
  const reason = undoneReason(key, facts);
  if (reason !== undefined && isTakenBack(reason)) return { key, verdict: "open", reason };
  const isTold = studio !== basis.base?.get(key);
  return { key, verdict: "push", reason: isTold ? "one_way" : "file_changed", isTold };
}

const isTakenBack = (reason: string): boolean => reason === "push_undone" || reason === "pull_undone";

/** The rows about what an undo left open, for a script that only one side has. */
function left(path: number, facts: Facts): Ruling | undefined {
  const keys = keysOf(path);
  for (const key of keys) {
    const reason = undoneReason(key, facts);
    if (reason !== undefined) return { key: keys[0], verdict: "open", reason };
  }
  return undefined;
}

const undoneReason = (key: Key, { basis }: Facts): string | undefined =>
  basis.marks.get(key) ?? (basis.undone.has(key) ? "push_undone" : undefined);

function valueRuling(path: number, key: Key, facts: Facts): Ruling {
  const { look, basis } = facts;
  const [file, studio] = [look.files.get(key), look.studio.get(key)];
  if (file === studio) return { key, verdict: "same", reason: "" };
  const reason = undoneReason(key, facts);
  if (reason !== undefined) return { key, verdict: "open", reason };
  const base = has(basis.base, path) ? basis.base?.get(key) : undefined;
  if (base === undefined) return withoutBase(path, key, facts);
  if (studio === base) return { key, verdict: "push", reason: "file_changed" };
  const later = basis.later.filter(({ texts }) => texts.get(key) === studio);
  if (later.length > 0) {
    const isProven =
      key.endsWith("source") || (file !== base && later.some(({ isUnfinished }) => isUnfinished));
    if (isProven) return { key, verdict: "push", reason: "studio_older", isTold: true };
    if (file === base) return { key, verdict: "open", reason: "studio_older" };
  }
  if (file === base) return { key, verdict: "pull", reason: "studio_changed" };
  if (isOlderInGit(path, key, look)) return { key, verdict: "push", reason: "studio_older", isTold: true };
  return { key, verdict: "open", reason: "both_changed" };
}

function isOlderInGit(path: number, key: Key, { git, files, studio }: Look): boolean {
  if (git === undefined || git === "failed" || !key.endsWith("source")) return false;
  return git.head(path) === files.get(key) && git.isInHistory(path, studio.get(key) ?? "");
}

function onlyFile(path: number, { look, basis }: Facts): Ruling {
  const [key] = keysOf(path);
  const { base, later } = basis;
  if (base === undefined || !has(base, path)) return { key, verdict: "push", reason: "file_added" };
  const isLater = later.some(({ texts }) => texts.has(key) && !has(texts, path));
  if (isLater) return { key, verdict: "open", reason: "studio_older" };
  return isAsIn(look.files, base, path)
    ? { key, verdict: "pull", reason: "studio_removed" }
    : { key, verdict: "open", reason: "delete_vs_edit" };
}

function onlyStudio(path: number, facts: Facts): Ruling {
  const { look, basis } = facts;
  const [key, source] = keysOf(path);
  const { base, later } = basis;
  if (base === undefined || !base.has(key)) return onlyStudioWithoutBase(path, facts);
  const same = later.filter(
    ({ texts, tree }) => keysOf(path).some((each) => texts.has(each)) && isAsIn(look.studio, tree, path),
  );
  if (!has(base, path))
    return same.length > 0
      ? { key, verdict: "open", reason: "studio_older" }
      : { key, verdict: "pull", reason: "studio_added" };
  const isOtherSource = look.studio.get(source) !== base.get(source);
  const isLater = same.some(({ isUnfinished }) => isUnfinished || isOtherSource);
  if (isLater) return { key, verdict: "push", reason: "studio_older", isTold: true };
  return isAsIn(look.studio, base, path)
    ? { key, verdict: "push", reason: "file_removed" }
    : { key, verdict: "open", reason: "delete_vs_edit" };
}

const isAsIn = (side: Texts, tree: Texts, path: number): boolean =>
  keysOf(path).every((key) => side.get(key) === tree.get(key));

/** Whether any kept revision had this source at this path. */
const isKept = (key: Key, source: string | undefined, { history }: Facts): boolean =>
  source !== undefined && history.line.some(({ tree }) => tree.get(key) === source);

function onlyStudioWithoutBase(path: number, facts: Facts): Ruling {
  const [exists, key] = keysOf(path);
  const source = facts.look.studio.get(key) ?? "";
  const open = (reason: string): Ruling => ({ key: exists, verdict: "open", reason });
  if (facts.isForeign) return open("foreign_place");
  if (isKept(key, source, facts)) return open("studio_older");
  const { git } = facts.look;
  if (git === "failed" || (git?.isShallow === true && !git.isKnown(source))) return open("no_base");
  const row = git && gitRow(path, source, git);
  return row === undefined ? { key: exists, verdict: "pull", reason: "studio_added" } : open(row.reason);
}

function gitRow(
  path: number,
  source: string,
  git: GitFacts,
): { verdict: Verdict; reason: string } | undefined {
  if (git.isInHistory(path, source) || git.index(path) === source)
    return { verdict: "push", reason: "studio_older" };
  if (git.isBelowHead(source)) return { verdict: "open", reason: "studio_older" };
  return git.isKnown(source) ? { verdict: "open", reason: "git_elsewhere" } : undefined;
}

function withoutBase(path: number, key: Key, facts: Facts): Ruling {
  const { look } = facts;
  const [file, studio] = [look.files.get(key) ?? "", look.studio.get(key) ?? ""];
  const open: Ruling = { key, verdict: "open", reason: "no_base" };
  if (!key.endsWith("source")) return open;
  if (isKept(key, studio, facts)) return { key, verdict: "push", reason: "studio_older", isTold: true };
  const { git } = look;
  if (git === undefined || git === "failed") return open;
  if (git.isShallow && !git.isKnown(studio)) return open;
  const row = gitRow(path, studio, git);
  if (row !== undefined) return { key, ...row, isTold: row.verdict === "push" };
  return git.head(path) === file ? { key, verdict: "pull", reason: "studio_changed", isTold: true } : open;
}
