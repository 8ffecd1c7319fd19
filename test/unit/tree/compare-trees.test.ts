/** Comparing trees in memory: which Instances are one, and what differs. */
import { expect, test } from "bun:test";
import type { InstanceNode, InstanceTree } from "../../../src/tree/instance-tree.ts";
import { changesAsync, compareTreesAsync } from "../../../src/tree/compare-trees.ts";
import type { Item } from "../../../src/tree/read-tree.ts";
import type { TreeSide } from "../../../src/tree/tree-side.ts";

interface Spec {
  readonly id: number;
  readonly name: string;
  readonly className?: string;
  readonly properties?: Item["properties"];
  readonly source?: string;
  readonly references?: { readonly [name: string]: number };
  readonly children?: readonly Spec[];
}

function sideOf(generation: string, roots: readonly Spec[]): TreeSide {
  const byId = new Map<number, InstanceNode>();
  const items = new Map<number, Item>();
  const nodeOf = (spec: Spec, parent: InstanceNode | undefined): InstanceNode => {
    const { id, name, className = "Folder", properties = {}, source, references = {}, children = [] } = spec;
    const node: InstanceNode = {
      id,
      name,
      className,
      parent,
      children: [],
      hash: Object.keys(properties).length === 0 ? "" : Bun.hash(JSON.stringify(properties)).toString(16),
      sourceHash: source,
      isDraft: false,
      references: new Map(Object.entries(references)),
    };
    byId.set(id, node);
    items.set(id, {
      id,
      className,
      properties,
      attributes: {},
      tags: [],
      ...(source === undefined ? {} : { source }),
    });
    node.children = children.map((child) => nodeOf(child, node));
    return node;
  };
  const nodes = roots.map((root) => nodeOf(root, undefined));
  const rootPaths = new Map(nodes.map(({ id, name }) => [id, `game.${name}`]));
  const tree: InstanceTree = { roots: nodes, byId, generation, rootPaths, mark: undefined };
  return {
    tree,
    context: "edit",
    hasIds: true,
    itemsAsync: async (ids) =>
      new Map(
        ids.flatMap((id) => {
          const item = items.get(id);
          return item === undefined ? [] : [[id, item] as const];
        }),
      ),
    defaultsAsync: async () => new Map([["Part", { Anchored: false }]]),
  };
}

async function differencesAsync(a: TreeSide, b: TreeSide) {
  const comparison = await compareTreesAsync(a, b);
  return changesAsync(comparison, comparison.differences);
}

const part = (id: number, name: string, properties: Item["properties"] = {}): Spec => ({
  id,
  name,
  className: "Part",
  properties,
});
const workspace = (children: readonly Spec[], id = 1): readonly Spec[] => [
  { id, name: "Workspace", className: "Workspace", children },
];

test("equal trees with other numbers do not differ", async () => {
  const children = (first: number): Spec[] => [
    {
      id: first,
      name: "Model",
      className: "Model",
      references: { PrimaryPart: first + 1 },
      children: [part(first + 1, "Wall")],
    },
  ];
  const [a, b] = [sideOf("one", workspace(children(2))), sideOf("two", workspace(children(70), 60))];
  expect(await differencesAsync(a, b)).toEqual([]);
});

test("ids are those of a side that callers can reach, and left out where only a file or a checkpoint has the Instance", async () => {
  const place = sideOf(
    "one",
    workspace([part(2, "Wall", { Anchored: true }), { id: 3, name: "Model", className: "Model" }]),
  );
  const file = {
    ...sideOf(
      "two",
      workspace(
        [
          part(70, "Wall"),
          { id: 71, name: "Model", className: "Model", references: { PrimaryPart: 70 } },
          part(80, "New"),
        ],
        60,
      ),
    ),
    hasIds: false,
  };
  const changes = await differencesAsync(place, file);
  expect(changes.map(({ path, id }) => [path, id])).toEqual([
    ["game.Workspace.Wall", "@2"],
    ["game.Workspace.Model", "@3"],
    ["game.Workspace.New", undefined],
  ]);
  expect(changes[1]?.properties["PrimaryPart"]?.after).toEqual({
    type: "Instance",
    className: "Part",
    path: "game.Workspace.Wall",
  });
});

test("a value that only one side has is compared with the default of the class", async () => {
  const a = sideOf("one", workspace([part(2, "Wall", { Anchored: true })]));
  const b = sideOf("two", workspace([part(9, "Wall")]));
  expect(await differencesAsync(a, b)).toEqual([
    {
      path: "game.Workspace.Wall",
      className: "Part",
      id: "@9",
      change: "changed",
      properties: { Anchored: { before: true, after: false } },
    },
  ]);
});

test("one more child among many of its name is one difference", async () => {
  const posts = (ids: readonly number[]): Spec[] => ids.map((id) => part(id, "Post", { Size: id % 10 }));
  const a = sideOf("one", workspace(posts([11, 12, 13])));
  const b = sideOf("two", workspace(posts([21, 25, 22, 23])));
  expect((await differencesAsync(a, b)).map(({ change, path }) => [change, path])).toEqual([
    ["added", "game.Workspace.Post[2]"],
  ]);
});

test("numbers of one life of the plugin show what has moved and what has another name", async () => {
  const a = sideOf("one", workspace([{ id: 2, name: "Map", children: [part(3, "Door")] }, part(4, "Key")]));
  const b = sideOf("one", workspace([{ id: 2, name: "Map" }, part(3, "Door"), part(4, "Lock")]));
  expect(await differencesAsync(a, b)).toMatchObject([
    {
      path: "game.Workspace.Door",
      change: "moved",
      properties: { Parent: { before: "game.Workspace.Map", after: "game.Workspace" } },
    },
    {
      path: "game.Workspace.Lock",
      change: "changed",
      properties: { Name: { before: "Key", after: "Lock" } },
    },
  ]);
  const other = sideOf("two", workspace([{ id: 2, name: "Map" }, part(3, "Door"), part(4, "Lock")]));
  expect((await differencesAsync(a, other)).map(({ change, path }) => [change, path])).toEqual([
    ["removed", "game.Workspace.Map.Door"],
    ["removed", "game.Workspace.Key"],
    ["added", "game.Workspace.Door"],
    ["added", "game.Workspace.Lock"],
  ]);
});

test("a reference differs where it leads to another Instance", async () => {
  const model = (target: number, first: number): Spec => ({
    id: first,
    name: "Model",
    className: "Model",
    references: { PrimaryPart: target },
    children: [part(first + 1, "Left"), part(first + 2, "Right")],
  });
  const a = sideOf("one", workspace([model(3, 2)]));
  const b = sideOf("two", workspace([model(52, 50)], 40));
  expect(await differencesAsync(a, b)).toMatchObject([
    {
      change: "changed",
      properties: {
        PrimaryPart: {
          before: { path: "game.Workspace.Model.Left" },
          after: { path: "game.Workspace.Model.Right" },
        },
      },
    },
  ]);
});

test("names that a path must write in another way, and an Instance that has another class", async () => {
  const a = sideOf("one", workspace([{ id: 2, name: "a.b", className: "Folder" }]));
  const b = sideOf(
    "one",
    workspace([
      { id: 2, name: "a.b", className: "Part" },
      { id: 3, name: "" },
    ]),
  );
  expect((await differencesAsync(a, b)).map(({ change, path }) => [change, path])).toEqual([
    ["removed", "game.Workspace.a\\.b"],
    ["added", "game.Workspace.a\\.b"],
    ["added", 'game.Workspace[""]'],
  ]);
});
