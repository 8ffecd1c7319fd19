/** A fault of a template itself, told when it is read and never when it is called. */
import { StudioBridgeError } from "../../protocol/errors.ts";

export function templateError(message: string, hint: string): StudioBridgeError {
  return new StudioBridgeError("TEMPLATE_ERROR", message, { hint });
}
