/**
 * Makes a JSON value fit a number of bytes: long lists lose their middle, long texts too, and every cut is counted.
 * Pure; what is cut stays valid against the value's schema.
 */
import { isObject } from "../wire/json.ts";
import type { JsonObject } from "../wire/json.ts";
import { isVerdict, splitVerdict, withOthersCounted } from "./verdicts.ts";

export interface Cut {
  /** Where, e.g. `logs` or `instance.children`. */
  readonly path: string;
  readonly unit: "items" | "characters" | "keys";
  readonly kept: number;
  readonly total: number;
}

interface Fitted<T> {
  readonly value: T;
  readonly cuts: readonly Cut[];
}

export function jsonBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value) ?? "");
}

export function fit(value: JsonObject, budgetBytes: number): Fitted<JsonObject> {
  if (jsonBytes(value) <= budgetBytes) return { value, cuts: [] };
  const { items } = value;
  const counted = areTooMany(items, budgetBytes) ? withOthersCounted(value) : undefined;
  const cuts: Cut[] = [];
  const fitted = fitObject(counted ?? value, budgetBytes, "", cuts);
  if (counted === undefined || !Array.isArray(items)) return { value: fitted, cuts };
  const { items: listed } = fitted;
  const kept = Array.isArray(listed) ? listed.length : 0;
  const others = cuts.filter(({ path }) => path !== "items");
  return { value: fitted, cuts: [{ path: "items", unit: "items", kept, total: items.length }, ...others] };
}

/** Verdicts whose bare cores leave too little room for what stands beside them. */
function areTooMany(items: unknown, budget: number): boolean {
  if (!Array.isArray(items) || !items.every(isVerdict)) return false;
  return jsonBytes(items.map((item) => splitVerdict(item).core)) > budget * CORES_SHARE;
}

const CORES_SHARE = 0.75;

function fitAny(value: unknown, budget: number, path: string, cuts: Cut[]): unknown {
  if (jsonBytes(value) <= budget) return value;
  if (typeof value === "string") return fitText(value, budget, path, cuts);
  if (Array.isArray(value) && value.every(isVerdict) && !areTooMany(value, budget))
    return fitVerdicts(value, budget, path, cuts);
  if (Array.isArray(value)) return fitList(value, budget, path, cuts);
  return isObject(value) ? fitObject(value, budget, path, cuts) : value;
}

/** Small members stay whole; what they leave is shared by the large ones. */
function fitObject(value: JsonObject, budget: number, path: string, cuts: Cut[]): JsonObject {
  const sized = Object.entries(value).map(([key, member]) => ({
    key,
    member,
    bytes: entryBytes(key, member),
  }));
  const fewest = sized.reduce((sum, { key, member }) => sum + Math.min(entryBytes(key, member), 64), 2);
  if (fewest > budget) return fitKeys(value, budget, path, cuts);
  const fitted = new Map<string, unknown>();
  let left = budget - 2;
  let waiting = sized.length;
  for (const { key, member } of sized.toSorted((a, b) => a.bytes - b.bytes)) {
    const name = jsonBytes(key) + 2;
    const inner = path === "" ? key : `${path}.${key}`;
    const result = fitAny(member, Math.floor(left / waiting) - name, inner, cuts);
    fitted.set(key, result);
    left -= entryBytes(key, result);
    waiting -= 1;
  }
  return Object.fromEntries(sized.map(({ key }) => [key, fitted.get(key)]));
}

function entryBytes(key: string, member: unknown): number {
  return jsonBytes(key) + jsonBytes(member) + 2;
}

/** An object that is large by its number of keys keeps the first. */
function fitKeys(value: JsonObject, budget: number, path: string, cuts: Cut[]): JsonObject {
  const entries = Object.entries(value);
  let left = budget - 2;
  const kept = entries.filter(([key, member]) => {
    left -= entryBytes(key, member);
    return left >= 0;
  });
  cuts.push({ path, unit: "keys", kept: kept.length, total: entries.length });
  return Object.fromEntries(kept);
}

