import { expect, test } from "bun:test";
import { undoneNote } from "../../../src/edit/undo-steps.ts";

test("an agent reads what was not undone or redone in the word of its wish", () => {
  const none = { undone: [] };
  expect(undoneNote(none, { redo: false })).toBe("There is nothing of yours to undo.");
  expect(undoneNote(none, { redo: true })).toBe("There is nothing of yours to redo.");
  const stopped = { undone: [], stoppedAt: { name: "Move", by: "a person" } };
  expect(undoneNote(stopped, { redo: true })).toContain("force: true redoes it too");
});
