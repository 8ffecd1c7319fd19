/** Which names pictures of tests may have, and what their files say. */
import { expect, test } from "bun:test";
import { join } from "node:path";
import {
  pictureFileIn,
  pictureFileName,
  pictureFolder,
  pictureNameFault,
} from "../../../../src/testing/pictures/picture-names.ts";

test.each(["menu", "Shop 2", "a.b", "größe", "a-1280x720@1-client2", "日本"])("%j is a name", (name) => {
  expect(pictureNameFault(name)).toBeUndefined();
  for (const facts of [
    { name, viewport: "1280x720@1" },
    { name, viewport: "844x390@2.5", client: 3 },
  ])
    expect(pictureFileIn(pictureFileName(facts))).toEqual(facts);
});

test.each([
  "",
  "..",
  "../a",
  "a/b",
  "a\\b",
  "C:a",
  "CON",
  "aux.x",
  ".a",
  " a",
  "a.",
  "a\n",
  "e\u0301",
  "x".repeat(161),
])("%j is no name", (name) => {
  expect(pictureNameFault(name)).toBeString();
});

test("a picture of a difference, and any other file, is no expected picture", () => {
  for (const file of ["menu-1280x720@1.png.diff.png", "menu.png", "menu-1280x720.png", "notes.txt"])
    expect(pictureFileIn(file)).toBeUndefined();
});

test("pictures are beside the test, or beside the source that it was compiled from", () => {
  const file = { absolutePath: join("/p", "out", "menu.spec.luau") };
  expect(pictureFolder("/p", file, undefined)).toBe(join("/p", "out", "__pictures__", "menu.spec"));
  expect(pictureFolder("/p", file, "src/menu.spec.ts")).toBe(join("/p", "src", "__pictures__", "menu.spec"));
});
