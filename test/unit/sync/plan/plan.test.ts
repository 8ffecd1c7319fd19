// What a plan says about each way in which files, Studio and the base can differ.
import { describe, expect, test } from "bun:test";
import type { FileValue } from "../../../../src/roblox/model.ts";
import type { RojoNode } from "../../../../src/roblox/rojo/node.ts";
import type { PropertyChoice } from "../../../../src/sync/types.ts";
import {
  bool,
  detailsOf,
  lines,
  versions,
  FOLDER,
  linesOf,
  module,
  node,
  type NodeFacts,
  number,
  place,
  plan,
  text,
} from "./trees.ts";

describe("a source", () => {
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
  test("that both changed in different lines has a merge, which is only offered", () => {
    const sources = ["A\nb\nc\nd", "a\nb\nc\nD", "a\nb\nc\nd"] as const;
    const [files, studio, base] = sources.map((source) => place(module("M", source)));
    if (files === undefined || studio === undefined || base === undefined) throw new Error("three sources");
    const [item] = plan({ files, studio, base }).items;
    expect(item).toMatchObject({ verdict: "unresolved", reason: "both_changed", merged: "A\nb\nc\nD" });
    expect(
      plan({ files: place(module("M", "x")), studio: place(module("M", "y")), base }).items[0]?.merged,
    ).toBeUndefined();
  });
  test("that is no text on one side is left alone with the reason", () => {
    const bytes: FileValue = { type: "String", value: "\xff" };
    const broken = place(node("M", "ModuleScript", { properties: { Source: bytes } }));
    expect(lines(place(module("M", "a")), broken, place(module("M", "a")))).toEqual([
      "skip refused edit M (source)",
    ]);
    expect(lines(broken, broken, place(module("M", "a")))).toEqual([]);
  });
});

describe("a script that was renamed and changed in one step", () => {
  const sourceOf = (...changed: readonly string[]) => ["a", "b", "c", "d", "e", ...changed].join("\n");
  const base = place(module("Old", sourceOf("f", "g")));

  test("is the same one where at least 60 % of its lines are alike", () => {
    const renamed = place(module("New", sourceOf("x", "y")));
    expect(lines(renamed, base, base)).toEqual(["push move Old (name, source)"]);
    expect(lines(base, renamed, base)).toEqual(["pull move New (name, source)"]);
  });
  test("is another one where less is alike, or where two are", () => {
    const other = place(module("New", sourceOf("1", "2", "3", "4", "5", "6", "7")));
    expect(lines(other, base, base)).toEqual(["push add New", "push remove Old ()"]);
    const two = place(module("New", sourceOf("x")), module("Newer", sourceOf("y")));
    expect(lines(two, base, base)).toEqual(["push add New", "push add Newer", "push remove Old ()"]);
  });
  test("is another one where it is too short to tell, or of another class", () => {
    const short = place(module("Old", "a\nb\nc"));
    expect(lines(place(module("New", "a\nb\nd")), short, short)).toEqual([
      "push add New",
      "push remove Old ()",
    ]);
    const server = place(node("New", "Script", { source: sourceOf("x") }));
    expect(lines(server, base, base)).toEqual(["push add New", "push remove Old ()"]);
  });
});

