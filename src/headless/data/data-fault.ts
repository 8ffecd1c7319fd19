/** The error for a folder of `--data`, or a file in it, that cannot be used. */
import { StudioBridgeError } from "../../protocol/errors.ts";
import { visibleOnOneLine } from "../../util/visible-controls.ts";

/** `reason` follows the path in the message, without a full stop. `hint` is the next step for people. */
export function dataFault(path: string, reason: string, hint = CURE): StudioBridgeError {
  return new StudioBridgeError("FILE_ERROR", `${FLAG}: ${visibleOnOneLine(path)}: ${reason}.`, {
    hint,
    outcome: "not_started",
  });
}

/** The same error for a folder that something else than the flag has chosen, such as a setting. */
export function chosenBy(error: unknown, name: string): unknown {
  if (!(error instanceof StudioBridgeError) || !error.message.startsWith(FLAG)) return error;
  const { code, message, hint = CURE } = error;
  return new StudioBridgeError(code, name + message.slice(FLAG.length), { hint, outcome: "not_started" });
}

const FLAG = "--data";

const CURE = "Fix the file, or move it out of the folder; sb has changed nothing.";
