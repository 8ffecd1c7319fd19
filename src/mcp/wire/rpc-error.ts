/** The errors that a request can be answered with. How one looks on the wire depends on the dialect; see `answers.ts`. */
import type { JsonObject } from "./json.ts";

export const rpcCodes = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  /** Dialect 1.0 only, like the two that follow: SDK clients of other dialects read these as a broken connection. */
  toolNotFound: -32000,
  toolFailed: -32001,
  invalidToolParams: -32002,
  /** Dialect 1.0, and every client before `initialize`. */
  notInitialized: -32003,
  /** Dialect 2026-07-28 over HTTP. */
  headerMismatch: -32020,
  /** Dialect 2026-07-28, like the one that follows. */
  missingCapability: -32021,
  unsupportedVersion: -32022,
} as const;
type RpcCode = keyof typeof rpcCodes;

/** The short messages of JSON-RPC 2.0 and MCP. */
export const rpcNames: { readonly [Code in RpcCode]: string } = {
  parseError: "Parse error",
  invalidRequest: "Invalid Request",
  methodNotFound: "Method not found",
  invalidParams: "Invalid params",
  internalError: "Internal error",
  toolNotFound: "Tool not found",
  toolFailed: "Tool execution failed",
  invalidToolParams: "Invalid tool params",
  notInitialized: "Server not initialized",
  headerMismatch: "Header mismatch",
  missingCapability: "Missing required client capability",
  unsupportedVersion: "Unsupported protocol version",
};

/** Ends a request with an error answer. The message says what is wrong, in a sentence. */
export class RpcError extends Error {
  readonly code: RpcCode;
  readonly data: JsonObject | undefined;

  constructor(code: RpcCode, message: string, data?: JsonObject) {
    super(message);
    this.name = "RpcError";
    this.code = code;
    this.data = data;
  }
}

export const invalidParams = (message: string, data?: JsonObject) =>
  new RpcError("invalidParams", message, data);

/** Any other failure is an internal error of the server. */
export function asRpcError(error: unknown): RpcError {
  if (error instanceof RpcError) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new RpcError("internalError", `Internal error: ${message}`);
}
