/** Which side of a difference is newer, by the revision that a place names: one test for each row of the table in docs/sync.md. */
import { describe, expect, test } from "bun:test";
import type { RojoNode } from "../../../../src/roblox/rojo/node.ts";
import { agreementOf } from "../../../../src/sync/plan/agreed.ts";
import { itemsOf } from "../../../../src/sync/revisions/held-items.ts";
import { changesBetween, RevisionLine } from "../../../../src/sync/revisions/line.ts";
import { Lineage, type PlaceNames } from "../../../../src/sync/revisions/lineage.ts";
import { numberItems } from "../../../../src/sync/revisions/number-items.ts";
import { NOTHING_DONE, type Step } from "../../../../src/sync/revisions/revision.ts";
import { bool, linesOf, module, node, number, place, plan } from "./trees.ts";

/** A revision that pushed everything in which it differs from the one before, unless `pulled`. */
interface Past {
  readonly tree: RojoNode;
  readonly isPulled?: boolean;
}

/** The revisions r0, r1, … */
function lineOf(...past: readonly Past[]): RevisionLine {
  let line: RevisionLine | undefined;
  for (const [index, { tree, isPulled = false }] of past.entries()) {
    const highest =
      line === undefined
        ? 0
        : Math.max(...line.steps.flatMap(({ was }) => [...was.keys()]), ...line.items.keys());
    numberItems(tree, line, highest + 1);
    const was = line === undefined ? new Map() : changesBetween(line.items, itemsOf(tree));
    const all = new Map(
      [...was.keys()].map((item) => [item, ["source", "property Enabled", "existence"]] as const),
    );
    const done = { ...NOTHING_DONE, [isPulled ? "pulled" : "pushed"]: all };
    const step: Step = { revision: `r${index}`, after: `r${index - 1}`, atMs: 0, was, ...done };
    line = new RevisionLine(`r${index}`, tree, line === undefined ? [] : [...line.steps, step]);
  }
  if (line === undefined) throw new Error("a line has a revision");
  return line;
}

const script = (source: string): RojoNode => module("M", source);
const at = (source: string): Past => ({ tree: place(script(source)) });
const pulledAt = (source: string): Past => ({ tree: place(script(source)), isPulled: true });

interface Sides {
  readonly line: RevisionLine;
  readonly names: PlaceNames;
  readonly files: RojoNode;
  readonly studio: RojoNode;
  readonly isConfirmed?: boolean;
}

function planned({ line, names, files, studio, isConfirmed = true }: Sides) {
  const lineage = Lineage.of(line, names, isConfirmed);
  return plan({ files, studio, lineage, base: lineage.base, isUnknownPlace: lineage.base === undefined });
}

/** The verdict and the reason of the one item. */
function verdict(sides: Sides): string {
  const { items } = planned(sides);
  return items.map((item) => `${item.verdict} ${item.reason}`).join();
}

const texts = (line: RevisionLine, named: string | undefined, files: string, studio: string): string =>
  verdict({ line, names: { named }, files: place(script(files)), studio: place(script(studio)) });

describe("a place that names a revision", () => {
  const line = lineOf(at("v0"), at("v1"), at("v2"));
  test.each([
    ["holds its value", "r0", "new", "v0", "push file_changed"],
    ["was changed, and the files were not", "r2", "v2", "new", "pull studio_changed"],
    ["was changed, as the files were", "r2", "one", "other", "unresolved both_changed"],
    ["holds a source of a later one", "r0", "new", "v1", "push studio_older"],
    ["holds a source of a later one, and the files were set back", "r0", "v0", "v1", "push studio_older"],
    ["holds a source of an earlier one, which is an edit", "r2", "v2", "v0", "pull studio_changed"],
  ])("that %s", (_, named, files, studio, expected) => {
    expect(texts(line, named, files, studio)).toBe(expected);
  });

  test("is answered by the newest value where the files have not changed since", () => {
    expect(texts(line, "r0", "v2", "v0")).toBe("push file_changed");
  });
});

