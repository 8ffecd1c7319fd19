/** Overrides as words, as a file and as a list. */
import { afterAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { overrideOfWord, overridesOfList, readOverridesAsync } from "../../../src/sync/override-input.ts";

const folder = mkdtempSync(join(tmpdir(), "sb-overrides-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const HASH = "a".repeat(40);

describe("a word", () => {
  test.each([
    ["@17=push", { to: "@17", direction: "push" }],
    ["src/a=b.luau=pull", { to: "src/a=b.luau", direction: "pull" }],
    ["ReplicatedStorage.Config=merge", { to: "ReplicatedStorage.Config", direction: "merge" }],
  ] as const)("%s", (word, override) => {
    expect(overrideOfWord(word)).toEqual(override);
  });

  test.each(["@17", "=push", "@17=left", "@17=", "@17 push"])("refuses %p", (word) => {
    expect(() => overrideOfWord(word)).toThrow("expected ID=push");
  });
});

describe("a list", () => {
  test("takes ids, paths, hashes and expected properties", () => {
    const list = [
      { id: "@1", direction: "pull", studioHash: HASH },
      { path: "src/M.luau", direction: "skip", fileHash: HASH, expectedProperties: { Anchored: true } },
    ];
    expect(overridesOfList(list, "overrides")).toEqual([
      { to: "@1", direction: "pull", studioHash: HASH },
      { to: "src/M.luau", direction: "skip", fileHash: HASH, expectedProperties: { Anchored: true } },
    ]);
  });

  test.each([
    [{ id: "@1" }, "override 2: direction: is required: push, pull, skip or merge"],
    [{ id: "@1", direction: "left" }, "override 2: direction: expected push, pull, skip or merge"],
    [{ direction: "push" }, "override 2: expected either id or path"],
    [{ id: "@1", path: "a", direction: "push" }, "override 2: expected either id or path"],
    [{ id: "@1", direction: "push", studioHash: "12" }, "override 2: studioHash: expected a SHA-1"],
    [{ id: "@1", direction: "push", hash: HASH }, 'override 2: unknown argument "hash"'],
    ["@1=push", "override 2: "],
  ])("refuses %j as a whole, and names it", (entry, message) => {
    const good = { id: "@9", direction: "push" };
    expect(() => overridesOfList([good, entry], "overrides")).toThrow(message);
  });
});

describe("a file", () => {
  const fileOf = (text: string): string => {
    const path = join(folder, "overrides.json");
    writeFileSync(path, text);
    return path;
  };

  test("may have comments", async () => {
    const file = fileOf('[\n  // mine\n  { "id": "@1", "direction": "push" },\n]');
    expect(await readOverridesAsync(file)).toEqual([{ to: "@1", direction: "push" }]);
  });

  test.each([
    ["", "is not a list of overrides"],
    ["{}", "is not a list of overrides"],
    ["[{]", "is not JSON"],
  ])("of %p is refused", async (text, message) => {
    expect(readOverridesAsync(fileOf(text))).rejects.toThrow(message);
  });
});
