/** Answers as they go out, in the shape that each dialect has for them. */
import { isSince, plainVersion, statelessVersion } from "./dialects.ts";
import type { Dialect } from "./dialects.ts";
import type { JsonObject } from "./json.ts";
import type { RequestId } from "./messages.ts";
import { rpcCodes, rpcNames } from "./rpc-error.ts";
import type { RpcError } from "./rpc-error.ts";

interface ErrorBody {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

export type Answer =
  | { readonly jsonrpc: "2.0"; readonly id: RequestId; readonly result: JsonObject }
  | { readonly jsonrpc: "2.0"; readonly id?: RequestId | null; readonly error: ErrorBody };

/** What the server sends of its own accord. */
export interface OutgoingNotification {
  readonly jsonrpc: "2.0";
  readonly method: string;
  readonly params?: JsonObject;
}

export interface OutgoingRequest extends OutgoingNotification {
  readonly id: RequestId;
}

export function notification(method: string, params?: JsonObject): OutgoingNotification {
  return { jsonrpc: "2.0", method, ...(params === undefined ? {} : { params }) };
}

export function resultAnswer(id: RequestId, result: JsonObject): Answer {
  return { jsonrpc: "2.0", id, result };
}

/** An id that could not be read is null; from 2025-11-25 on the schema wants it left out. */
export function errorAnswer(id: RequestId | null, error: ErrorBody, dialect: Dialect): Answer {
  const isLeftOut = id === null && dialect !== statelessVersion && isSince(dialect, "2025-11-25");
  return { jsonrpc: "2.0", ...(isLeftOut ? {} : { id }), error };
}

/**
 * In 1.0 the message is the code's name and the sentence is data. Dated dialects put the sentence into the message
 * where the name alone would help nobody.
 */
export function errorBody({ code: name, message: sentence, data }: RpcError, dialect: Dialect): ErrorBody {
  const code = rpcCodes[name];
  const isPlain = dialect === "none" || dialect === plainVersion;
  if (!isPlain && (name === "invalidParams" || name === "internalError" || name === "headerMismatch"))
    return { code, message: sentence, ...(data === undefined ? {} : { data }) };
  return { code, message: rpcNames[name], data: data ?? sentence };
}
