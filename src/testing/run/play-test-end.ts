/** Why a file that ran in a play test could not be run to its end. */
import { StudioBridgeError } from "../../protocol/errors.ts";

/** A session of a play test ends with the test, or with its player. */
export function explainedEnd(error: unknown): unknown {
  if (!(error instanceof StudioBridgeError) || error.code !== "SESSION_GONE") return error;
  const message =
    "The play test ended: a script has called EndTest, this player has left, or the server has failed.";
  return new StudioBridgeError("SESSION_GONE", message, { cause: error });
}
