/** Checks the headers of 2026-07-28 that repeat facts of the body, so that both agree (Streamable HTTP, "Request Metadata"). */
import { metaKeys } from "../wire/dialects.ts";
import { isObject, objectIn, stringIn } from "../wire/json.ts";
import type { JsonObject } from "../wire/json.ts";
import { RpcError } from "../wire/rpc-error.ts";

/** The parameter that the header `Mcp-Name` repeats, by method. */
const nameFields: { readonly [method: string]: string } = {
  "tools/call": "name",
  "prompts/get": "name",
  "resources/read": "uri",
  "tasks/get": "taskId",
  "tasks/update": "taskId",
  "tasks/cancel": "taskId",
};

/** Throws RpcError where a header is missing or says something else than the body. */
export function checkHeaders(message: JsonObject, headers: Headers): void {
  const method = stringIn(message, "method") ?? "";
  const params = isObject(message["params"]) ? message["params"] : {};
  const version = objectIn(params, "_meta")?.[metaKeys.protocolVersion];
  check(headers, "MCP-Protocol-Version", typeof version === "string" ? version : undefined);
  check(headers, "Mcp-Method", method);
  const field = nameFields[method];
  if (field !== undefined) check(headers, "Mcp-Name", stringIn(params, field));
}

/** `wanted` is undefined where the body lacks the value; the check of the body reports that. */
function check(headers: Headers, name: string, wanted: string | undefined): void {
  const given = headers.get(name);
  if (given === null) throw mismatch(`The header ${name} is missing.`);
  const value = decoded(given);
  if (value === undefined) throw mismatch(`The header ${name} is not valid Base64.`);
  if (wanted !== undefined && value !== wanted)
    throw mismatch(`The header ${name} says ${JSON.stringify(value)}, the body ${JSON.stringify(wanted)}.`);
}

/** `=?base64?…?=` stands for text that a header cannot carry. */
function decoded(value: string): string | undefined {
  const [, base64] = /^=\?base64\?(.*)\?=$/i.exec(value) ?? [];
  if (base64 === undefined) return value;
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(base64)) return undefined;
  return Buffer.from(base64, "base64").toString("utf8");
}

const mismatch = (message: string) => new RpcError("headerMismatch", message);
