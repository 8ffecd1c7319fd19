/** The error for a folder of `--data`, or a file in it, that cannot be used. */
import { StudioBridgeError } from "../../protocol/errors.ts";
import { visibleOnOneLine } from "../../util/visible-controls.ts";

/** `reason` follows the path in the message, without a full stop. `hint` is the next step for people. */
export function dataFault(path: string, reason: string, hint = CURE): StudioBridgeError {
  return new StudioBridgeError("FILE_ERROR", `--data: ${visibleOnOneLine(path)}: ${reason}.`, {
    hint,
    outcome: "not_started",
  });
}

const CURE = "Mend the file, or move it out of the folder; sb has changed nothing.";
