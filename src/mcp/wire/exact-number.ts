/**
 * Keeps numbers that JavaScript would round, at the places where a client expects its own number back: ids and progress
 * tokens.
 */
import { isObject, objectIn } from "./json.ts";
import type { JsonObject } from "./json.ts";

declare global {
  interface JSON {
    rawJSON(text: string): object;
    parse(
      text: string,
      reviver: (this: object, key: string, value: unknown, context: { readonly source?: string }) => unknown,
    ): unknown;
  }
}

/** A number as it was written, which JSON.stringify writes in the same way. */
export class ExactNumber {
  readonly #source: string;

  constructor(source: string) {
    this.#source = source;
  }

  toJSON(): object {
    return JSON.rawJSON(this.#source);
  }
}

/** Throws SyntaxError. */
export function parseExactly(text: string): unknown {
  const value: unknown = JSON.parse(text);
  const messages = Array.isArray(value) ? value : [value];
  const isRounded = ([holder, key]: Place) => mayBeRounded(holder[key]);
  return messages.some((message) => placesIn(message).some(isRounded)) ? parseAgain(text) : value;
}

function mayBeRounded(value: unknown): boolean {
  return typeof value === "number" && (!Number.isSafeInteger(value) || Object.is(value, -0));
}

type Place = readonly [holder: JsonObject, key: string];

/** The members of a message whose numbers are sent back. */
function placesIn(message: unknown): Place[] {
  if (!isObject(message)) return [];
  const params = objectIn(message, "params");
  const meta = objectIn(params, "_meta");
  return [
    [message, "id"],
    ...(params === undefined ? [] : [[params, "requestId"] as const]),
    ...(meta === undefined ? [] : [[meta, "progressToken"] as const]),
  ];
}

function parseAgain(text: string): unknown {
  const sources = new Map<object, Map<string, string>>();
  const value = JSON.parse(text, function (key, member, { source }) {
    if (source !== undefined && mayBeRounded(member)) {
      const ofHolder = sources.get(this) ?? new Map<string, string>();
      sources.set(this, ofHolder.set(key, source));
    }
    return member;
  });
  for (const message of Array.isArray(value) ? value : [value]) {
    for (const [holder, key] of placesIn(message)) {
      const source = sources.get(holder)?.get(key);
      if (source !== undefined) Object.assign(holder, { [key]: new ExactNumber(source) });
    }
  }
  return value;
}
