/** Joins failures to one: all failures of a file itself, which is at most one failed case beside its own cases, and those after which a case went on. */
import type { Failure } from "../events.ts";

/** The number of messages that are shown. Further ones are counted, because a connection may fail in every frame. */
const MAX_MESSAGES = 10;

/** The stack is that of the first failure. The messages of the others follow with their positions; equal ones count once. */
export function asOneFailure(failures: readonly Failure[]): Failure {
  const [first] = failures;
  if (first === undefined) return { message: "failed", frames: [] };
  const others = new Set(failures.map(positioned));
  others.delete(positioned(first));
  if (others.size === 0) return first;
  const shown = [first.message, ...others].slice(0, MAX_MESSAGES);
  const left = 1 + others.size - shown.length;
  const lines = left === 0 ? shown : [...shown, `and ${left} more`];
  // The compared values are dropped, because they would seem to belong to all messages.
  const { expected: _, received: __, ...rest } = first;
  return { ...rest, message: lines.join("\n") };
}

function positioned({ message, frames: [frame] }: Failure): string {
  return frame === undefined ? message : `${message} (${frame.path}:${frame.line})`;
}
