/** What a person sees of a query. */
import { expect, test } from "bun:test";
import { treeText } from "../../../src/find/tree-text.ts";
import { createStyle } from "../../../src/util/style.ts";

const screen = (columns: number) => createStyle({ columns, color: false, isScreen: true, prettyJson: true });

const part = {
  name: "Part",
  className: "Part",
  path: "Workspace.Part",
  childCount: 2,
  properties: { Name: "Part", Anchored: true, Size: { type: "Vector3", value: [4, 1, 2] } },
  attributes: { Score: 5, Note: "a\nb" },
};

test("one Instance shows each value on a line of its own, and attributes behind an @", () => {
  expect(treeText(part, screen(80))).toBe(
    [
      "Workspace.Part (Part)  2 children",
      '  Name      "Part"',
      "  Anchored  true",
      "  Size      Vector3(4, 1, 2)",
      "  @Score    5",
      '  @Note     "a\\nb"',
    ].join("\n"),
  );
});

test("an Instance with what is below it is a tree, with values behind the names", () => {
  const folder = {
    name: "Folder",
    className: "Folder",
    path: "",
    childCount: 1,
    children: [{ ...part, attributes: {} }],
  };
  const root = {
    name: "Workspace",
    className: "Workspace",
    path: "Workspace",
    childCount: 3,
    children: [folder, part],
  };
  expect(treeText(root, screen(80))).toBe(
    [
      "Workspace (Workspace)  1 child",
      "├─ Folder (Folder)",
      "│  └─ Part (Part)  2 children  Anchored = true, Size = Vector3(4, 1, 2)",
      "└─ Part (Part)  2 children  Anchored = true, Size = Vector3(4, 1, 2), @Score =…",
    ].join("\n"),
  );
});

test("names of a place cannot move the cursor, and no line is wider than the screen", () => {
  const evil = { ...part, name: "a\x1b[2Jb\nc", properties: { Text: "x".repeat(200) } };
  const text = treeText({ children: [evil, evil] }, screen(60));
  expect(text).not.toContain("\x1b");
  expect(text.split("\n").map((line) => Bun.stringWidth(line) <= 60)).toEqual([true, true]);
});

test("a list without anything says so", () => {
  expect(treeText({ children: [] }, screen(60))).toBe("(none)");
});