describe("a value other than a source that a later revision had", () => {
  const enabled = (value: boolean) =>
    place(node("M", "Script", { source: "", properties: { Enabled: bool(value) } }));
  const line = lineOf({ tree: enabled(true) }, { tree: enabled(false) });
  const judge = (files: boolean, studio: boolean) =>
    verdict({ line, names: { named: "r0" }, files: enabled(files), studio: enabled(studio) });
  test("is open where the files have not changed", () => {
    expect(judge(true, false)).toBe("unresolved studio_older");
    expect(judge(false, true)).toBe("push file_changed");
  });
  test("proves nothing where the files have changed, except where a sync was killed before the place had its name", () => {
    const speed = (value: number) => place(node("M", "Folder", { attributes: { speed: number(value) } }));
    const sides = { files: speed(2), studio: speed(1), names: { named: "r0" } };
    const speeds = () => lineOf({ tree: speed(0) }, { tree: speed(1) });
    expect(verdict({ line: speeds(), ...sides })).toBe("unresolved both_changed");
    expect(verdict({ line: speeds(), ...sides, isConfirmed: false })).toBe("push studio_older");
  });
});

describe("an Instance", () => {
  const keep = () => module("Keep", "");
  const line = lineOf(
    { tree: place(keep()) },
    { tree: place(keep(), script("v1")) },
    { tree: place(keep(), script("v2")) },
  );
  const judge = (named: string, files: readonly RojoNode[], studio: readonly RojoNode[]) =>
    verdict({ line, names: { named }, files: place(keep(), ...files), studio: place(keep(), ...studio) });

  test("that a later revision had is not added to the files again", () => {
    expect(judge("r0", [], [script("v1")])).toBe("unresolved studio_older");
    expect(judge("r0", [], [script("new")])).toBe("pull studio_changed");
  });
  test("that the files removed goes from an older place, also where a later revision had changed it", () => {
    expect(judge("r1", [], [script("v1")])).toBe("push file_changed");
    expect(judge("r1", [], [script("v2")])).toBe("push studio_older");
    expect(judge("r1", [], [script("new")])).toBe("unresolved delete_vs_edit");
  });
  test("that is missing as it was at a later revision is open", () => {
    const gone = lineOf(
      { tree: place(keep(), script("v1")) },
      { tree: place(keep()) },
      { tree: place(keep()) },
    );
    const [files, studio] = [place(keep(), script("v1")), place(keep())];
    expect(verdict({ line: gone, names: { named: "r0" }, files, studio })).toBe("unresolved studio_older");
    expect(
      verdict({ line: lineOf({ tree: place(keep(), script("v1")) }), names: { named: "r0" }, files, studio }),
    ).toBe("pull studio_changed");
  });
});

describe("a revision of which nothing says that its pushes were made", () => {
  const line = lineOf(at("v0"), at("v1"));
  test.each([
    ["v2", "v0", "push file_changed"],
    ["v2", "v1", "push studio_older"],
    ["v1", "v0", "push file_changed"],
    ["v1", "new", "unresolved both_changed"],
  ])("files %s and Studio %s: %s", (files, studio, expected) => {
    const sides = { files: place(script(files)), studio: place(script(studio)) };
    expect(verdict({ line, names: { named: "r1" }, ...sides, isConfirmed: false })).toBe(expected);
  });
});

describe("Ctrl+Z in Studio", () => {
  const names = { named: "r0", last: "r1" };
  const sides = { files: place(script("v1")), studio: place(script("v0")) };
  test("leaves open what pushes had changed", () => {
    expect(verdict({ line: lineOf(at("v0"), at("v1")), names, ...sides })).toBe("unresolved push_undone");
  });
  test("of the first push of a place, which then names no revision, too", () => {
    const undone = { last: "r1" };
    expect(verdict({ line: lineOf(at("v0"), at("v1")), names: undone, ...sides })).toBe(
      "unresolved push_undone",
    );
  });
  test("is an edit where a pull had brought the value", () => {
    expect(verdict({ line: lineOf(at("v0"), pulledAt("v1")), names, ...sides })).toBe("pull studio_changed");
  });
  test("is told by the place, where the plugin has forgotten it", () => {
    const told = { named: "r0", last: "r0", lasting: "r1" };
    expect(verdict({ line: lineOf(at("v0"), at("v1")), names: told, ...sides })).toBe(
      "unresolved push_undone",
    );
  });
  test("is no matter where neither knows of it", () => {
    expect(verdict({ line: lineOf(at("v0"), at("v1")), names: { named: "r0" }, ...sides })).toBe(
      "push file_changed",
    );
  });
});

