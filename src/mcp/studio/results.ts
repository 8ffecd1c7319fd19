/** Makes a tool result of a command's output or failure, within the bytes that an answer may have: structured content, and the same JSON as text. */
import type { WholeText } from "../../command-kit/context.ts";
import type { Media } from "../../output/emission.ts";
import type { ToolResult } from "../server/features.ts";
import { isObject } from "../wire/json.ts";
import type { JsonObject } from "../wire/json.ts";
import type { Content } from "../wire/mcp-types.ts";
import { fitPicture } from "./fit-picture.ts";
import { cutText, fit } from "./fit.ts";
import type { Cut } from "./fit.ts";
import type { KeptResults } from "./kept-results.ts";

/** How large the JSON of an answer may be, and where the whole is kept. */
export interface AnswerRoom {
  readonly maxBytes: number;
  readonly kept: KeptResults;
}

export const DEFAULT_BYTES = 16 * 1024;
/** About as much as agents accept from one tool call. */
export const MAX_BYTES = 64 * 1024;
/** More would make the note as long as an answer. */
const CUTS_TOLD = 8;
/** For `more`. */
const MORE_BYTES = 32;

export function successResult(output: JsonObject, room: AnswerRoom): ToolResult {
  const { content, value } = fitted(output, room);
  return { content, structuredContent: value };
}

/** Facts that were cut have `more`, the id of the whole. */
function fitted(facts: JsonObject, { maxBytes, kept }: AnswerRoom) {
  const whole = JSON.stringify(facts);
  if (Buffer.byteLength(whole) <= maxBytes)
    return { value: facts, content: [{ type: "text", text: whole } as const] };
  const { value, cuts } = fit(facts, maxBytes - MORE_BYTES);
  const link = wholeLink(whole, kept);
  const shown = { ...value, more: link.id };
  const note = cutNote(cuts, maxBytes, link);
  return {
    value: shown,
    content: [{ type: "text", text: JSON.stringify(shown) } as const, note, link.block],
  };
}

/** Pictures come first, as image blocks; their bytes are not repeated in the text. */
export function pictureResult(output: JsonObject, media: readonly Media[], room: AnswerRoom): ToolResult {
  const pictures = new Set<unknown>(media.map(({ base64 }) => base64));
  const facts = Object.fromEntries(Object.entries(output).filter(([, value]) => !pictures.has(value)));
  const { content, structuredContent = {} } = successResult(facts, room);
  const images = media
    .map((each) => fitPicture(each))
    .map(({ base64, mimeType }) => ({ type: "image", data: base64, mimeType }) as const);
  return { content: [...images, ...content], structuredContent };
}

/** The facts of the failure as JSON text. */
export function failureResult(facts: JsonObject, room: AnswerRoom): ToolResult {
  return { content: fitted(facts, room).content, isError: true };
}

/** A result of plain text, cut where it is more than agents take. */
export function boundedResult(result: ToolResult, { maxBytes, kept }: AnswerRoom): ToolResult {
  const whole = result.content.map((block) => (block.type === "text" ? block.text : "")).join("\n");
  if (Buffer.byteLength(whole) <= maxBytes) return result;
  const { text, cuts } = boundedText(whole, maxBytes);
  const link = wholeLink(whole, kept);
  return { ...result, content: [{ type: "text", text }, cutNote(cuts, maxBytes, link), link.block] };
}

/** A text that ends in a block of JSON, as some clients read it. */
const WITH_JSON = /^(.*\n<json>\n)(.*)(\n<\/json>\s*)$/s;

/** A block of JSON in the text stays JSON, and gets most of the room. */
function boundedText(
  whole: string,
  maxBytes: number,
): { readonly text: string; readonly cuts: readonly Cut[] } {
  const [, lead = "", json = "", end = ""] = WITH_JSON.exec(whole) ?? [];
  const facts = jsonObjectIn(json);
  if (facts === undefined) {
    const { value, cuts } = fit({ output: whole }, maxBytes);
    return { text: String(value["output"]), cuts };
  }
  const words = fit({ output: lead }, Math.floor(maxBytes / 4));
  const shown = String(words.value["output"]);
  const { value, cuts } = fit(facts, maxBytes - Buffer.byteLength(shown) - Buffer.byteLength(end));
  return { text: `${shown}${JSON.stringify(value)}${end}`, cuts: [...words.cuts, ...cuts] };
}

function jsonObjectIn(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const whereText = ({ id, size, where }: WholeLink): string =>
  `Everything (${size} bytes, id ${id}) is a resource ${where}.`;

function cutNote(cuts: readonly Cut[], maxBytes: number, link: WholeLink): Content {
  const told = cuts.slice(0, CUTS_TOLD).map(cutText);
  const others = cuts.length > CUTS_TOLD ? [`and ${cuts.length - CUTS_TOLD} more cuts`] : [];
  const text = `Cut to ${maxBytes} bytes. Kept: ${[...told, ...others].join("; ")}. ${whereText(link)}`;
  return { type: "text", text };
}

/** A result of which texts are shown in part, and where the whole of each is. */
export function withWholes(result: ToolResult, texts: readonly WholeText[], kept: KeptResults): ToolResult {
  const blocks = texts.flatMap(({ name, text }): Content[] => {
    const link = wholeLink(text, kept, name);
    const note = `Shown in part. A resource ${link.where} has ${name} (${link.size} bytes, id ${link.id}).`;
    return [{ type: "text", text: note }, link.block];
  });
  return { ...result, content: [...result.content, ...blocks] };
}

type WholeLink = ReturnType<typeof wholeLink>;

/** Keeps a text, and says where it can be read. `name` says what the text contains. */
export function wholeLink(whole: string, kept: KeptResults, name = "the whole answer") {
  const { id, uri, parts } = kept.keep(whole);
  const size = Buffer.byteLength(whole);
  const where = parts === 1 ? "in 1 part" : `in ${parts} parts, numbered from 1`;
  const block: Content = {
    type: "resource_link",
    uri,
    name,
    description: `${name[0]?.toUpperCase()}${name.slice(1)}, ${where}`,
    mimeType: "text/plain",
    size,
  };
  return { id, block, size, where };
}
