/** docs/protocol.md says something about every message and field; a schema that does not is refused. */
import { expect, test } from "bun:test";
import * as z from "zod";
import { fieldLines } from "../../scripts/gen/protocol-page.ts";

const linesOf = (schema: z.ZodType) => fieldLines("message", z.toJSONSchema(schema, { io: "input" }));

test("each field has a line with its type, its default and its sentence, and inner fields stand below it", () => {
  const lines = linesOf(
    z.object({
      count: z.int().default(5).describe("How many."),
      lines: z.array(z.object({ body: z.string().describe("The text.") })).describe("The lines."),
    }),
  );
  expect(lines).toBe(
    [
      "- `count`?: integer, default `5`. How many.",
      "- `lines`: array of object. The lines.",
      "  - `body`: string. The text.",
      "",
    ].join("\n"),
  );
});

test("a field without a description is refused, at any depth", () => {
  expect(() => linesOf(z.object({ count: z.int() }))).toThrow("message.count has no description");
  const inner = z.object({ lines: z.array(z.object({ body: z.string() })).describe("The lines.") });
  expect(() => linesOf(inner)).toThrow("message.lines.body has no description");
});