describe("what was left open", () => {
  const open = () => {
    const tree = place(script("v0"));
    const marked = tree.children[0]?.children[0]?.children[0];
    if (marked !== undefined) marked.leftOpen = new Map([["source", "pull_undone"]]);
    return tree;
  };
  test("stays open in later revisions until it is answered, whatever else changes", () => {
    const line = lineOf({ tree: open() });
    const sides = { files: place(script("v0")), studio: place(script("v1")) };
    const first = planned({ line, names: { named: "r0" }, ...sides });
    expect(linesOf(first)).toEqual(["unresolved pull_undone edit M (source)"]);
    const { root } = agreementOf(first, new Set());
    const later = lineOf({ tree: open() }, { tree: root });
    expect(verdict({ line: later, names: { named: "r1" }, ...sides })).toBe("unresolved pull_undone");
    const answered = agreementOf(
      first,
      new Set(first.items.map((item) => Object.assign(item, { verdict: "pull" }))),
    );
    const after = lineOf({ tree: open() }, { tree: answered.root });
    expect(verdict({ ...sides, line: after, names: { named: "r1" }, files: place(script("v1")) })).toBe("");
  });
  test("is settled once both sides are equal", () => {
    const same = planned({
      line: lineOf({ tree: open() }),
      names: { named: "r0" },
      files: place(script("v1")),
      studio: place(script("v1")),
    });
    expect(same.items).toEqual([]);
    const { root } = agreementOf(same, new Set());
    expect(texts(lineOf({ tree: open() }, { tree: root }), "r1", "v2", "v1")).toBe("push file_changed");
  });
});

describe("a place that names no revision", () => {
  const line = lineOf(at("v0"), at("v1"));
  test("is older where it holds a source that a revision had", () => {
    expect(texts(line, undefined, "new", "v0")).toBe("push studio_older");
    expect(texts(line, "unknown", "new", "v1")).toBe("push studio_older");
    expect(texts(line, undefined, "new", "other")).toBe("unresolved no_base");
  });
  test("keeps a script that the files had earlier, without adding it to them", () => {
    const sides = { files: place(module("Own", "")), studio: place(module("Own", ""), script("v0")) };
    expect(verdict({ line, names: {}, ...sides })).toBe("unresolved studio_older");
  });
  test("is foreign where it has no script of the project", () => {
    const files = place(module("Own", ""));
    expect(verdict({ line, names: {}, files, studio: place(module("Theirs", "")) })).toBe(
      "push file_changed,unresolved foreign_place",
    );
    const studio = place(module("Own", ""), module("Theirs", ""));
    expect(verdict({ line, names: {}, files, studio })).toBe("pull studio_changed");
  });
});

describe("a place file that is only read", () => {
  const line = lineOf(at("v0"), at("v1"));
  const judge = (files: string, studio: string) => {
    const lineage = Lineage.ofFile(line, "r1");
    const sides = { files: place(script(files)), studio: place(script(studio)) };
    return plan({ ...sides, lineage, base: lineage.base })
      .items.map((item) => `${item.verdict} ${item.reason}`)
      .join();
  };
  test("is older where it holds a source of an earlier revision", () => {
    expect(judge("v1", "v0")).toBe("push studio_older");
    expect(judge("v1", "new")).toBe("pull studio_changed");
  });
});

describe("many files that would be replaced", () => {
  const scripts = (text: string) =>
    place(...Array.from({ length: 11 }, (_, index) => module(`M${index}`, text)));
  const all = (mayOverwrite: boolean, allowedOverwrites?: number) => {
    const lineage = Lineage.of(lineOf({ tree: scripts("v0") }), { named: "r0" }, true);
    const sides = { files: scripts("v0"), studio: scripts("new"), lineage, base: lineage.base };
    return plan({ ...sides, mayOverwrite, allowedOverwrites });
  };
  test("wait until a person agrees to their number", () => {
    const held = all(false);
    expect(held.manyOverwrites).toEqual({
      count: 11,
      detail: "the plan replaces 11 files by what Studio has",
    });
    expect(
      held.items.every(
        ({ verdict: word, proposed, reason }) =>
          word === "unresolved" && proposed === "pull" && reason === "many_overwrites",
      ),
    ).toBe(true);
    for (const free of [all(true), all(false, 11)]) expect(free.manyOverwrites).toBeUndefined();
    expect(all(false, 10).manyOverwrites?.detail).toContain("10 are allowed");
  });
});
