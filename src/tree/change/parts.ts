/** How much of a change one request may carry. Studio reads a whole request in one frame, so that a larger one would stall its window. */
import type { PatchOperation } from "../../protocol/fields/patches.ts";
import type { SessionInfo } from "../../protocol/network.ts";

export interface PartSize {
  readonly operations: number;
  readonly chars: number;
}

const STUDIO_PART: PartSize = { operations: 200, chars: 128 * 1024 };
const HEADLESS_PART: PartSize = { operations: 500, chars: 256 * 1024 };

export const partSizeOf = ({ origin }: Pick<SessionInfo, "origin">): PartSize =>
  origin === "headless" ? HEADLESS_PART : STUDIO_PART;

/** As one request carries it. */
export const charsOf = (operation: PatchOperation): number => JSON.stringify(operation).length;

/** A part has at least one operation, however large that is. */
export function* partsOf(
  operations: readonly PatchOperation[],
  size: PartSize,
): Generator<readonly PatchOperation[]> {
  let part: PatchOperation[] = [];
  let chars = 0;
  for (const operation of operations) {
    const own = charsOf(operation);
    if (part.length > 0 && (part.length >= size.operations || chars + own > size.chars)) {
      yield part;
      part = [];
      chars = 0;
    }
    part.push(operation);
    chars += own;
  }
  if (part.length > 0) yield part;
}
