/** Fills in what clients may leave out of `initialize` (golden case leg-03) and the SDK's schema asks for. */
import { isObject, objectIn } from "../wire/json.ts";
import type { JsonObject } from "../wire/json.ts";

/** Any other message is given back as it is. */
export function withHandshakeDefaults(message: unknown): unknown {
  const params = objectIn(message, "params");
  if (!isObject(message) || message["method"] !== "initialize" || params === undefined) return message;
  return { ...message, params: handshakeParams(params) };
}

export function handshakeParams(params: JsonObject): JsonObject {
  const clientInfo = objectIn(params, "clientInfo");
  return {
    capabilities: {},
    ...params,
    ...(clientInfo === undefined ? {} : { clientInfo: { version: "", ...clientInfo } }),
  };
}
