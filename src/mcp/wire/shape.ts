/** Gives tools and their results the form of a dialect. Facts that are newer than it are left out or become plain text. */
import type { Tool, ToolResult } from "../server/features.ts";
import { isSince, metaKeys, plainVersion, statelessVersion } from "./dialects.ts";
import type { Dialect } from "./dialects.ts";
import type { JsonObject } from "./json.ts";
import type { CallToolResult, Content, ElicitationForm, Implementation, ListedTool } from "./mcp-types.ts";

export function shapeTool(tool: Tool, dialect: Dialect): ListedTool {
  const { name, title, description, inputSchema, outputSchema, annotations } = tool;
  const hasTitles = isSince(dialect, "2025-06-18");
  return {
    name,
    ...(hasTitles && title !== undefined ? { title } : {}),
    description,
    inputSchema,
    ...(hasTitles && outputSchema !== undefined ? { outputSchema } : {}),
    ...(isSince(dialect, "2025-03-26") && annotations !== undefined ? { annotations } : {}),
  };
}

/** Results of 1.0 have no `isError`; the caller has made an error of such a result. */
export function shapeToolResult(result: ToolResult, dialect: Dialect): CallToolResult {
  if (dialect === plainVersion)
    // 1.0 has no resources, so a link would lead nowhere.
    return { content: result.content.filter(({ type }) => type !== "resource_link") };
  const content = result.content.map((block) => shapeContent(block, dialect));
  const { structuredContent, isError } = result;
  return {
    content,
    ...(structuredContent !== undefined && isSince(dialect, "2025-06-18") ? { structuredContent } : {}),
    ...(isError === true ? { isError } : {}),
  };
}

function shapeContent(block: Content, dialect: Dialect): Content {
  if (block.type !== "resource_link" || isSince(dialect, "2025-06-18")) return block;
  return { type: "text", text: `${block.description ?? block.name}: ${block.uri}` };
}

/** Choices with titles were spelled in another way before 2025-11-25. */
export function shapeForm(form: ElicitationForm, dialect: Dialect): ElicitationForm {
  if (isSince(dialect, "2025-11-25")) return form;
  const properties = Object.entries(form.properties).map(([name, field]) => [name, shapeField(field)]);
  return { ...form, properties: Object.fromEntries(properties) };
}

function shapeField(field: ElicitationForm["properties"][string]): typeof field {
  if (!("oneOf" in field)) return field;
  const { oneOf, ...rest } = field;
  return { ...rest, enum: oneOf.map((choice) => choice.const), enumNames: oneOf.map(({ title }) => title) };
}

/** How long a client may keep an answer, where 2026-07-28 asks for it. */
const keepMs: { readonly [method: string]: number } = {
  "server/discover": 3_600_000,
  "tools/list": 3_600_000,
  "prompts/list": 3_600_000,
  "resources/templates/list": 3_600_000,
  "resources/list": 0,
  "resources/read": 0,
};

/** Adds the members that every result of 2026-07-28 has. */
export function stampResult(
  method: string,
  result: JsonObject,
  dialect: Dialect,
  info: Implementation,
): JsonObject {
  if (dialect !== statelessVersion) return result;
  const ttlMs = keepMs[method];
  const { name, title, version } = info;
  // Every answer has it, so that only the first, which clients keep, tells more than who answers.
  const short = { name, ...(title === undefined ? {} : { title }), version };
  const serverInfo = method === "server/discover" ? info : short;
  return {
    resultType: "complete",
    ...result,
    ...(ttlMs === undefined ? {} : { ttlMs, cacheScope: "private" }),
    _meta: { [metaKeys.serverInfo]: serverInfo },
  };
}
