/**
 * Encodes the error for which a headless Studio cannot start, so that it keeps its class on the way between threads and processes.
 */
import { type ErrorCode, StudioBridgeError } from "../../protocol/errors.ts";

export interface Refusal {
  readonly code: ErrorCode;
  readonly message: string;
  readonly hint: string;
}

export const refusalOf = ({ code, message, hint }: StudioBridgeError): Refusal => ({ code, message, hint });

export const refusalError = ({ code, message, hint }: Refusal): StudioBridgeError =>
  new StudioBridgeError(code, message, { hint, outcome: "not_started" });
