/** Paths of interfaces, which count from what the player sees first. */
import { StudioBridgeError } from "../protocol/errors.ts";
import type { ReadsInterface } from "./picture-masks.ts";

/**
 * A path counts from the player's interface, or in the edited place from StarterGui, then from `game`, as those of steps do. Other words
 * stay as they are.
 */
export async function ownPathAsync(readAsync: ReadsInterface, word: string): Promise<string> {
  if (/^(?:@|\$|game(?![^.[])|[-\d\s,]+$)/.test(word)) return word;
  try {
    const { root } = await readAsync({ limit: 1 });
    const own = word.startsWith("[") ? `${root}${word}` : `${root}.${word}`;
    await readAsync({ path: own, limit: 1 });
    return own;
  } catch (error) {
    if (error instanceof StudioBridgeError && error.code === "INSTANCE_NOT_FOUND") return word;
    throw error;
  }
}
