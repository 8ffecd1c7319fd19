/**
 * docs/protocol.md: every message with its direction, its fields and an example. The sentences are those of the schemas;
 * a message, a field or a limit without one is an error.
 */
import { join } from "node:path";
import * as z from "zod";
import { actionNames, actions } from "../../src/protocol/actions.ts";
import { encode, messageSchemas } from "../../src/protocol/codec.ts";
import { events, handshake } from "../../src/protocol/events.ts";
import { messageExamples } from "../../src/protocol/examples.ts";
import { valueExamples } from "../../src/protocol/examples/values.ts";
import { intervals, limits, PORT_CANDIDATES, PROTOCOL_VERSION } from "../../src/protocol/limits.ts";
import { healthSchema, network } from "../../src/protocol/network.ts";
import { fieldsOfTag, VALUE_TYPES } from "../../src/protocol/values.ts";
import intro from "./protocol-intro.md" with { type: "text" };

type JsonSchema = z.core.JSONSchema.BaseSchema;

const limitsSource = await Bun.file(join(import.meta.dir, "../../src/protocol/limits.ts")).text();

const code = (text: string) => `\`${text}\``;
const json = (value: unknown) => `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\`\n`;

function jsonSchemaOf(schema: z.ZodType): JsonSchema {
  return z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
}

const isSchema = (value: unknown): value is JsonSchema => typeof value === "object" && value !== null;

function sentenceOf(name: string, { description }: JsonSchema): string {
  if (description === undefined) throw new Error(`docs/protocol.md: ${name} has no description`);
  return description;
}

/** One line for each field of an object, with the fields of inner objects below it. */
export function fieldLines(name: string, root: JsonSchema): string {
  return linesOf(name, root, { root, seen: new Set() }, "");
}

/** `seen` holds the definitions that were listed already, so that a tree of Instances ends. */
interface Listing {
  readonly root: JsonSchema;
  readonly seen: Set<string>;
}

function linesOf(name: string, schema: JsonSchema, listing: Listing, indent: string): string {
  const required = new Set(schema.required ?? []);
  return Object.entries(schema.properties ?? {})
    .map(([field, described]) => {
      const path = `${name}.${field}`;
      if (!isSchema(described)) throw new Error(`docs/protocol.md: ${path} has no schema`);
      const label = `${code(field)}${required.has(field) ? "" : "?"}: ${typeName(described)}`;
      const line = `${indent}- ${label}${filling(described)}. ${sentenceOf(path, described)}\n`;
      const inner = innerObject(described, listing);
      return inner === undefined ? line : line + linesOf(path, inner, listing, `${indent}  `);
    })
    .join("");
}

/** The object that a field or the items of an array hold. */
function innerObject(field: JsonSchema, { root, seen }: Listing): JsonSchema | undefined {
  const item = itemOf(field) ?? field;
  if (item.$ref === undefined) return item.type === "object" ? item : undefined;
  if (seen.has(item.$ref)) return undefined;
  seen.add(item.$ref);
  return Object.entries(root.$defs ?? {}).find(([id]) => `#/$defs/${id}` === item.$ref)?.[1];
}

function itemOf({ items }: JsonSchema): JsonSchema | undefined {
  return isSchema(items) && !Array.isArray(items) ? items : undefined;
}

function filling({ default: value }: JsonSchema): string {
  const isWorthSaying = value !== undefined && !(typeof value === "object");
  return isWorthSaying ? `, default ${code(JSON.stringify(value))}` : "";
}

function typeName(field: JsonSchema): string {
  if (field.$ref !== undefined) return "object";
  if (field.enum !== undefined) return field.enum.map((item) => code(String(item))).join(" \\| ");
  if (field.const !== undefined) return code(JSON.stringify(field.const));
  if (field.anyOf !== undefined) return field.anyOf.filter(isSchema).map(typeName).join(" \\| ");
  if (field.type === "array") return `array of ${typeName(itemOf(field) ?? {})}`;
  return typeof field.type === "string" ? field.type : "any";
}

function fieldsOf(name: string, schema: JsonSchema): string {
  const lines = fieldLines(name, schema);
  return lines === "" ? "No fields.\n" : lines;
}

function message(type: string, direction: string, note = ""): string {
  const schema = messageSchemas().get(type);
  if (schema === undefined) throw new Error(`docs/protocol.md: no schema of ${type}`);
  const described = jsonSchemaOf(schema());
  const samples = messageExamples
    .filter((example) => example.type === type)
    .map(({ sessionId = "", variant: _, ...rest }) => json(JSON.parse(encode({ sessionId, ...rest }))));
  const about = `${sentenceOf(type, described)}${note}\n\n`;
  return `### ${code(type)} (${direction})\n\n${about}${fieldsOf(type, described)}\n${samples.join("\n")}\n`;
}

function actionSections(): string {
  return actionNames
    .map((name) => {
      const { reply, timeoutMs, retrySafe } = actions[name];
      const note = ` Answered by ${code(reply)} within ${timeoutMs} ms; ${retrySafe ? "safe" : "not safe"} to send again.`;
      return message(name, "host to plugin", note) + message(reply, "plugin to host");
    })
    .join("");
}

function tableSections(table: { readonly [type: string]: { readonly from: string } }): string {
  return Object.entries(table)
    .map(([type, { from }]) => message(type, `from ${from}`))
    .join("");
}

function valueSections(): string {
  return VALUE_TYPES.map((type) => {
    const described = jsonSchemaOf(z.object(fieldsOfTag(z, type)));
    return `- ${code(JSON.stringify(valueExamples[type]))}\n${fieldLines(type, described).replaceAll(/^/gm, "  ").trimEnd()}\n`;
  }).join("");
}

/** The comment above each number in limits.ts says what it limits. */
function limitRows(numbers: { readonly [name: string]: number }): string {
  return Object.entries(numbers)
    .map(([name, value]) => {
      const meaning = new RegExp(`/\\*\\* ([^\\n]*) \\*/\\n\\s*${name}:`).exec(limitsSource)?.[1];
      if (meaning === undefined) throw new Error(`docs/protocol.md: the number ${name} has no comment`);
      return `| ${code(name)} | ${value} | ${meaning} |\n`;
    })
    .join("");
}

export function protocolPage(): string {
  return [
    "<!-- Generated by `npm run gen` from src/protocol and scripts/gen/protocol-intro.md. -->\n\n",
    intro,
    "\n## Health\n\n",
    `${sentenceOf("health", jsonSchemaOf(healthSchema()))}\n\n`,
    fieldsOf("health", jsonSchemaOf(healthSchema())),
    "\n## Handshake\n\n",
    tableSections(handshake),
    "## Actions\n\n",
    actionSections(),
    "## Other messages between plugin and host\n\n",
    tableSections(events),
    "## Messages between client and host\n\n",
    tableSections(network),
    "## Values\n\n",
    "A Luau value is plain JSON where that is lossless, else an object with a `type`. A number in such an object is a\n",
    'JSON number, or one of the texts `"inf"`, `"-inf"` and `"nan"`.\n\n',
    valueSections(),
    "\n## Limits\n\n",
    `Protocol version ${PROTOCOL_VERSION}. The ports are ${PORT_CANDIDATES.join(", ")}, in this order.\n\n`,
    "| name | value | meaning |\n| --- | --- | --- |\n",
    limitRows(limits),
    "\n## Intervals\n\n",
    "| name | ms | meaning |\n| --- | --- | --- |\n",
    limitRows(intervals),
  ].join("");
}
