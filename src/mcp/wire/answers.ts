/** Answers as they go out, in the shape that each dialect has for them. */
import { isSince, plainVersion, statelessVersion } from "./dialects.ts";
import type { Dialect } from "./dialects.ts";
import type { JsonObject } from "./json.ts";
import type {
  ElicitationParams,
  ErrorResponse,
  RequestId,
  ResultResponse,
  ServerNotification,
} from "./mcp-types.ts";
import { rpcCodes, rpcNames } from "./rpc-error.ts";
import type { RpcError } from "./rpc-error.ts";

type ErrorBody = ErrorResponse["error"];

/** JSON-RPC has a null for an id that could not be read; the SDK leaves it out, as the newer revisions do. */
export type Answer = ResultResponse | (Omit<ErrorResponse, "id"> & { readonly id?: RequestId | null });

/** What the server says of its own accord; the second is of 2026-07-28. */
type Notice =
  | ServerNotification
  | { readonly method: "notifications/subscriptions/acknowledged"; readonly params: JsonObject };
export type OutgoingNotification = { readonly jsonrpc: "2.0" } & Notice;

/** What the server asks, which is always a form. */
export interface OutgoingRequest {
  readonly jsonrpc: "2.0";
  readonly id: RequestId;
  readonly method: "elicitation/create";
  readonly params: ElicitationParams;
}

export function notification(notice: Notice): OutgoingNotification {
  return { jsonrpc: "2.0", ...notice };
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
