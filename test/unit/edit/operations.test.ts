import { expect, test } from "bun:test";
import { wireOperations } from "../../../src/edit/operations.ts";

test("a tag that is to be added and removed is a fault of its operation", () => {
  const tagged = wireOperations([
    { op: "tag", path: "Workspace.Door", add: ["Old", "New"], remove: ["New"] },
    { op: "tag", path: "Workspace.Door", add: ["New"], remove: ["Old"] },
  ]);
  expect(tagged.faults).toEqual([
    { item: 0, code: "INVALID_INPUT", message: 'The tag "New" is in add and in remove.' },
  ]);
  expect(tagged.wire.map(({ item }) => item)).toEqual([1]);
});
