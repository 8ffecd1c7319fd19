/** Makes a tool result of a command's output or failure: structured content, and the same JSON as text. */
import type { Media } from "../../command/emission.ts";
import type { ToolResult } from "../server/features.ts";
import type { JsonObject } from "../wire/json.ts";
import type { Content } from "../wire/mcp-types.ts";
import { fitPicture } from "./fit-picture.ts";
import { cutText, fit } from "./fit.ts";
import type { Cut } from "./fit.ts";
import type { KeptResults } from "./kept-results.ts";

/** About as much as agents accept from one tool call. */
const BUDGET_BYTES = 64 * 1024;

export function successResult(output: JsonObject, kept: KeptResults): ToolResult {
  const whole = JSON.stringify(output);
  if (Buffer.byteLength(whole) <= BUDGET_BYTES)
    return { content: [{ type: "text", text: whole }], structuredContent: output };
  const { value, cuts } = fit(output, BUDGET_BYTES);
  return {
    content: [{ type: "text", text: JSON.stringify(value) }, ...cutNotes(cuts, whole, kept)],
    structuredContent: value,
  };
}

/** Pictures come first, as image blocks; their bytes are not repeated in the text. */
export function pictureResult(output: JsonObject, media: readonly Media[], kept: KeptResults): ToolResult {
  const pictures = new Set<unknown>(media.map(({ base64 }) => base64));
  const facts = Object.fromEntries(Object.entries(output).filter(([, value]) => !pictures.has(value)));
  const { content, structuredContent = {} } = successResult(facts, kept);
  const images = media
    .map((each) => fitPicture(each))
    .map(({ base64, mimeType }) => ({ type: "image", data: base64, mimeType }) as const);
  return { content: [...images, ...content], structuredContent };
}

/** The facts of the failure as JSON text. */
export function failureResult(facts: JsonObject, kept: KeptResults): ToolResult {
  const { value, cuts } = fit(facts, BUDGET_BYTES);
  const notes = cuts.length === 0 ? [] : cutNotes(cuts, JSON.stringify(facts), kept);
  return { content: [{ type: "text", text: JSON.stringify(value) }, ...notes], isError: true };
}

/** A result of plain text, cut where it is more than agents take. */
export function boundedResult(result: ToolResult, kept: KeptResults): ToolResult {
  const whole = result.content.map((block) => (block.type === "text" ? block.text : "")).join("\n");
  if (Buffer.byteLength(whole) <= BUDGET_BYTES) return result;
  const { value, cuts } = fit({ output: whole }, BUDGET_BYTES);
  const text = String(value["output"]);
  return { ...result, content: [{ type: "text", text }, ...cutNotes(cuts, whole, kept)] };
}

function cutNotes(cuts: readonly Cut[], whole: string, kept: KeptResults): Content[] {
  const link = wholeLink(whole, kept);
  const text = `Cut to ${BUDGET_BYTES} bytes. Kept: ${cuts.map(cutText).join("; ")}. Everything (${link.size} bytes) is a resource ${link.where}.`;
  return [{ type: "text", text }, link.block];
}

/** Keeps a text, and says where it can be read. */
export function wholeLink(whole: string, kept: KeptResults) {
  const { uri, parts } = kept.keep(whole);
  const size = Buffer.byteLength(whole);
  const where = parts === 1 ? "in 1 part" : `in ${parts} parts, numbered from 1`;
  const block: Content = {
    type: "resource_link",
    uri,
    name: "the whole answer",
    description: `The whole answer, ${where}`,
    mimeType: "text/plain",
    size,
  };
  return { block, size, where };
}
