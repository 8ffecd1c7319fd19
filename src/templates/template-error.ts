/** A fault of a template itself. It is reported when the template is read, so that no call can meet it. */
import { StudioBridgeError } from "../protocol/errors.ts";

export function templateError(message: string, hint: string): StudioBridgeError {
  return new StudioBridgeError("TEMPLATE_ERROR", message, { hint });
}
