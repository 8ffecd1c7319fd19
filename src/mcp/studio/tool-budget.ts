/** Makes the list of tools fit a number of bytes. It first leaves out the parts that agents need least. */
import type { Tool } from "../server/features.ts";
import { jsonBytes } from "./fit.ts";

/** Room for the message around the list. */
const MESSAGE_BYTES = 256;

/** What a client assumes of a tool that says nothing, by the protocol. */
const assumedHints: ReadonlyMap<string, boolean> = new Map([
  ["readOnlyHint", false],
  ["destructiveHint", true],
  ["idempotentHint", false],
  ["openWorldHint", true],
]);

/**
 * Schemas of results go first, the longest before the others, because results explain themselves and docs/mcp.md
 * describes them; then hints that say what a client assumes or does not read; then titles.
 */
export function withinBudget(tools: readonly Tool[], budgetBytes: number): readonly Tool[] {
  const fits = (list: readonly Tool[]) => jsonBytes(list) + MESSAGE_BYTES <= budgetBytes;
  let list = tools;
  while (!fits(list)) {
    const shorter = withoutLongestSchema(list);
    if (shorter === undefined) break;
    list = shorter;
  }
  for (const shorten of [withoutAssumedHints, withoutTitle]) if (!fits(list)) list = list.map(shorten);
  return list;
}

/** Undefined where no tool has a schema of its results. */
function withoutLongestSchema(tools: readonly Tool[]): readonly Tool[] | undefined {
  const [longest] = tools
    .filter(({ outputSchema }) => outputSchema !== undefined)
    .toSorted((a, b) => jsonBytes(b.outputSchema) - jsonBytes(a.outputSchema));
  if (longest === undefined) return undefined;
  const { outputSchema: _, ...shorter } = longest;
  return tools.map((tool) => (tool === longest ? shorter : tool));
}

/** Of a tool that only looks, the protocol does not read whether it destroys anything or may be repeated. */
function withoutAssumedHints({ annotations = {}, ...tool }: Tool): Tool {
  const { destructiveHint: _, idempotentHint: __, ...ofReader } = annotations;
  const meant = annotations.readOnlyHint === true ? ofReader : annotations;
  const told = Object.entries(meant).filter(([hint, value]) => assumedHints.get(hint) !== value);
  return told.length === 0 ? tool : { ...tool, annotations: Object.fromEntries(told) };
}

function withoutTitle({ title: _, ...tool }: Tool): Tool {
  return tool;
}