describe("an Instance", () => {
  const m = () => module("M", "a");
  const keep = () => module("Keep", "");
  const folder = (...children: RojoNode[]) => node("Folder", "Folder", { children });

  test("that one side alone has before the first sync is added to the other", () => {
    expect(lines(place(m()), place())).toEqual(["push add M"]);
    expect(lines(place(), place(m()))).toEqual(["pull add M"]);
  });
  test("that is added brings items for all that is below it", () => {
    expect(lines(place(folder(m())), place(), place())).toEqual(["push add Folder", "push add Folder.M"]);
  });
  test("that one side removed is removed from the other", () => {
    expect(lines(place(keep()), place(m(), keep()), place(m(), keep()))).toEqual(["push remove M ()"]);
    expect(lines(place(m(), keep()), place(keep()), place(m(), keep()))).toEqual(["pull remove M ()"]);
  });
  test("that is removed has one item for all that is below it", () => {
    expect(lines(place(keep()), place(folder(m()), keep()), place(folder(m()), keep()))).toEqual([
      "push remove Folder ()",
    ]);
  });
  test("that both sides removed needs nothing", () => {
    expect(lines(place(), place(), place(m()))).toEqual([]);
  });
  test("that one side removed and the other changed is unresolved", () => {
    expect(lines(place(), place(module("M", "b")), place(m()))).toEqual([
      "unresolved delete_vs_edit remove M ()",
    ]);
    expect(lines(place(module("M", "b")), place(), place(m()))).toEqual([
      "unresolved delete_vs_edit remove M ()",
    ]);
  });
  test("that one side removed and to which the other added something is unresolved", () => {
    const files = place(keep());
    const studio = place(folder(m(), module("New", "")), keep());
    expect(lines(files, studio, place(folder(m()), keep()))).toEqual([
      "unresolved delete_vs_edit remove Folder ()",
    ]);
    expect(detailsOf(files, studio, place(folder(m()), keep()))[0]).toContain(
      "Folder.New was changed in Studio",
    );
  });
  test("out of which Studio moved what stays is removed after that move", () => {
    const [one, two] = [
      () => module("M", "a", { studioId: 5 }),
      () => node("Folder", "Folder", { studioId: 6 }),
    ];
    const withM = two();
    withM.children.push(one());
    expect(lines(place(folder(m()), keep()), place(one(), keep()), place(withM, keep()))).toEqual([
      "pull remove Folder ()",
      "pull move M (parent)",
    ]);
  });
  test("is never removed with what the other side moved into it", () => {
    const id = (studioId: number): NodeFacts => ({ studioId });
    const base = place(node("Folder", "Folder", id(6)), module("M", "a", id(5)), keep());
    const inside = node("Folder", "Folder", { studioId: 6, children: [module("M", "a", id(5))] });
    expect(lines(place(m(), keep()), place(inside, keep()), base)).toEqual([
      "unresolved delete_vs_edit remove Folder ()",
      "unresolved delete_vs_edit move Folder.M (parent)",
    ]);
  });
  test("that each side moved into the other is moved by neither", () => {
    const a = (...children: RojoNode[]) => node("A", "Folder", { studioId: 5, children });
    const b = (...children: RojoNode[]) => node("B", "Folder", { studioId: 6, children });
    const marked = (name: string, ...children: RojoNode[]) =>
      node(name, "Folder", { children: [module(`In${name}`, name), ...children] });
    const base = place(a(module("InA", "A")), b(module("InB", "B")));
    const found = lines(
      place(marked("A", marked("B"))),
      place(b(module("InB", "B"), a(module("InA", "A")))),
      base,
    );
    expect(found.filter((line) => line.startsWith("push") || line.startsWith("pull"))).toEqual([]);
    expect(found).not.toEqual([]);
  });
});

