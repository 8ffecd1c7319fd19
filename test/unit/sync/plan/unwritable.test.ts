/** What a sync does with properties that no plugin can write or read, and with defaults that were never agreed on. */
import { expect, test } from "bun:test";
import { bool, linesOf, node, type NodeFacts, number, plan } from "./trees.ts";

const withService = (className: string, properties: NodeFacts["properties"] = {}) =>
  node("game", "DataModel", { children: [node(className, className, { properties })] });
const studioPlan = (className: string, files: NodeFacts["properties"], studio?: NodeFacts["properties"]) =>
  plan({
    files: withService(className, files),
    studio: withService(className, studio),
    isForScripts: true,
  });

test("what no plugin can write is skipped with its name, and the rest goes on", () => {
  const made = studioPlan("Lighting", {
    Technology: { type: "Enum", value: 1 },
    GlobalShadows: bool(true),
  });
  expect(linesOf(made)).toEqual([
    "skip unwritable edit Lighting (property Technology)",
    "push edit Lighting (property GlobalShadows)",
  ]);
  expect(made.items[0]?.detail).toBe("scripts cannot write Technology; set it in Studio");
  expect(
    linesOf(studioPlan("HttpService", { HttpEnabled: bool(false) }, { HttpEnabled: bool(true) })),
  ).toEqual(["skip unwritable edit HttpService (property HttpEnabled)"]);
});

test("what the plugin does not reach is told by its name, also where the files state the same as before", () => {
  const colors = { MaterialColors: { type: "String", value: "\0\u0001" } } as const;
  const detail = (name: string) => `a sync neither reads nor writes ${name} in an open Studio; set it there`;
  for (const [className, properties, name] of [
    ["Terrain", colors, "MaterialColors"],
    ["StyleRule", { PropertiesSerialize: { type: "String", value: "a" } }, "Properties"],
  ] as const) {
    const [files, studio] = [withService(className, properties), withService(className)];
    for (const base of [undefined, files]) {
      const made = plan({ files, studio, isForScripts: true, ...(base === undefined ? {} : { base }) });
      expect(made.items.map((item) => [item.verdict, item.reason, item.detail])).toEqual([
        ["skip", "unwritable", detail(name)],
      ]);
    }
    expect(linesOf(plan({ files, studio: files }))).toEqual([]);
    expect(linesOf(plan({ files: studio, studio, isForScripts: true }))).toEqual([]);
  }
});

test("a place file can hold it, so the difference is told there", () => {
  const sides = [{ HttpEnabled: bool(true) }, {}].map((each) => withService("HttpService", each));
  const [files, studio] = sides;
  if (files === undefined || studio === undefined) throw new Error("two sides");
  expect(linesOf(plan({ files, studio }))).toEqual(["push edit HttpService (property HttpEnabled)"]);
});

test("without a base the files win over a default in Studio, and over nothing else", () => {
  const fogEnd = { FogEnd: number(1) };
  expect(linesOf(studioPlan("Lighting", fogEnd))).toEqual(["push edit Lighting (property FogEnd)"]);
  expect(linesOf(studioPlan("Lighting", fogEnd, { FogEnd: number(2) }))).toEqual([
    "unresolved no_base edit Lighting (property FogEnd)",
  ]);
});

test("a deprecated property, of which Studio says nothing, is pushed once", () => {
  const files = withService("Lighting", { Outlines: bool(false) });
  const made = { files, studio: withService("Lighting"), isForScripts: true };
  expect(linesOf(plan(made))).toEqual(["push edit Lighting (property Outlines)"]);
  expect(linesOf(plan({ ...made, base: withService("Lighting", { Outlines: bool(false) }) }))).toEqual([]);
});

test("a link to a package is in no file of a project", () => {
  const link = node("PackageLink", "PackageLink");
  const model = (...children: (typeof link)[]) =>
    node("game", "DataModel", {
      children: [
        node("ReplicatedStorage", "ReplicatedStorage", { children: [node("M", "Folder", { children })] }),
      ],
    });
  expect(linesOf(plan({ files: model(), studio: model(link), isForScripts: true }))).toEqual([
    "skip unwritable add ReplicatedStorage.M.PackageLink",
  ]);
});
