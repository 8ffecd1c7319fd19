/** Shortens a long answer for `sb tool`: the start of each text, and a link to all of it. */
import type { ToolResult } from "../server/features.ts";
import type { KeptResults } from "../studio/kept-results.ts";
import { wholeLink } from "../studio/results.ts";
import type { Content } from "../wire/mcp-types.ts";
import { truncatedText } from "../../programs/truncated-text.ts";

/** The limit of each text. */
export const SHOWN_LIMIT_BYTES = 1024 * 1024;

export function truncatedResult(result: ToolResult, kept: KeptResults): ToolResult {
  return { ...result, content: result.content.flatMap((block) => truncated(block, kept)) };
}

function truncated(block: Content, kept: KeptResults): Content[] {
  if (block.type !== "text") return [block];
  const bytes = Buffer.from(block.text);
  if (bytes.byteLength <= SHOWN_LIMIT_BYTES) return [block];
  const text = truncatedText(bytes.subarray(0, SHOWN_LIMIT_BYTES), bytes.byteLength);
  return [{ type: "text", text }, wholeLink(block.text, kept).block];
}
