/** The paths and blobs of a commit's history, read in one pass and kept for the next question about the same commit. */
import type { Git } from "../../util/git.ts";

export interface History {
  /** The blobs that each asked path has had. */
  readonly versions: ReadonlyMap<string, ReadonlySet<string>>;
  /** The paths that each asked blob has had. */
  readonly paths: ReadonlyMap<string, ReadonlySet<string>>;
  /** Why the history could not be read to its end. A clause for people. */
  readonly cut?: string;
}

/** A search that is over as soon as one of the paths has had one of the blobs. */
interface Target {
  readonly names: readonly string[];
  readonly ids: readonly string[];
}

interface HistoryQuestion {
  /** Equal for the same commit in the same repository. */
  readonly key: string;
  readonly head: string;
  /** False for a history that can grow under the same commit. */
  readonly isKept: boolean;
  readonly targets: readonly Target[];
  /** The blobs of the targets that can be in the history. */
  readonly blobs: ReadonlySet<string>;
  readonly reasonOf: (error: unknown) => string;
}

class Past {
  readonly versions = new Map<string, Set<string>>();
  readonly paths = new Map<string, Set<string>>();
  /** The paths and blobs that were looked for up to the end of the history. */
  readonly wholePaths = new Set<string>();
  readonly wholeBlobs = new Set<string>();
  readonly key: string;

  constructor(key: string) {
    this.key = key;
  }
}

let kept: Past | undefined;

export async function historyAsync(git: Git, question: HistoryQuestion): Promise<History> {
  const { key, head, isKept, targets, blobs, reasonOf } = question;
  const past = isKept && kept?.key === key ? kept : new Past(key);
  if (isKept) kept = past;
  const open = new Set(targets.filter((target) => !isFound(target, past)));
  const names = [...open].flatMap((target) => target.names);
  const ids = [...open].flatMap((target) => target.ids).filter((id) => blobs.has(id));
  if (names.every((name) => past.wholePaths.has(name)) && ids.every((id) => past.wholeBlobs.has(id)))
    return past;
  for (const name of names) addKey(past.versions, name);
  for (const id of ids) addKey(past.paths, id);
  const byName = Map.groupBy(
    [...open].flatMap((target) => target.names.map((name) => ({ name, target }))),
    ({ name }) => name,
  );
  try {
    await git.versionsAsync(head, (path, blob) => {
      past.versions.get(path)?.add(blob);
      past.paths.get(blob)?.add(path);
      for (const { target } of byName.get(path) ?? []) if (target.ids.includes(blob)) open.delete(target);
      return open.size > 0;
    });
  } catch (error) {
    return { versions: past.versions, paths: past.paths, cut: reasonOf(error) };
  }
  if (open.size === 0) return past;
  for (const name of names) past.wholePaths.add(name);
  for (const id of ids) past.wholeBlobs.add(id);
  return past;
}

const isFound = ({ names, ids }: Target, { versions }: Past): boolean =>
  names.some((name) => ids.some((id) => versions.get(name)?.has(id) === true));

function addKey(map: Map<string, Set<string>>, key: string): void {
  if (!map.has(key)) map.set(key, new Set());
}
