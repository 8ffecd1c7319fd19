/** Sets or removes one server in a JSON configuration; everything else in the text stays as it is. */
import { removeJson, setJson, type JsonValue } from "../util/json-edit.ts";
import { memberOf, parseJsonc, valueOf } from "../util/jsonc.ts";
import type { JsoncNode } from "../util/jsonc.ts";
import { TextFault } from "../util/text-fault.ts";

type Json = { readonly [key: string]: JsonValue };

/** Members of the entry that `entry` does not name stay. Throws TextFault. */
export function setJsonServer(text: string, serversKey: string, name: string, entry: Json): string {
  const root = rootOf(text);
  const servers = root === undefined ? undefined : objectMember(root, serversKey);
  const server = servers === undefined ? undefined : memberOf(servers, name)?.value;
  if (server?.type !== "object") return setJson(text, [serversKey, name], entry);
  return Object.entries(entry).reduce(
    (changed, [key, value]) => setJson(changed, [serversKey, name, key], value),
    text,
  );
}

/** The text as it is where there is no such server. Throws TextFault. */
export function removeJsonServer(text: string, serversKey: string, name: string): string {
  const root = rootOf(text);
  if (root !== undefined) objectMember(root, serversKey);
  return removeJson(text, [serversKey, name]);
}

/** Throws TextFault. */
export function readJson(text: string): unknown {
  const root = rootOf(text);
  return root === undefined ? {} : valueOf(root);
}

function rootOf(text: string): JsoncNode | undefined {
  const root = parseJsonc(text);
  if (root === undefined || root.type === "object") return root;
  throw new TextFault("expected an object", root.offset);
}

function objectMember(node: JsoncNode, key: string): JsoncNode | undefined {
  const value = memberOf(node, key)?.value;
  if (value === undefined || value.type === "object") return value;
  throw new TextFault(`expected ${JSON.stringify(key)} to be an object`, value.offset);
}
