/** What is no edit is refused before anything is asked of Studio, by a sentence that names it. */
import { expect, test } from "bun:test";
import { checkSize, editOfFlags, readEdits } from "../../../src/scripts/edit-input.ts";
import type { GivenEdit } from "../../../src/scripts/edit-input.ts";

const path = "Workspace.A";

test("the three kinds of edits, with line feeds alone", () => {
  const given: GivenEdit[] = [
    { path, old: "a\r\nb", new: "c\r\n" },
    { path, startLine: 2, new: "x", hash: "h" },
    { path, source: "" },
  ];
  expect(readEdits(given)).toEqual([
    { path, edit: { kind: "text", old: "a\nb", new: "c\n", all: false }, hash: undefined },
    { path, edit: { kind: "lines", startLine: 2, endLine: 2, new: "x" }, hash: "h" },
    { path, edit: { kind: "whole", source: "" }, hash: undefined },
  ]);
});

test.each<[Omit<GivenEdit, "path">, string]>([
  [{}, "An edit has one of old, startLine and source."],
  [{ old: "a", source: "b", new: "c" }, "An edit has one of old, startLine and source."],
  [{ old: "a" }, "new is missing."],
  [{ old: "", new: "a" }, "old is empty."],
  [{ startLine: 3, endLine: 1, new: "a" }, "endLine 1 is before startLine 3."],
  [{ source: "a", new: "b" }, "new does not go with source."],
  [{ old: "a", new: "b", endLine: 2 }, "endLine does not go with old."],
  [{ startLine: 1, new: "b", all: true }, "all does not go with startLine."],
])("%j is refused", (edit, message) => {
  expect(() => readEdits([{ path, ...edit }])).toThrow(message);
  expect(() =>
    readEdits([
      { path, source: "" },
      { path, ...edit },
    ]),
  ).toThrow(`edits[1]: ${message}`);
});

test("more than one call may write is refused", () => {
  const scripts = Array.from({ length: 201 }, (_, index) => ({ path: `Workspace.S${index}`, source: "" }));
  expect(() => readEdits(scripts)).toThrow("at most 200 scripts");
  expect(() => readEdits(new Array<GivenEdit>(5_001).fill({ path, source: "" }))).toThrow("5000 edits");
  checkSize(["x".repeat(4 * 1024 * 1024)]);
  expect(() => checkSize(["x".repeat(4 * 1024 * 1024), "y"])).toThrow("at most 4 MB");
});

test("flags are an edit, where there are any", () => {
  expect(editOfFlags({ path })).toBeUndefined();
  expect(editOfFlags({ path, lines: "3:4", new: "" })).toEqual({ path, startLine: 3, endLine: 4, new: "" });
  expect(editOfFlags({ path, source: "", hash: "h" })).toEqual({ path, source: "", hash: "h" });
  expect(editOfFlags({ path, insert: 3, new: "a" })).toEqual({ path, startLine: 3, endLine: 2, new: "a" });
  expect(() => editOfFlags({ path, lines: "3:", new: "" })).toThrow("Not a range of lines to replace: 3:");
});

test.each<[Parameters<typeof editOfFlags>[0], string]>([
  [{ path, new: "a" }, "--new does not say where the new text goes."],
  [{ path, old: "a" }, "--new is missing."],
  [{ path, lines: "1:2" }, "--new is missing."],
  [{ path, insert: 1 }, "--new is missing."],
  [{ path, all: true }, "--all goes with --old."],
])("flags that are no whole edit are refused in the words of flags: %j", (flags, message) => {
  expect(() => editOfFlags(flags)).toThrow(message);
});