describe("properties, attributes and tags", () => {
  const value = (facts: NodeFacts) => place(node("V", "NumberValue", facts));
  const v = (held: number | undefined, others: NodeFacts = {}) =>
    value({ properties: held === undefined ? {} : { Value: number(held) }, ...others });

  test("that changed on either side both apply", () => {
    const part = (transparency: number, reflectance: number) =>
      place(
        node("P", "Part", {
          properties: { Transparency: number(transparency), Reflectance: number(reflectance) },
        }),
      );
    expect(lines(part(0.5, 0), part(0, 0.5), part(0, 0))).toEqual([
      "push edit P (property Transparency)",
      "pull edit P (property Reflectance)",
    ]);
  });
  test("that files no longer state go back to their defaults", () => {
    const found = plan({ files: v(undefined), studio: v(3), base: v(3) });
    expect(linesOf(found)).toEqual(["push edit V (property Value)"]);
    expect(found.items[0]?.aspects[0]?.file).toBeUndefined();
  });
  test("that files no longer state and Studio changed are unresolved", () => {
    expect(lines(v(undefined), v(4), v(3))).toEqual(["unresolved both_changed edit V (property Value)"]);
  });
  test("that files never stated take part only on request", () => {
    expect(lines(v(undefined), v(3), v(undefined))).toEqual([]);
    expect(lines(v(undefined), v(3), v(undefined), { properties: "all" })).toEqual([
      "pull edit V (property Value)",
    ]);
    expect(lines(v(undefined), v(0), v(undefined), { properties: "all" })).toEqual([]);
  });
  test("that files never stated are pulled once they changed in Studio", () => {
    const base = v(undefined);
    const known = base.children[0]?.children[0]?.children[0];
    if (known !== undefined) known.studioOnly = new Map([["property Value", number(3)]]);
    expect(lines(v(undefined), v(3), base, { properties: "changed" })).toEqual([]);
    expect(lines(v(undefined), v(4), base, { properties: "changed" })).toEqual([
      "pull edit V (property Value)",
    ]);
  });
  test("that files state for the first time overwrite only a default", () => {
    expect(lines(v(5), v(undefined), v(undefined))).toEqual(["push edit V (property Value)"]);
    expect(lines(v(5), v(3), v(undefined))).toEqual(["unresolved no_base edit V (property Value)"]);
  });
  test("that one side leaves out equal their defaults", () => {
    expect(lines(v(0), v(undefined), v(0))).toEqual([]);
  });
  test("that Studio sets back to their defaults stay stated, so that later changes are seen", () => {
    const pulled = (properties?: PropertyChoice) => {
      const found = plan({
        files: v(5),
        studio: v(undefined),
        base: v(5),
        ...(properties === undefined ? {} : { properties }),
      });
      expect(linesOf(found)).toEqual(["pull edit V (property Value)"]);
      return found.items[0]?.aspects[0]?.studio;
    };
    expect(pulled()).toMatchObject({ type: "value", value: number(0) });
    // Here they are seen without that, and the file says no more than it has to.
    expect(pulled("changed")).toBeUndefined();
  });
  test("on which the sides never agreed have no base", () => {
    const base = v(3);
    const known = base.children[0]?.children[0]?.children[0];
    if (known !== undefined) known.unsettled = new Set(["property Value"]);
    expect(lines(v(4), v(3), base)).toEqual(["unresolved no_base edit V (property Value)"]);
  });
  test("are merged one by one", () => {
    const facts = (attributes: Record<string, FileValue>, tags: string[]) => value({ attributes, tags });
    expect(
      lines(
        facts({ A: number(2), B: bool(true) }, ["x", "y"]),
        facts({ A: number(1), C: text("c") }, ["x", "z"]),
        facts({ A: number(1) }, ["x"]),
      ),
    ).toEqual(["push edit V (attribute A, attribute B, tag y)", "pull edit V (attribute C, tag z)"]);
  });
  test("that one side removed are removed from the other", () => {
    const facts = (attributes: Record<string, FileValue>, tags: string[]) => value({ attributes, tags });
    expect(
      lines(
        facts({ A: number(1) }, ["x"]),
        facts({ A: number(1), B: number(2) }, []),
        facts({ A: number(1), B: number(2) }, ["x"]),
      ),
    ).toEqual(["push edit V (attribute B)", "pull edit V (tag x)"]);
  });
  test("of one look and different types differ", () => {
    expect(
      lines(
        value({ attributes: { A: text("1") } }),
        value({ attributes: { A: number(1) } }),
        value({ attributes: { A: number(1) } }),
      ),
    ).toEqual(["push edit V (attribute A)"]);
  });
  test("of Studio's that the files do not know are not taken for changes before the first sync", () => {
    expect(lines(value({}), value({ attributes: { A: number(1) }, tags: ["t"] }))).toEqual([]);
  });
  test("that scripts cannot read are not missed where a side lacks them", () => {
    const model = (facts: NodeFacts) => place(node("M", "Model", facts));
    expect(lines(model({ properties: { NeedsPivotMigration: bool(false) } }), model({}))).toEqual([]);
  });
});

