/** Messages as they leave the server: answers in the shape that each dialect has for them, and notifications. */
import { isSince, plainVersion, statelessVersion } from "./dialects.ts";
import type { Dialect } from "./dialects.ts";
import type { JsonObject } from "./json.ts";
import type { ErrorResponse, RequestId, ResultResponse, ServerNotification } from "./mcp-types.ts";
import { rpcCodes, rpcNames } from "./rpc-error.ts";
import type { RpcError } from "./rpc-error.ts";

export type ErrorBody = ErrorResponse["error"];

/** JSON-RPC has a null for an id that could not be read; the SDK leaves it out, as the newer revisions do. */
export type Answer = ResultResponse | (Omit<ErrorResponse, "id"> & { readonly id?: RequestId | null });

/** What the server says without being asked; the second kind is of 2026-07-28. */
export type Notice =
  | ServerNotification
  | {
      readonly method: "notifications/subscriptions/acknowledged" | "notifications/tasks";
      readonly params: JsonObject;
    };

/** What the server sends beside answers: notifications, and requests of its own, which have an id. */
export interface Outgoing {
  readonly jsonrpc: "2.0";
  readonly id?: RequestId;
  readonly method: string;
  readonly params?: JsonObject | undefined;
}

export type Send = (outgoing: Outgoing) => void;

export function notification(notice: Notice): Outgoing {
  return { jsonrpc: "2.0", ...notice };
}

export function resultAnswer(id: RequestId, result: JsonObject): Answer {
  return { jsonrpc: "2.0", id, result };
}

/** Where the id could not be read it is null; from 2025-11-25 on the schema wants it left out. */
export function errorAnswer(id: RequestId | null, error: ErrorBody, dialect: Dialect): Answer {
  const isLeftOut = id === null && dialect !== statelessVersion && isSince(dialect, "2025-11-25");
  return { jsonrpc: "2.0", ...(isLeftOut ? {} : { id }), error };
}

const saysSentence: readonly RpcError["code"][] = [
  "invalidParams",
  "internalError",
  "headerMismatch",
  "missingCapability",
];

/**
 * In 1.0 the message is the name of the code, and the sentence is data. Dated dialects put the sentence into the message
 * where the name alone says too little.
 */
export function errorBody({ code: name, message: sentence, data }: RpcError, dialect: Dialect): ErrorBody {
  const code = rpcCodes[name];
  const isPlain = dialect === "none" || dialect === plainVersion;
  if (!isPlain && saysSentence.includes(name))
    return { code, message: sentence, ...(data === undefined ? {} : { data }) };
  return { code, message: rpcNames[name], data: data ?? sentence };
}
