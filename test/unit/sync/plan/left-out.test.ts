/** What Studio changes and the files do not state: who takes it over, and what is said of the rest. */
import { describe, expect, test } from "bun:test";
import type { RojoNode } from "../../../../src/roblox/rojo/node.ts";
import { agreedTree } from "../../../../src/sync/plan/agreed.ts";
import type { PropertyChoice } from "../../../../src/sync/types.ts";
import { copyOf } from "./random-trees.ts";
import { FOLDER, linesOf, module, node, type NodeFacts, number, originOf, plan } from "./trees.ts";

const PROJECT = `${FOLDER}/default.project.json`;
const service = (properties: NodeFacts["properties"], ...children: RojoNode[]) =>
  node("game", "DataModel", {
    children: [
      node("Lighting", "Lighting", {
        properties: properties ?? {},
        children,
        origin: {
          kind: "projectNode",
          path: PROJECT,
          project: { file: PROJECT, keys: ["tree", "Lighting"] },
        },
      }),
    ],
  });
const brightness = { Brightness: number(2) };
const withFog = (end: number) => service({ ...brightness, FogEnd: number(end) });

/** The base after a sync of a project node and a Studio with this fog. */
const after = (studio: RojoNode, base?: RojoNode, properties?: PropertyChoice) => {
  const made = plan({ files: service(brightness), studio, base, properties });
  return { made, base: agreedTree(made, new Set()) };
};

describe("a change in Studio of what a project node does not state", () => {
  const { base } = after(withFog(5));
  test("is counted by each sync until it is taken, and is in no file before", () => {
    const once = after(withFog(6), base);
    expect([linesOf(once.made), once.made.leftOut]).toEqual([[], 1]);
    const again = after(withFog(6), once.base);
    expect([linesOf(again.made), again.made.leftOut]).toEqual([[], 1]);
    const changed = after(withFog(6), again.base, "changed").made;
    expect([linesOf(changed), changed.leftOut]).toEqual([["pull edit Lighting (property FogEnd)"], 0]);
  });
  test("is no longer counted where Studio takes it back", () => {
    const once = after(withFog(6), base);
    expect(after(withFog(5), once.base).made.leftOut).toBe(0);
  });
  test("is none where the first sync has found it", () => {
    expect(after(withFog(5)).made.leftOut).toBe(0);
    expect(after(withFog(5), base).made.leftOut).toBe(0);
  });
});

describe("a change in Studio of what a file owns as a whole", () => {
  const part = (facts: NodeFacts = {}) =>
    node("game", "DataModel", {
      children: [
        node("ReplicatedStorage", "ReplicatedStorage", {
          children: [
            node("Block", "Part", { origin: { kind: "jsonModel", fileKind: "jsonModel" }, ...facts }),
          ],
        }),
      ],
    });
  test("goes to the file: properties, attributes and tags", () => {
    const base = agreedTree(plan({ files: part(), studio: part() }), new Set());
    const studio = part({
      properties: { Transparency: { type: "Float32", value: 0.5 } },
      attributes: { Speed: number(1) },
      tags: ["Fast"],
    });
    expect(linesOf(plan({ files: part(), studio, base }))).toEqual([
      "pull edit ReplicatedStorage.Block (property Transparency, attribute Speed, tag Fast)",
    ]);
  });
  test("is none of a folder without a meta file", () => {
    const folder = (facts: NodeFacts, meta?: string) =>
      node("game", "DataModel", {
        children: [
          Object.assign(node("ReplicatedStorage", "ReplicatedStorage"), {
            children: [
              Object.assign(node("F", "Folder", { ...facts, children: [module("M", "")] }), {
                origin: originOf({ kind: "folder", ...(meta === undefined ? {} : { meta }) }),
              }),
            ],
          }),
        ],
      });
    for (const [meta, lines, leftOut] of [
      [undefined, [], 1],
      [`${FOLDER}/src/init.meta.json`, ["pull edit ReplicatedStorage.F (attribute Speed)"], 0],
    ] as const) {
      const base = agreedTree(plan({ files: folder({}, meta), studio: folder({}) }), new Set());
      const made = plan({
        files: folder({}, meta),
        studio: folder({ attributes: { Speed: number(1) } }),
        base,
      });
      expect([linesOf(made), made.leftOut]).toEqual([[...lines], leftOut]);
    }
  });
});

describe("an Instance that Studio has made another class", () => {
  const place = (className: string, facts: NodeFacts = {}) =>
    node("game", "DataModel", {
      children: [node("ReplicatedStorage", "ReplicatedStorage", { children: [node("F", className, facts)] })],
    });
  const projectNode = { kind: "projectNode", project: { file: PROJECT, keys: ["tree", "F"] } } as const;
  test.each([
    ["Folder", "Model", "className", { kind: "folder" }],
    ["StringValue", "Script", "className, source", undefined],
  ] as const)("brings along what it got there at once: a %s as %s", (before, className, aspects, origin) => {
    const files = place(before, origin === undefined ? {} : { origin });
    const base = agreedTree(plan({ files, studio: place(before) }), new Set());
    const studio = place(className, { tags: ["Red"] });
    const first = plan({ files, studio, base });
    expect(linesOf(first)).toEqual([`pull edit ReplicatedStorage.F (${aspects}, tag Red)`]);
    const next = agreedTree(first, new Set(first.items));
    expect(linesOf(plan({ files: copyOf(studio), studio, base: next }))).toEqual([]);
  });
  test("brings nothing along where the project names it, because it keeps its class", () => {
    const files = place("Folder", { origin: projectNode });
    const base = agreedTree(plan({ files, studio: place("Folder") }), new Set());
    expect(linesOf(plan({ files, studio: place("Script", { tags: ["Red"] }), base }))).toEqual([
      "skip refused edit ReplicatedStorage.F (className, source)",
    ]);
  });
});
