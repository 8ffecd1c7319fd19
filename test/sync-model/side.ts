/**
 * What one side holds: scripts at fixed paths, each with a source and a flag whose few values come back by nature. The acts
 * of people on a side are the same for files and for Studio.
 */
import type { Value, Values } from "./values.ts";

export type Aspect = "exists" | "source" | "flag";
/** An aspect of the script at a path: `3.source`. */
export type Key = `${number}.${Aspect}`;
/** `exists` is there for each path, the others where the script exists. */
export type Side = ReadonlyMap<Key, Value>;
export type Changes = readonly (readonly [Key, Value | undefined])[];

export const YES = "yes";
export const NO = "no";
export const FLAGS = ["0", "1", "2"] as const;
/** The paths of the first project and of the second one. */
export const PATHS_OF_PROJECT = [
  [0, 1, 2],
  [3, 4],
] as const;

/** Whose files are in the folder that can be made one-way. */
const COMPILED_PATHS: readonly number[] = [1, 4];
export const isCompiled = (path: number): boolean => COMPILED_PATHS.includes(path);

export const keyOf = (path: number, aspect: Aspect): Key => `${path}.${aspect}`;
export const keysOf = (path: number): readonly [Key, Key, Key] => [
  `${path}.exists`,
  `${path}.source`,
  `${path}.flag`,
];
export const pathOf = (key: Key): number => Number(key.slice(0, key.indexOf(".")));
export const isExistence = (key: Key): boolean => key.endsWith("exists");

export const textAt = (side: Side, key: Key): string | undefined => side.get(key)?.text;
export const hasScript = (side: Side, path: number): boolean => textAt(side, `${path}.exists`) === YES;

export function withChanges(side: Side, changes: Changes): Side {
  const next = new Map(side);
  for (const [key, value] of changes) {
    if (value === undefined) next.delete(key);
    else next.set(key, value);
  }
  return next;
}

/** All that is known of the script at a path. */
const valuesAt = (side: Side, path: number): readonly (Value | undefined)[] =>
  keysOf(path).map((key) => side.get(key));

/** Undefined where there is nothing to edit. */
export function edited(side: Side, key: Key, text: string, values: Values): Changes | undefined {
  const before = side.get(key);
  return before === undefined || before.text === text ? undefined : [[key, values.make(text, [before])]];
}

export function removed(side: Side, path: number, values: Values): Changes | undefined {
  if (!hasScript(side, path)) return undefined;
  const [exists, source, flag] = keysOf(path);
  return [
    [exists, values.make(NO, valuesAt(side, path))],
    [source, undefined],
    [flag, undefined],
  ];
}

interface NewScript {
  readonly source: string;
  readonly flag?: string;
  readonly from?: readonly (Value | undefined)[];
}

export function added(
  side: Side,
  path: number,
  { source, flag = FLAGS[0], from = [] }: NewScript,
  values: Values,
): Changes | undefined {
  if (hasScript(side, path)) return undefined;
  const before = [...valuesAt(side, path), ...from];
  return [
    [keyOf(path, "exists"), values.make(YES, before)],
    [keyOf(path, "source"), values.make(source, before)],
    [keyOf(path, "flag"), values.make(flag, before)],
  ];
}

export function moved(side: Side, from: number, to: number, values: Values): Changes | undefined {
  const source = side.get(keyOf(from, "source"));
  if (source === undefined || hasScript(side, to)) return undefined;
  const flag = side.get(keyOf(from, "flag"));
  const script = { source: source.text, from: [source, flag], ...(flag && { flag: flag.text }) };
  return [...(removed(side, from, values) ?? []), ...(added(side, to, script, values) ?? [])];
}
