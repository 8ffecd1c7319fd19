/** What git says about the texts of a source, and what a plan makes of it. */
import { describe, expect, test } from "bun:test";
import type { ScriptFacts } from "../../../../src/sync/base/git-history.ts";
import { lines, FOLDER, module, place, plan } from "./trees.ts";

const UNKNOWN: ScriptFacts = { studio: { kind: "unknown" }, isHead: false, isIndex: false };

describe("git", () => {
  const fileNode = (source: string) => {
    const made = module("M", source);
    made.file = `${FOLDER}/src/M.luau`;
    return made;
  };
  const byGit = (facts: Partial<ScriptFacts> | { readonly failed: string }, base?: string) => {
    const file = fileNode("b");
    const git = new Map([[file, "failed" in facts ? facts : { ...UNKNOWN, ...facts }]]);
    const [files, studio] = [place(file), place(module("M", "c"))];
    return lines(files, studio, base === undefined ? undefined : place(module("M", base)), { git });
  };

  test("shows that a file as it was committed was not changed", () => {
    expect(byGit({ isHead: true })).toEqual(["pull edit M (source)"]);
    expect(byGit({ isIndex: true })).toEqual(["pull edit M (source)"]);
  });
  test("shows that a text in Studio that was committed before is older", () => {
    for (const isHead of [true, false])
      expect(byGit({ isHead, studio: { kind: "here" } })).toEqual(["push edit M (source)"]);
  });
  test("leaves open what it knows from elsewhere", () => {
    const atOtherPath = { kind: "atOtherPath", path: "src/Old.luau" } as const;
    expect(byGit({ isHead: true, studio: atOtherPath })).toEqual(["unresolved studio_older edit M (source)"]);
    expect(byGit({ isHead: true, studio: { kind: "elsewhere" } })).toEqual([
      "unresolved git_elsewhere edit M (source)",
    ]);
    const unknowable = { kind: "unknowable", reason: "the clone is shallow" } as const;
    expect(byGit({ isHead: true, studio: unknowable })).toEqual(["unresolved no_base edit M (source)"]);
  });
  test("says nothing where it failed, and where neither text was committed", () => {
    expect(byGit({})).toEqual(["unresolved no_base edit M (source)"]);
    expect(byGit({ failed: "git took more than 10 s" })).toEqual(["unresolved no_base edit M (source)"]);
  });
  test("decides a conflict only where the file is as committed and Studio's text was committed before", () => {
    expect(byGit({ isHead: true, studio: { kind: "here" } }, "a")).toEqual(["push edit M (source)"]);
    for (const facts of [{ isHead: true }, { studio: { kind: "here" } }] as const)
      expect(byGit(facts, "a")).toEqual(["unresolved both_changed edit M (source)"]);
  });
  test("gives the text from which a merge starts", () => {
    const file = fileNode("A\nb\nc");
    const git = new Map([[file, { ...UNKNOWN, headText: "a\nb\nc" }]]);
    const { items } = plan({ files: place(file), studio: place(module("M", "a\nb\nC")), git });
    expect(items[0]).toMatchObject({ reason: "no_base", merged: "A\nb\nC" });
  });
});
