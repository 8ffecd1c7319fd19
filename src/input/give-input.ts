/** Sends steps of input to the client of a player, and waits as long as they may take. */
import type { BridgeSession } from "../bridge/index.ts";
import { StudioBridgeError } from "../protocol/errors.ts";
import { invalidInput } from "../protocol/messages.ts";
import { shownAnswer } from "./answer.ts";
import type { WireStep } from "./steps.ts";

export interface InputWish {
  readonly steps: readonly WireStep[];
  /** How long a step waits for its target. */
  readonly timeoutMs: number;
  /** Do not check what a press would hit. */
  readonly force: boolean;
  /** Only check the targets. */
  readonly trial?: boolean;
}

/** What a step may take beside its wait and its hold. */
const SLACK_MS = 5_000;

/** The plugin names a wrong key and a Studio without input by codes of the wire, whose cures are about versions of sb. */
const NO_INPUT = "In headless Studio it can be given: `sb headless`.";

/** Throws INVALID_INPUT for a key or a selector that cannot be read, before anything is pressed. */
export async function giveInputAsync(
  session: Pick<BridgeSession, "callAsync">,
  { steps, timeoutMs, force, trial = false }: InputWish,
  signal: AbortSignal,
) {
  const heldMs = steps.reduce((sum, { ms = 0, count = 1 }) => sum + ms * Math.abs(count), 0);
  try {
    const answer = await session.callAsync(
      "input",
      { steps: [...steps], timeoutMs, force, trial },
      { timeoutMs: steps.length * (timeoutMs + SLACK_MS) + heldMs, signal },
    );
    return shownAnswer(answer);
  } catch (error) {
    throw withCure(error);
  }
}

function withCure(error: unknown): unknown {
  if (!(error instanceof StudioBridgeError)) return error;
  if (error.code === "INVALID_PAYLOAD") return invalidInput(error.message, "`sb help input` shows examples.");
  if (error.code === "CAPABILITY_NOT_SUPPORTED")
    return new StudioBridgeError(error.code, error.message, { hint: NO_INPUT, cause: error });
  return error;
}
