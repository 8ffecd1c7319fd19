/** What is wrong with the folder of `--data` or with a file in it, as the error that people see. */
import { StudioBridgeError } from "../../protocol/errors.ts";
import { visibleOnOneLine } from "../../util/visible-controls.ts";

/** `reason` continues the path; the hint says what to do, unless the reason itself does. */
export function dataFault(path: string, reason: string, hint = CURE): StudioBridgeError {
  return new StudioBridgeError("FILE_ERROR", `--data: ${visibleOnOneLine(path)}: ${reason}.`, {
    hint,
    outcome: "not_started",
  });
}

const CURE = "Mend the file, or move it out of the folder; sb has changed nothing.";
