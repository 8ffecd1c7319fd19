// What a plan says about each way in which files, Studio and the base can differ.
import { describe, expect, test } from "bun:test";
import type { RojoNode } from "../../../../src/roblox/rojo/node.ts";
import { resolve } from "../../../../src/sync/plan/resolve.ts";
import { linesOf, module, number, place, plan } from "./trees.ts";

const lines = (files: RojoNode, studio: RojoNode, base?: RojoNode): string[] =>
  linesOf(plan({ files, studio, base }));

describe("a source", () => {
  const versions = (file: string, studio: string, base?: string) =>
    lines(
      place(module("M", file)),
      place(module("M", studio)),
      base === undefined ? undefined : place(module("M", base)),
    );

  test("that is equal on both sides needs nothing", () => {
    expect(versions("a", "a", "a")).toEqual([]);
    expect(versions("a", "a")).toEqual([]);
    expect(versions("b", "b", "a")).toEqual([]);
  });
  test("that only the file changed is pushed", () => {
    expect(versions("b", "a", "a")).toEqual(["push edit M (source)"]);
  });
  test("that only Studio changed is pulled", () => {
    expect(versions("a", "b", "a")).toEqual(["pull edit M (source)"]);
  });
  test("that both changed is unresolved", () => {
    expect(versions("c", "b", "a")).toEqual(["unresolved both_changed edit M (source)"]);
  });
  test("that differs before the first sync is unresolved", () => {
    expect(versions("a", "b")).toEqual(["unresolved no_base edit M (source)"]);
  });
  test("that differs only in its line ends is equal", () => {
    expect(versions("a\r\nb", "a\nb")).toEqual([]);
  });
});

describe("an Instance", () => {
  const m = () => module("M", "a");
  test("that one side alone has before the first sync is added to the other", () => {
    expect(lines(place(m()), place())).toEqual(["push add M"]);
    expect(lines(place(), place(m()))).toEqual(["pull add M"]);
  });
  test("that one side removed is removed from the other", () => {
    const keep = () => module("Keep", "");
    expect(lines(place(keep()), place(m(), keep()), place(m(), keep()))).toEqual(["push remove M ()"]);
    expect(lines(place(m(), keep()), place(keep()), place(m(), keep()))).toEqual(["pull remove M ()"]);
  });
  test("that one side removed and the other changed is unresolved", () => {
    expect(lines(place(), place(module("M", "b")), place(m()))).toEqual([
      "unresolved delete_vs_edit remove M ()",
    ]);
    expect(lines(place(module("M", "b")), place(), place(m()))).toEqual([
      "unresolved delete_vs_edit remove M ()",
    ]);
  });
});

test("a choice for what is open leaves what was decided about the same Instance", () => {
  const made = plan({
    files: place(module("M", "file", { attributes: { Speed: number(2) } })),
    studio: place(module("M", "studio", { attributes: { Speed: number(1) } })),
    base: place(module("M", "base", { attributes: { Speed: number(1) } })),
  });
  const [first] = made.items;
  const overrides = [{ to: first?.id ?? "", direction: "pull" }] as const;
  expect(resolve(made, { overrides })).toEqual([{ index: 0, answer: "applied" }]);
  expect(linesOf(made).sort()).toEqual(["pull edit M (source)", "push edit M (attribute Speed)"]);
});
