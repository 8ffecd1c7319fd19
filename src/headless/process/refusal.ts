/**
 * An error that keeps a headless Studio from starting, as it travels between threads and processes, where an error would
 * lose its class.
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