describe("a part of which files state one half of the CFrame", () => {
  const part = (properties: { readonly [name: string]: FileValue }) =>
    place(node("P", "Part", { properties }));
  const at = (x: number, y = 0): FileValue => ({ type: "Vector3", value: [x, y, 0] });
  const frame = (x: number, isTurned = false): FileValue => ({
    type: "CFrame",
    value: [x, 0, 0, ...(isTurned ? [0, 0, 1, 0, 1, 0, -1, 0, 0] : [1, 0, 0, 0, 1, 0, 0, 0, 1])],
  });

  test("keeps the other half, and follows the stated one, to either side", () => {
    const base = part({ Position: at(1) });
    for (const properties of ["listed", "changed", "all"] as const) {
      const linesTo = (file: FileValue, studio: FileValue) =>
        lines(part({ Position: file }), part({ CFrame: studio }), base, { properties });
      expect(linesTo(at(1), frame(1, true))).toEqual([]);
      expect(linesTo(at(2), frame(1, true))).toEqual(["push edit P (property Position)"]);
      expect(linesTo(at(1), frame(2, true))).toEqual(["pull edit P (property Position)"]);
      expect(linesTo(at(2), frame(3))).toEqual(["unresolved both_changed edit P (property Position)"]);
    }
    const turned = part({ Orientation: at(0, 90) });
    expect(lines(turned, part({ CFrame: frame(7, true) }), turned)).toEqual([]);
    expect(lines(turned, part({ CFrame: frame(7) }), turned)).toEqual(["pull edit P (property Orientation)"]);
  });

  test("is compared in the CFrame where files state that too, which the half changes", () => {
    const files = part({ Position: at(2), CFrame: frame(1, true) });
    expect(lines(files, part({ CFrame: frame(2, true) }))).toEqual([]);
    expect(lines(files, part({ CFrame: frame(1, true) }), files)).toEqual(["pull edit P (property CFrame)"]);
  });

  test("counts as edited in Studio where the stated half was changed, so that it is not removed", () => {
    const base = part({ Position: at(1) });
    expect(lines(place(), part({ CFrame: frame(1, true) }), base)).toEqual(["push remove P ()"]);
    expect(lines(place(), part({ CFrame: frame(2) }), base)).toEqual([
      "unresolved delete_vs_edit remove P ()",
    ]);
  });
});

describe("a reference", () => {
  const pointing = (target: "A" | "B" | undefined, hasB = true) => {
    const [a, b, pointer] = [module("A", "a"), module("B", "b"), node("P", "ObjectValue")];
    if (target !== undefined) pointer.references.set("Value", target === "A" ? a : b);
    return place(a, ...(hasB ? [b] : []), pointer);
  };
  test("is compared by the Instance that it leads to", () => {
    expect(lines(pointing("A"), pointing("A"), pointing("A"))).toEqual([]);
    expect(lines(pointing("B"), pointing("A"), pointing("A"))).toEqual(["push edit P (reference Value)"]);
    expect(lines(pointing("A"), pointing(undefined), pointing("A"))).toEqual([
      "pull edit P (reference Value)",
    ]);
  });
  test("out of the project cannot be written to files", () => {
    const studio = pointing(undefined);
    studio.children[0]?.children[0]?.children[2]?.references.set("Value", node("Elsewhere", "Part"));
    expect(lines(pointing("A"), studio, pointing("A"))).toEqual(["skip unwritable edit P (reference Value)"]);
  });
  test("to an Instance whose removal is open waits for that choice", () => {
    const changed = pointing("B");
    const b = changed.children[0]?.children[0]?.children[1];
    b?.properties.set("Source", text("changed"));
    expect(lines(changed, pointing("A", false), pointing("A"))).toEqual([
      "unresolved delete_vs_edit remove B ()",
      "unresolved delete_vs_edit edit P (reference Value)",
    ]);
  });
});

describe("a class change", () => {
  test("of which the other side knows nothing is applied", () => {
    const v = (className: string) => place(node("V", className));
    expect(lines(v("Model"), v("Folder"), v("Folder"))).toEqual(["push edit V (className)"]);
  });
  test("is unresolved where the other side changed what the new class lacks", () => {
    const v = (className: string, value?: string) =>
      place(node("V", className, value === undefined ? {} : { properties: { Value: text(value) } }));
    expect(lines(v("Folder"), v("StringValue", "new"), v("StringValue", "old"))).toEqual([
      "unresolved both_changed edit V (className, property Value)",
    ]);
  });
});

describe("an item", () => {
  test("names its Instance as paths do, and its file from the project's folder", () => {
    const facts = (path: string): NodeFacts => ({ origin: { path: `${FOLDER}/src/${path}` } });
    const files = place(
      module("a.b", "1", facts("a.b.luau")),
      node("T", "Folder", { children: [module("M", "x"), module("M", "y", facts("T/M.luau"))] }),
    );
    const studio = place(
      module("a.b", "2", { studioId: 7 }),
      node("T", "Folder", { children: [module("M", "x"), module("M", "z")] }),
    );
    const found = plan({ files, studio, base: files }).items;
    expect(found.map(({ id, path, fsPath }) => [id, path, fsPath])).toEqual([
      ["@8", "ReplicatedStorage.Shared.T.M[2]", "src/T/M.luau"],
      ["@7", "ReplicatedStorage.Shared.a\\.b", "src/a.b.luau"],
    ]);
  });
});
