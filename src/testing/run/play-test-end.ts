/** Explains the loss of the session in which a file of a play test ran. */
import { StudioBridgeError } from "../../protocol/errors.ts";

/** The error of a lost session with the possible causes; any other error unchanged. */
export function explainedEnd(error: unknown): unknown {
  if (!(error instanceof StudioBridgeError) || error.code !== "SESSION_GONE") return error;
  const message =
    "The play test ended: a script has called EndTest, this player has left, or the server has failed.";
  return new StudioBridgeError("SESSION_GONE", message, { cause: error });
}
