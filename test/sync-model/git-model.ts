/** Git as far as sync sees it: commits of sources and flags by path, an index, one remote, shallow clones. */
import type { GitFacts } from "./rules.ts";
import {
  type Changes,
  hasScript,
  type Key,
  keyOf,
  keysOf,
  PATHS_OF_PROJECT,
  type Side,
  textAt,
} from "./side.ts";
import { descends, type Value, type Values } from "./values.ts";

export interface Commit {
  readonly parents: readonly Commit[];
  readonly tree: Side;
}

/** The repository of one folder. */
export interface Repository {
  head: Commit;
  index: Side;
  /** All sources that any object of it holds. */
  readonly objects: Set<string>;
  readonly isShallow: boolean;
}

const ALL_PATHS = PATHS_OF_PROJECT.flat();

/** A commit and all that are below it; in a shallow repository only those that it has. */
export function* below(commit: Commit, seen = new Set<Commit>()): Generator<Commit> {
  if (seen.has(commit)) return;
  seen.add(commit);
  yield commit;
  for (const parent of commit.parents) yield* below(parent, seen);
}

export const isBelow = (commit: Commit, head: Commit): boolean => below(head).some((each) => each === commit);

export const sourcesOf = (tree: Side): readonly string[] =>
  ALL_PATHS.flatMap((path) => textAt(tree, keyOf(path, "source")) ?? []);

/** With what the commits below `head` hold. */
export function repositoryAt(head: Commit, isShallow: boolean): Repository {
  const known = isShallow ? { parents: [], tree: head.tree } : head;
  const objects = new Set([...below(known)].flatMap(({ tree }) => sourcesOf(tree)));
  return { head: known, index: head.tree, objects, isShallow };
}

export function factsOf({ head, index, objects, isShallow }: Repository): GitFacts {
  const sources = (path: number) => keyOf(path, "source");
  const isIn = (tree: Side, path: number, source: string) => textAt(tree, sources(path)) === source;
  return {
    isShallow,
    head: (path) => textAt(head.tree, sources(path)),
    index: (path) => textAt(index, sources(path)),
    isInHistory: (path, source) => below(head).some(({ tree }) => isIn(tree, path, source)),
    isBelowHead: (source) =>
      below(head).some(({ tree }) => ALL_PATHS.some((path) => isIn(tree, path, source))),
    isKnown: (source) => objects.has(source),
  };
}

export const isClean = (files: Side, { head }: Repository): boolean =>
  ALL_PATHS.every((path) => keysOf(path).every((key) => textAt(files, key) === textAt(head.tree, key)));

/** The files become those of a commit, because a person wishes it. */
export const adopted = (files: Side, tree: Side, values: Values): Changes =>
  ALL_PATHS.flatMap((path) => adoptedScript(files, tree, path, values));

export function adoptedScript(files: Side, tree: Side, path: number, values: Values): Changes {
  const present = keysOf(path).map((key) => files.get(key));
  return keysOf(path).map((key): readonly [Key, Value | undefined] => {
    const target = tree.get(key);
    return [key, target && values.make(target.text, [target, ...present])];
  });
}

/** A merge by a person, who has seen both. */
export const merged = (ours: Side, theirs: Side, values: Values): Changes =>
  ALL_PATHS.flatMap((path) => {
    const pairs = keysOf(path).map((key) => [ours.get(key), theirs.get(key)] as const);
    if (isMadeFrom(pairs)) return [];
    if (isMadeFrom(pairs.map(([our, their]) => [their, our] as const)))
      return adoptedScript(ours, theirs, path, values);
    if (hasScript(ours, path) && hasScript(theirs, path)) return mergedScript(ours, theirs, path, values);
    return adoptedScript(ours, hasScript(ours, path) ? ours : theirs, path, values).map(([key, value]) => [
      key,
      value && values.make(value.text, [value, ...pairs.flat()]),
    ]);
  });

/** Whether all values of the first side were made from those of the second. */
const isMadeFrom = (pairs: readonly (readonly [Value | undefined, Value | undefined])[]): boolean =>
  pairs.every(([one, other]) => {
    const [[exists] = []] = pairs;
    const later = one ?? exists;
    return other === undefined || (later !== undefined && descends(later, other));
  });

function mergedScript(ours: Side, theirs: Side, path: number, values: Values): Changes {
  return keysOf(path).flatMap((key): Changes => {
    const [our, their] = [ours.get(key), theirs.get(key)];
    if (our === undefined || their === undefined || descends(our, their)) return [];
    const text = descends(their, our) ? their.text : key.endsWith("source") ? values.newText() : our.text;
    return [[key, values.make(text, [our, their])]];
  });
}
