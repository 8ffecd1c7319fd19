/** What a plan leaves out, refuses, or holds back. */
import { describe, expect, test } from "bun:test";
import type { RojoNode } from "../../../../src/roblox/rojo/node.ts";
import type { SyncbackRules } from "../../../../src/roblox/rojo/project-rules.ts";
import {
  type PlanOptions,
  detailsOf,
  lines,
  FOLDER,
  module,
  node,
  type NodeFacts,
  number,
  originOf,
  place,
  plan,
  text,
} from "./trees.ts";

describe("what a project leaves out", () => {
  const rules = (facts: Partial<SyncbackRules>): PlanOptions => ({
    rules: {
      ignoreTrees: [],
      ignorePaths: [],
      ignoreProperties: new Map(),
      syncCurrentCamera: false,
      syncUnscriptable: true,
      ignoreReferents: false,
      ...facts,
    },
  });
  const [files, studio, base] = [
    () => place(module("M", "a")),
    () => place(module("M", "b")),
    () => place(module("M", "a")),
  ];

  test("is not pulled from an ignored tree, by whole names", () => {
    const ignoring = (tree: string) => lines(files(), studio(), base(), rules({ ignoreTrees: [tree] }));
    expect(ignoring("ReplicatedStorage/Shared")).toEqual([]);
    expect(ignoring("ReplicatedStorage/Share")).toEqual(["pull edit M (source)"]);
    expect(
      lines(place(), place(module("New", "")), place(), rules({ ignoreTrees: ["ReplicatedStorage"] })),
    ).toEqual([]);
  });
  test("is still pushed", () => {
    expect(lines(studio(), files(), base(), rules({ ignoreTrees: ["ReplicatedStorage"] }))).toEqual([
      "push edit M (source)",
    ]);
  });
  test("are properties of a class and of those that inherit it", () => {
    const part = (value: number) => place(node("P", "Part", { properties: { Transparency: number(value) } }));
    const ignoring = rules({ ignoreProperties: new Map([["BasePart", new Set(["Transparency"])]]) });
    expect(lines(part(0), part(1), part(0), ignoring)).toEqual([]);
    expect(lines(part(0), part(1), part(0))).toEqual(["pull edit P (property Transparency)"]);
  });
  test("are references", () => {
    const pointer = (hasTarget: boolean) => {
      const [a, p] = [module("A", ""), node("P", "ObjectValue")];
      if (hasTarget) p.references.set("Value", a);
      return place(a, p);
    };
    expect(
      lines(pointer(false), pointer(true), pointer(false), {
        ...rules({ ignoreReferents: true }),
        properties: "all",
      }),
    ).toEqual([]);
  });
  test("is what Studio has below a node that ignores unknown Instances", () => {
    const shared = place();
    const folder = shared.children[0]?.children[0];
    if (folder !== undefined) folder.origin = originOf({ kind: "folder", ignoreUnknownInstances: true });
    expect(lines(shared, place(module("Unknown", "")), place())).toEqual([]);
  });
  test("is the camera that Studio makes", () => {
    const workspace = (...children: RojoNode[]) =>
      node("game", "DataModel", {
        children: [node("Workspace", "Workspace", { origin: { kind: "folder" }, children })],
      });
    expect(lines(workspace(), workspace(node("Camera", "Camera"), node("Terrain", "Terrain")))).toEqual([]);
    expect(
      lines(workspace(), workspace(node("Camera", "Camera")), undefined, rules({ syncCurrentCamera: true })),
    ).toHaveLength(1);
  });
});

