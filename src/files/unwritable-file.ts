/** The error for a file that a command was asked to write and could not. */
import { StudioBridgeError } from "../protocol/errors.ts";
import { systemCodeOf, systemReason } from "../util/system-error.ts";
import { visibleOnOneLine } from "../util/visible-controls.ts";

export function unwritableFile(file: string, cause: unknown): StudioBridgeError {
  const isMissing = systemCodeOf(cause) === "ENOENT";
  const reason = isMissing ? "its folder does not exist" : systemReason(cause);
  return new StudioBridgeError("FILE_ERROR", `Could not write ${visibleOnOneLine(file)}: ${reason}`, {
    data: { path: file },
    cause,
    ...(isMissing ? { hint: "Make the folder first." } : {}),
  });
}
