// Which Instances count as the same: by identity, by name and class, and by content among equal names.
import { describe, expect, test } from "bun:test";
import type { FileValue } from "../../../../src/roblox/model.ts";
import type { RojoNode } from "../../../../src/roblox/rojo/node.ts";
import { linesOf, module, node, number, place, plan } from "./trees.ts";

const lines = (files: RojoNode, studio: RojoNode, base?: RojoNode): string[] =>
  linesOf(plan({ files, studio, base }));
const part = (transparency: number, ...children: RojoNode[]): RojoNode =>
  node("Part", "Part", { properties: { Transparency: number(transparency) }, children });
const uniqueId = (id: string): FileValue => ({ type: "UniqueId", value: id.padStart(16, "0") });

describe("siblings of one name", () => {
  test("are recognised by their content in any order", () => {
    expect(lines(place(part(0.1), part(0.2), part(0.3)), place(part(0.3), part(0.1), part(0.2)))).toEqual([]);
  });
  test("differ by what is below them", () => {
    const [one, two] = [() => part(0, module("A", "a")), () => part(0, module("A", "b"))];
    expect(lines(place(one(), two()), place(two(), one()))).toEqual([]);
  });
  test("of which one changed leave that one as the pair", () => {
    const files = place(part(0.1), part(0.2), part(0.3));
    const studio = place(part(0.3), part(0.9), part(0.1));
    const base = place(part(0.1), part(0.2), part(0.3));
    expect(lines(files, studio, base)).toEqual(["pull edit Part[2] (property Transparency)"]);
  });
  test("that cannot be told apart are never guessed", () => {
    const one = (a: number, b: number) =>
      node("P", "Part", { properties: { Transparency: number(a), Reflectance: number(b) } });
    const found = lines(place(one(0.1, 0.1), one(0.2, 0.2)), place(one(0.1, 0.2), one(0.2, 0.1)));
    expect(found).toHaveLength(4);
    for (const line of found) expect(line).toStartWith("unresolved ambiguous_match add");
  });
  test("that are all alike need no choice when one of them is removed", () => {
    expect(
      lines(
        place(part(0.1), part(0.1)),
        place(part(0.1), part(0.1), part(0.1)),
        place(part(0.1), part(0.1), part(0.1)),
      ),
    ).toEqual(["push remove Part[3] ()"]);
  });
  test("of which only one is referred to are told apart by that", () => {
    const pair = (isFirst: boolean) => {
      const [one, two] = [part(0.1), part(0.1)];
      const pointer = node("Pointer", "ObjectValue");
      pointer.references.set("Value", isFirst ? one : two);
      return place(one, two, pointer);
    };
    expect(lines(pair(true), pair(false))).toEqual([]);
  });
  test("of which many changed are paired with what they resemble most", () => {
    const many = (change: number) =>
      Array.from({ length: 90 }, (_, index) =>
        node("Part", "Part", {
          properties: {
            Transparency: number(index),
            Reflectance: number(index),
            RootPriority: number(change),
          },
        }),
      );
    const found = lines(place(...many(0)), place(...many(1).reverse()), place(...many(0)));
    expect(found).toHaveLength(90);
    for (const line of found) expect(line).toEndWith("(property RootPriority)");
  });
  test("in a group of thousands take no quadratic time", () => {
    const many = (step: number) => Array.from({ length: 4000 }, (_, index) => part((index * step) % 4001));
    expect(lines(place(...many(7)), place(...many(7).reverse()))).toEqual([]);
  });
});

describe("an identity", () => {
  test("shows that Studio renamed an Instance", () => {
    const [files, base] = [place(module("M", "a")), place(module("M", "a", { studioId: 9 }))];
    expect(lines(files, place(module("N", "a b", { studioId: 9 })), base)).toEqual([
      "pull move N (name, source)",
    ]);
  });
  test("shows that Studio moved an Instance", () => {
    const folder = (...children: RojoNode[]) => node("Folder", "Folder", { children });
    const m = (studioId?: number) => module("M", "", studioId === undefined ? {} : { studioId });
    expect(lines(place(m(), folder()), place(folder(m(9))), place(m(9), folder()))).toEqual([
      "pull move Folder.M (parent)",
    ]);
  });
  test("of a place file is its UniqueId", () => {
    const value = (name: string) => node(name, "IntValue", { properties: { UniqueId: uniqueId("7") } });
    expect(lines(place(node("A", "IntValue")), place(value("B")), place(value("A")))).toEqual([
      "pull move B (name)",
    ]);
  });
  test("that two Instances share proves nothing", () => {
    const value = (name: string) => node(name, "IntValue", { properties: { UniqueId: uniqueId("7") } });
    expect(lines(place(node("A", "IntValue")), place(value("B"), value("A")), place(value("A")))).toEqual([
      "pull add B",
    ]);
  });
});

describe("content", () => {
  test("that each side has once is the same script under another name", () => {
    const files = place(module("New", "return 1"));
    expect(lines(files, place(module("Old", "return 1")), place(module("Old", "return 1")))).toEqual([
      "push move Old (name)",
    ]);
  });
  test("that says too little proves nothing", () => {
    const files = place(node("New", "Folder"));
    expect(lines(files, place(node("Old", "Folder")), place(node("Old", "Folder")))).toHaveLength(2);
  });
});

test("the only Instance of a name that has another class has changed its class", () => {
  expect(lines(place(module("M", "a")), place(node("M", "Folder")), place(node("M", "Folder")))).toEqual([
    "push edit M (className, source)",
  ]);
});

test("a service is known by its class", () => {
  const [files, studio] = [place(module("M", "")), place(module("M", ""))];
  for (const service of studio.children) service.name = "Storage";
  expect(linesOf(plan({ files, studio, base: place(module("M", "")) }))).toEqual([
    "pull move Storage (name)",
  ]);
});
