import { expect, test } from "bun:test";
import { undoneNote } from "../../../../src/commands/edit/undo-steps.ts";

test("an agent reads what was not undone or redone in the word of its wish", () => {
  const none = { undone: [] };
  expect(undoneNote(none, { redo: false })).toBe("There is nothing of yours to take back.");
  expect(undoneNote(none, { redo: true })).toBe("There is nothing of yours to make again.");
  const stopped = { undone: [], stoppedAt: { name: "Move", by: "a person" } };
  expect(undoneNote(stopped, { redo: true })).toContain("force: true makes it again too");
});