/** Keeps every verdict. What stands beside them shares what is left, so that the longest is cut first. */
function fitVerdicts(
  verdicts: readonly JsonObject[],
  budget: number,
  path: string,
  cuts: Cut[],
): JsonObject[] {
  const split = verdicts.map((verdict, position) => {
    const { core, rest } = splitVerdict(verdict);
    return { position, core, rest, bytes: jsonBytes(rest) };
  });
  let left = budget - jsonBytes(split.map(({ core }) => core));
  let waiting = split.length;
  const fitted: JsonObject[] = [];
  for (const { position, core, rest, bytes } of split.toSorted((a, b) => a.bytes - b.bytes)) {
    const share = Math.max(2, Math.floor(left / waiting));
    // Its own index says where it stands in the whole answer, also where others are counted and not listed.
    const kept = bytes <= share ? rest : fitObject(rest, share, `${path}[${core["index"]}]`, cuts);
    fitted[position] = { ...core, ...kept };
    left -= jsonBytes(kept);
    waiting -= 1;
  }
  return fitted;
}

/** Keeps items from both ends, the newest of a log among them. */
function fitList(list: readonly unknown[], budget: number, path: string, cuts: Cut[]): unknown[] {
  const head: unknown[] = [];
  const tail: unknown[] = [];
  let left = budget - 2;
  while (head.length + tail.length < list.length) {
    const takesTail = tail.length <= head.length;
    const item = takesTail ? list[list.length - 1 - tail.length] : list[head.length];
    const bytes = jsonBytes(item) + 1;
    if (bytes > left) break;
    left -= bytes;
    if (takesTail) tail.unshift(item);
    else head.push(item);
  }
  const kept = Math.max(head.length + tail.length, 1);
  if (kept < list.length) cuts.push({ path, unit: "items", kept, total: list.length });
  if (tail.length === 0) return [fitAny(list.at(-1), left - 1, `${path}[${list.length - 1}]`, cuts)];
  return [...head, ...tail];
}

/** Keeps both ends, with the number of what is missing between them. */
function fitText(text: string, budget: number, path: string, cuts: Cut[]): string {
  const total = characterCount(text);
  const NOTE_BYTES = 48;
  const bytesEach = jsonBytes(text) / Math.max(total, 1);
  let half = Math.max(0, Math.floor((budget - NOTE_BYTES) / bytesEach / 2));
  // The ends may take more bytes for a character than the whole does, as line breaks and quotes do.
  while (half > 0 && jsonBytes(endsOf(text, half, total)) > budget) half = Math.floor(half * 0.9);
  cuts.push({ path, unit: "characters", kept: 2 * half, total });
  return endsOf(text, half, total);
}

/** The first and the last `half` characters. */
function endsOf(text: string, half: number, total: number): string {
  // A character is one or two units; taking twice as many is enough, and far less than the whole.
  const start = [...text.slice(0, 2 * half)].slice(0, half).join("");
  const end = half === 0 ? "" : [...text.slice(-2 * half)].slice(-half).join("");
  return `${start}…[${total - 2 * half} characters cut]…${end}`;
}

/** As `[...text].length`, without a list as long as the text. */
function characterCount(text: string): number {
  let pairs = 0;
  for (let at = 1; at < text.length; at += 1) {
    const isLow = (text.charCodeAt(at) & 0xfc00) === 0xdc00;
    if (!isLow || (text.charCodeAt(at - 1) & 0xfc00) !== 0xd800) continue;
    pairs += 1;
    at += 1;
  }
  return text.length - pairs;
}

/** `logs: 120 of 5000 items`. */
export function cutText({ path, unit, kept, total }: Cut): string {
  return `${path}: ${kept} of ${total} ${unit}`;
}
