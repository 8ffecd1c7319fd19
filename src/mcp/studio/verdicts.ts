/**
 * Shortens the verdicts of a call on very many things: what an agent must see is listed, and the others are counted.
 * Pure.
 */
import { isObject } from "../wire/json.ts";
import type { JsonObject } from "../wire/json.ts";

/** Of a verdict these are never cut, and a failed one keeps its message. */
const CORE_KEYS = ["index", "ok", "path", "id", "as", "code"];

export const isVerdict = (item: unknown): item is JsonObject =>
  isObject(item) && "index" in item && "ok" in item;

/** The verdict by itself, and what stands beside it, such as a diff. */
export function splitVerdict(verdict: JsonObject): { readonly core: JsonObject; readonly rest: JsonObject } {
  const isCore = ([key]: readonly [string, unknown]) =>
    CORE_KEYS.includes(key) || (key === "message" && verdict["ok"] === false);
  const entries = Object.entries(verdict);
  return {
    core: Object.fromEntries(entries.filter(isCore)),
    rest: Object.fromEntries(entries.filter((entry) => !isCore(entry))),
  };
}

/**
 * Lists failures, warnings and what the caller has named. All others are `done`, or `notDone` where the call as a whole
 * failed, because then nothing of it was. Undefined where nothing can be counted in place of being listed.
 */
export function withOthersCounted(facts: JsonObject): JsonObject | undefined {
  const { items } = facts;
  if (!Array.isArray(items) || !items.every(isVerdict)) return undefined;
  const listed = items.filter(mustBeSeen);
  const others = items.filter((item) => !mustBeSeen(item));
  if (others.length === 0) return undefined;
  const counted =
    facts["ok"] === false
      ? { notDone: { total: others.length } }
      : { done: { total: others.length, ids: idRanges(others.map(({ id }) => id)) } };
  const entries = Object.entries(facts).flatMap(([key, value]): [string, unknown][] =>
    key === "items" ? [["items", listed], ...Object.entries(counted)] : [[key, value]],
  );
  return Object.fromEntries(entries);
}

function mustBeSeen({ ok, code, as, compile }: JsonObject): boolean {
  if (ok === false) return code !== "NOT_TRIED";
  return as !== undefined || compile !== undefined;
}

/** `@17-@3016`; a single one is `@17`. */
function idRanges(ids: readonly unknown[]): readonly string[] {
  const numbers = ids.flatMap((id) => {
    const [, digits] = /^@(\d+)$/.exec(String(id)) ?? [];
    return digits === undefined ? [] : [Number(digits)];
  });
  const ranges: { readonly first: number; last: number }[] = [];
  for (const number of new Set(numbers.toSorted((a, b) => a - b))) {
    const range = ranges.at(-1);
    if (range?.last === number - 1) range.last = number;
    else ranges.push({ first: number, last: number });
  }
  return ranges.map(({ first, last }) => (first === last ? `@${first}` : `@${first}-@${last}`));
}
