/** What the self-test finds out: findings of areas, and how a check says what it has seen. */

export const areas = ["bridge", "assumptions", "engine"] as const;
export type Area = (typeof areas)[number];

export const results = ["holds", "differs", "unknown"] as const;
export type Result = (typeof results)[number];

/** What a check says. `seen` is what differs, or why it cannot tell. */
export interface Verdict {
  readonly result: Result;
  readonly seen?: string;
}

export interface Finding extends Verdict {
  /** The action, the id of the assumption, or the subject of the spec. */
  readonly subject: string;
  /** What was checked, as the end of a sentence about the subject. */
  readonly name: string;
}

export const holds: Verdict = { result: "holds" };
export const differs = (seen: string): Verdict => ({ result: "differs", seen });
export const cannotTell = (why: string): Verdict => ({ result: "unknown", seen: why });

/** Why something cannot be told without a play test. */
export const ONLY_IN_PLAY = "only a play test shows it (--play)";

const SHOWN_CHARS = 300;

/** Holds where both are the same as JSON, whatever the order of keys. */
export function sameAs(actual: unknown, expected: unknown): Verdict {
  if (Bun.deepEquals(actual, expected)) return holds;
  return differs(`expected ${shown(expected)}, got ${shown(actual)}`);
}

export function isTrue(isSo: boolean, otherwise: string): Verdict {
  return isSo ? holds : differs(otherwise);
}

/** The first verdict that is not `holds`. */
export function allOf(...verdicts: readonly Verdict[]): Verdict {
  return verdicts.find(({ result }) => result !== "holds") ?? holds;
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > SHOWN_CHARS ? `${text.slice(0, SHOWN_CHARS)}…` : text;
}
