/** Tells requests, notifications and responses apart (JSON-RPC 2.0 §4), and says what is wrong with anything else. */
import { ExactNumber, parseExactly } from "./exact-number.ts";
import { isObject } from "./json.ts";
import type { JsonObject } from "./json.ts";
import type { RequestId } from "./mcp-types.ts";
import { RpcError } from "./rpc-error.ts";

interface Call {
  readonly method: string;
  /** Undefined where they came as a list, which MCP does not allow. */
  readonly params: JsonObject | undefined;
}
export type Request = Call & { readonly kind: "request"; readonly id: RequestId };
export type Notification = Call & { readonly kind: "notification" };
/** The answer of the client to a request of the server, with a result or an error. */
export interface Response {
  readonly kind: "response";
  readonly id: RequestId | null;
  readonly result: unknown;
  readonly error: unknown;
}

export type Message =
  | Request
  | Notification
  | Response
  /** `id` is null where it could not be read. */
  | { readonly kind: "fault"; readonly id: RequestId | null; readonly error: RpcError };

export function parseJson(text: string): { readonly value: unknown } | RpcError {
  try {
    return { value: parseExactly(text) };
  } catch (error) {
    return new RpcError("parseError", error instanceof Error ? error.message : String(error));
  }
}

export function readMessage(value: unknown): Message {
  if (!isObject(value)) return fault(null, "a message is an object");
  const id = isRequestId(value["id"]) ? value["id"] : null;
  if (value["jsonrpc"] !== "2.0") return fault(id, 'jsonrpc must be "2.0"');
  const { method } = value;
  if (method === undefined && ("result" in value || "error" in value))
    return { kind: "response", id, result: value["result"], error: value["error"] };
  if (typeof method !== "string") return fault(id, "method must be a string");
  if ("id" in value && id === null) return fault(null, "id must be a string or a number");
  const params = value["params"] ?? {};
  if (typeof params !== "object") return fault(id, "params must be an object");
  const call = { method, params: isObject(params) ? params : undefined };
  return id === null ? { kind: "notification", ...call } : { kind: "request", id, ...call };
}

/** Includes numbers that are kept as they were written (ExactNumber), because an id is only passed on or made a key. */
export function isRequestId(value: unknown): value is RequestId {
  return typeof value === "string" || typeof value === "number" || value instanceof ExactNumber;
}

/** A key for maps: equal for two ids that are equal. */
export function idKey(id: RequestId): string | number {
  return typeof id === "number" ? id : JSON.stringify(id);
}

function fault(id: RequestId | null, message: string): Message {
  return { kind: "fault", id, error: new RpcError("invalidRequest", message) };
}
