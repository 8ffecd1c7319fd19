import { expect, test } from "bun:test";
import { KeptResults } from "../../../../src/mcp/studio/kept-results.ts";
import { boundedResult } from "../../../../src/mcp/studio/results.ts";

const shown = (text: string) => {
  const kept = new KeptResults();
  const { content } = boundedResult({ content: [{ type: "text", text }] }, { maxBytes: 4_096, kept });
  const [first, note] = content.map((block) => (block.type === "text" ? block.text : ""));
  return { text: first ?? "", note: note ?? "", whole: kept.text("r1") };
};

test("a block of JSON in a text that is too long stays JSON, with fewer items", () => {
  const changes = Array.from({ length: 500 }, (_, id) => ({ id, path: `Workspace/Part ${id}` }));
  const lines = changes.map(({ path }) => `- ${path}`).join("\n");
  const answer = `Done.\n${lines}\n<json>\n${JSON.stringify({ status: "success", changes })}\n</json>`;
  const { text, note, whole } = shown(answer);
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(4_096);
  const block: { status: string; changes: unknown[] } = JSON.parse(text.split(/<\/?json>/)[1] ?? "");
  expect(block.status).toBe("success");
  expect(block.changes.length).toBeGreaterThan(20);
  expect(text).toStartWith("Done.\n- Workspace/Part 0");
  expect(note).toContain("changes");
  expect(whole).toBe(answer);
});

test("a text that only looks like JSON is cut as a text", () => {
  const { text } = shown(`${"x".repeat(9_000)}\n<json>\nnot JSON\n</json>`);
  expect(text).toMatch(/^x+…\[\d+ characters cut\]…x*\n<json>\nnot JSON\n<\/json>$/);
});
