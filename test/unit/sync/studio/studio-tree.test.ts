/** The nodes of a later reading are those of the one before wherever nothing below them has changed, and new ones elsewhere. */
import { expect, test } from "bun:test";
import type { RojoNode } from "../../../../src/roblox/rojo/node.ts";
import { type Content, NO_VALUES } from "../../../../src/sync/studio/content-reader.ts";
import { StudioTree } from "../../../../src/sync/studio/studio-tree.ts";
import { emptyTree, type InstanceNode, type InstanceTree } from "../../../../src/tree/instance-tree.ts";
import { bool, schema } from "../plan/trees.ts";

type Facts = Partial<Content> & {
  readonly name: string;
  readonly className?: string;
  readonly parent?: number;
};

/** A place whose Workspace has the number 1. */
class World {
  readonly tree: InstanceTree = emptyTree();
  readonly contents = new Map<number, Content>();
  readonly made = new StudioTree(schema, this.contents);

  constructor() {
    this.put(1, { name: "Workspace", className: "Workspace" });
  }

  put(id: number, { name, className = "Folder", parent = 1, ...content }: Facts): void {
    const above = id === 1 ? undefined : this.tree.byId.get(parent);
    const facts = { hash: "", sourceHash: undefined, isDraft: false, references: new Map() };
    const instance: InstanceNode = { id, name, className, parent: above, children: [], ...facts };
    this.tree.byId.set(id, instance);
    above?.children.push(instance);
    this.contents.set(id, {
      properties: NO_VALUES,
      attributes: NO_VALUES,
      references: new Map(),
      isDraft: false,
      ...content,
    });
  }

  build(): RojoNode | undefined {
    const scope = { id: 1, name: "Workspace", className: "Workspace", isWhole: true, children: [] };
    return this.made.build("Game", [scope], this.tree).children[0];
  }
}

function worldOfTwo(): World {
  const world = new World();
  world.put(2, { name: "Left" });
  world.put(3, { name: "Inner", parent: 2 });
  world.put(4, { name: "Right" });
  return world;
}

test("a tree in which nothing has changed is made of the same nodes", () => {
  const world = worldOfTwo();
  const first = world.build();
  expect(first?.children.map(({ name }) => name)).toEqual(["Left", "Right"]);
  expect(world.build()).toBe(first);
});

test.each<[string, (world: World) => void]>([
  [
    "a value",
    (world) => world.contents.set(3, { ...contentOf(world), properties: new Map([["A", bool(true)]]) }),
  ],
  ["an attribute", (world) => world.contents.set(3, { ...contentOf(world), attributes: new Map() })],
  ["a draft", (world) => world.contents.set(3, { ...contentOf(world), isDraft: true })],
  ["a name", (world) => Object.assign(world.tree.byId.get(3) ?? {}, { name: "Other" })],
  ["a child", (world) => world.put(5, { name: "New", parent: 3 })],
])("with %s also the nodes above it are new, and the others are kept", (_, change) => {
  const world = worldOfTwo();
  const before = world.build();
  change(world);
  const after = world.build();
  const fresh = new StudioTree(schema, world.contents);
  const scope = { id: 1, name: "Workspace", className: "Workspace", isWhole: true, children: [] };
  expect(after).toEqual(fresh.build("Game", [scope], world.tree).children[0]);
  expect(after).not.toBe(before);
  expect(after?.children[0]?.children[0]).not.toBe(before?.children[0]?.children[0]);
  expect(after?.children[1]).toBe(before?.children[1]);
  // The tree that was given before stays as it was.
  expect(before?.children[0]?.children[0]).toMatchObject({
    name: "Inner",
    properties: NO_VALUES,
    children: [],
  });
});

test("what refers to others is made anew, so that a target which has left is no target any more", () => {
  const world = new World();
  world.put(2, { name: "Model", className: "Model", references: new Map([["PrimaryPart", 3]]) });
  world.put(3, { name: "Part", className: "Part", parent: 2 });
  const [model] = world.build()?.children ?? [];
  expect(model?.references.get("PrimaryPart")).toBe(model?.children[0]);
  const left = world.tree.byId.get(3);
  world.tree.byId.delete(3);
  for (const above of world.tree.byId.values())
    above.children = above.children.filter((each) => each !== left);
  expect([...(world.build()?.children[0]?.references ?? [])]).toEqual([]);
});

const contentOf = (world: World): Content => {
  const content = world.contents.get(3);
  if (content === undefined) throw new Error("no such Instance");
  return content;
};
