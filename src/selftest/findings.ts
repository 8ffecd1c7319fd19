/** The results of the self-test: its areas, findings and verdicts, and functions by which checks make verdicts. */

export const areas = ["bridge", "assumptions", "engine"] as const;
export type Area = (typeof areas)[number];

export const results = ["holds", "differs", "unknown"] as const;
export type Result = (typeof results)[number];

/** The verdict of a check. `seen` says what differs, or why the check cannot tell. */
export interface Verdict {
  readonly result: Result;
  readonly seen?: string;
}

export interface Finding extends Verdict {
  /** The action, the id of the assumption, or the subject of the spec. */
  readonly subject: string;
  /** The expected behaviour, as the end of a sentence that begins with the subject. */
  readonly name: string;
}

export const holds: Verdict = { result: "holds" };
export const differs = (seen: string): Verdict => ({ result: "differs", seen });
export const cannotTell = (why: string): Verdict => ({ result: "unknown", seen: why });

/** The reason of a verdict "unknown" that a play test could settle. */
export const ONLY_IN_PLAY = "only a play test shows it (--play)";

const SHOWN_CHARS = 300;

/** "holds" if both values are deeply equal, whatever the order of keys. */
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
