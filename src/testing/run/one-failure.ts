/** Makes one failure of all that went wrong in the same file, because each file fails at most once beside its cases. */
import type { Failure } from "../events.ts";

/** Of more than these, the message has a count. A connection may fail in each frame. */
const MAX_MESSAGES = 10;

/** The stack is that of the first failure; the messages of the others have their positions. The same one counts once. */
export function asOneFailure(failures: readonly Failure[]): Failure {
  const [first] = failures;
  if (first === undefined) return { message: "failed", frames: [] };
  const others = new Set(failures.map(positioned));
  others.delete(positioned(first));
  if (others.size === 0) return first;
  const shown = [first.message, ...others].slice(0, MAX_MESSAGES);
  const left = 1 + others.size - shown.length;
  const lines = left === 0 ? shown : [...shown, `and ${left} more`];
  // The values that were compared would seem to be those of all of them.
  const { expected: _, received: __, ...rest } = first;
  return { ...rest, message: lines.join("\n") };
}

function positioned({ message, frames: [frame] }: Failure): string {
  return frame === undefined ? message : `${message} (${frame.path}:${frame.line})`;
}