describe("what is refused", () => {
  const named = (className: string, facts: NodeFacts = {}) =>
    node("Node", className, {
      origin: {
        kind: "projectNode",
        project: { file: `${FOLDER}/default.project.json`, keys: ["tree", "Node"] },
      },
      ...facts,
    });

  test("is the removal of a node that the project names", () => {
    expect(lines(place(named("Folder")), place(), place(named("Folder")))).toEqual([
      "skip refused remove Node ()",
    ]);
    expect(detailsOf(place(named("Folder")), place(), place(named("Folder")))[0]).toStartWith(
      "default.project.json names it;",
    );
  });
  test("is the change of its class, its name and its place", () => {
    const id = (facts: NodeFacts = {}): NodeFacts => ({ studioId: 4, ...facts });
    const base = () => place(node("Node", "Folder", id()));
    expect(lines(place(named("Folder")), place(node("Node", "Model", id())), base())).toEqual([
      "skip refused edit Node (className)",
    ]);
    expect(lines(place(named("Folder")), place(node("Other", "Folder", id())), base())).toEqual([
      "skip refused move Other (name)",
    ]);
  });
  test("is all that belongs to a change of its class", () => {
    const files = place(named("StringValue", { properties: { Value: text("new") } }));
    expect(lines(files, place(node("Node", "Folder")), place(node("Node", "Folder")))).toEqual([
      "skip refused edit Node (className, property Value)",
    ]);
  });
  test("is the removal of a service", () => {
    const empty = node("game", "DataModel");
    expect(lines(place(), empty, place())).toEqual(["skip refused remove ReplicatedStorage ()"]);
    expect(lines(node("game", "DataModel"), place(), place())).toEqual([]);
  });
  test("is a pull into a file whose source is computed", () => {
    const json = place(module("M", "a", { origin: { kind: "json", fileKind: "json" } }));
    expect(lines(json, place(module("M", "b")), place(module("M", "a")))).toEqual([
      "skip refused edit M (source)",
    ]);
  });
});

describe("a plan that removes much", () => {
  const some = (count: number) => Array.from({ length: count }, (_, index) => module(`M${index}`, ""));
  const removing = (count: number, options: PlanOptions = {}) =>
    plan({
      files: place(...some(1)),
      studio: place(...some(1 + count)),
      base: place(...some(1 + count)),
      ...options,
    });

  test("is held back as a whole above ten Instances", () => {
    expect(removing(10).massRemoval).toBeUndefined();
    const found = removing(11);
    expect(found.massRemoval?.count).toBe(11);
    for (const { verdict, reason, proposed } of found.items)
      expect({ verdict, reason, proposed }).toEqual({
        verdict: "unresolved",
        reason: "mass_removal",
        proposed: "push",
      });
  });
  test("that is applied in part holds back the removals alone", () => {
    const found = plan({
      files: place(...some(1), module("New", "new")),
      studio: place(...some(12)),
      base: place(...some(12)),
      isPartial: true,
    });
    expect(found.massRemoval?.count).toBe(11);
    const verdicts = Map.groupBy(found.items, ({ change, verdict }) => `${verdict} ${change}`);
    expect([...verdicts].map(([verdict, items]) => [verdict, items.length])).toEqual([
      ["unresolved remove", 11],
      ["push add", 1],
    ]);
  });
  test("is let through for as many as a person allows", () => {
    expect(removing(11, { allowedRemovals: 11 }).massRemoval).toBeUndefined();
    expect(removing(12, { allowedRemovals: 11 }).massRemoval?.detail).toBe(
      "the plan removes 12 Instances, and 11 are allowed",
    );
    expect(removing(1, { allowedRemovals: 0 }).massRemoval?.count).toBe(1);
  });
  test("counts what is below a removed Instance", () => {
    const folder = () => node("F", "Folder", { children: some(11) });
    const keep = () => node("Keep", "Folder");
    expect(
      plan({ files: place(keep()), studio: place(folder(), keep()), base: place(folder(), keep()) })
        .massRemoval?.count,
    ).toBe(12);
  });
  test("is held back where it empties what a project node names", () => {
    const files = place();
    const shared = files.children[0]?.children[0];
    if (shared !== undefined)
      shared.origin = originOf({
        kind: "folder",
        project: { file: `${FOLDER}/default.project.json`, keys: ["tree"] },
      });
    expect(plan({ files, studio: place(...some(2)), base: place(...some(2)) }).massRemoval?.detail).toBe(
      "the plan removes all that ReplicatedStorage.Shared contains",
    );
  });
});
