/** What a list of tools leaves out, and in which order, to fit a budget. */
import { expect, test } from "bun:test";
import type { Tool } from "../../../../src/mcp/server/features.ts";
import { withinBudget } from "../../../../src/mcp/studio/tool-budget.ts";

function tool(name: string, outputKeys: number): Tool {
  const properties = Object.fromEntries(
    Array.from({ length: outputKeys }, (_, index) => [`key${index}`, { type: "string" }]),
  );
  return {
    name,
    title: "A title",
    description: "Does something.",
    inputSchema: { type: "object", properties: {} },
    outputSchema: { type: "object", properties },
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
    callAsync: async () => ({ content: [] }),
  };
}

const tools = [tool("small", 2), tool("large", 20)];
/** The members that each tool keeps within so many bytes. */
const keptIn = (bytes: number) => withinBudget(tools, bytes).map(({ callAsync: _, ...listed }) => listed);

test("with room for everything, nothing is left out", () => {
  expect(withinBudget(tools, 10_000)).toEqual(tools);
});

test("the longest schema of a result goes first, then the others", () => {
  const [small, large] = keptIn(1_200);
  expect(large).not.toHaveProperty("outputSchema");
  expect(small).toHaveProperty("outputSchema");
});

test("then hints go that say what the protocol assumes, then titles", () => {
  const [small, large] = keptIn(600);
  for (const each of [small, large]) {
    expect(each).not.toHaveProperty("outputSchema");
    expect(each).toMatchObject({ title: "A title", annotations: { destructiveHint: false } });
    expect(Object.keys(each?.annotations ?? {})).toEqual(["destructiveHint"]);
  }
  const reader = {
    ...tool("reader", 2),
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  };
  expect(withinBudget([reader], 100)[0]?.annotations).toEqual({ readOnlyHint: true, openWorldHint: false });
  for (const each of keptIn(100)) {
    expect(each).not.toHaveProperty("title");
    expect(each).toMatchObject({ description: "Does something.", annotations: { destructiveHint: false } });
  }
});
