/** Trees of a headless Studio, read through the plugin without a host. */
import { expect, test } from "bun:test";
import type { TreeSource } from "../../../src/tree/read-tree.ts";
import { decodeReply } from "../../../src/protocol/codec.ts";
import {
  eachReplyAsync,
  readItemsAsync,
  readTreeAsync,
  refreshTreeAsync,
} from "../../../src/tree/read-tree.ts";
import type { InstanceNode } from "../../../src/tree/instance-tree.ts";
import { gitBlobHash } from "../../../src/util/git-blob-hash.ts";
import { BridgePeer } from "../plugin/bridge-peer.ts";
import { luauAsync, sourceOf } from "./session-source.ts";

const shape = ({ name, className, children }: InstanceNode): unknown => [
  name,
  className,
  children.map(shape),
];
const named = (nodes: Iterable<InstanceNode>, name: string): InstanceNode => {
  const found = [...nodes].find((node) => node.name === name);
  if (found === undefined) throw new Error(`no ${name}`);
  return found;
};

const MAP = `local map = Instance.new("Folder", workspace) map.Name = "Map"
  local door = Instance.new("Part", map) door.Name = "Line\\nand \\\\n" door.Size = Vector3.new(1, 2, 3)
  door:SetAttribute("Zone", "Lobby") door:AddTag("Solid")
  local code = Instance.new("ModuleScript", map) code.Name = "Code" code.Source = "return 1"
  local model = Instance.new("Model", map) model.Name = "House"
  local wall = Instance.new("Part", model) wall.Name = "Wall" model.PrimaryPart = wall`;

test("a tree has the Instances in order, with hashes, sources and references", async () => {
  using peer = await BridgePeer.connectAsync();
  await luauAsync(peer, MAP);
  const tree = await readTreeAsync(sourceOf(peer), { roots: ["Workspace.Map"] });
  expect(tree.roots.map(shape)).toEqual([
    [
      "Map",
      "Folder",
      [
        ["Line\nand \\n", "Part", []],
        ["Code", "ModuleScript", []],
        ["House", "Model", [["Wall", "Part", []]]],
      ],
    ],
  ]);
  const nodes = [...tree.byId.values()];
  const [door, code, house, wall] = ["Line\nand \\n", "Code", "House", "Wall"].map((name) =>
    named(nodes, name),
  );
  expect(door?.hash).toMatch(/^[0-9a-f]{16}$/);
  expect(wall?.hash).toBe("");
  expect(code?.sourceHash).toBe(gitBlobHash("return 1"));
  expect(house?.references).toEqual(new Map([["PrimaryPart", wall?.id ?? 0]]));

  const items = await readItemsAsync(
    sourceOf(peer),
    [door?.id ?? 0, code?.id ?? 0, 99_999],
    ["properties", "attributes", "tags", "source"],
  );
  expect([...items.values()]).toEqual([
    {
      id: door?.id ?? 0,
      className: "Part",
      properties: { Size: { type: "Vector3", value: [1, 2, 3] } },
      attributes: { Zone: "Lobby" },
      tags: ["Solid"],
    },
    {
      id: code?.id ?? 0,
      className: "ModuleScript",
      properties: {},
      attributes: {},
      tags: [],
      source: "return 1",
      isDraft: true,
      hasUnsavedDraft: false,
    },
  ]);
});

test("small pages give the same tree as one page", async () => {
  using peer = await BridgePeer.connectAsync();
  await luauAsync(peer, MAP);
  await luauAsync(peer, `for i = 1, 200 do Instance.new("Part", workspace.Map).Name = "Part" .. i end`);
  const asked: unknown[] = [];
  const paged = await readTreeAsync(sourceOf(peer, asked, 500));
  const whole = await readTreeAsync(sourceOf(peer));
  expect(asked.length).toBeGreaterThan(10);
  expect(paged.roots.map(shape)).toEqual(whole.roots.map(shape));
  expect(whole.roots.map(({ name }) => name)).toContain("Workspace");
});

test("a watched place is read again by its changes alone", async () => {
  using peer = await BridgePeer.connectAsync();
  await luauAsync(peer, MAP);
  const source = sourceOf(peer);
  const options = { watch: true };
  const tree = await readTreeAsync(source, options);
  expect(await refreshTreeAsync(source, options, tree)).toEqual([]);

  const changes: readonly (readonly [string, readonly string[]])[] = [
    [`workspace.Map.Code.Source = "return 2"`, ["Code"]],
    [`workspace.Map.House.Wall.Anchored = true`, ["Wall"]],
    [`workspace.Map.House:SetAttribute("Open", true)`, ["House"]],
    [`workspace.Map.House:AddTag("New")`, ["House"]],
    [`workspace.Map.House:RemoveTag("New")`, ["House"]],
    [`workspace.Map.House.Name = "Home"`, ["Home"]],
    [`workspace.Map.Home.Wall.Parent = workspace.Map`, ["Wall"]],
    [`local v = Instance.new("StringValue", workspace.Map) v.Name = "Text" v.Value = "a"`, ["Text"]],
    [`workspace.Map.Text.Value = "b"`, ["Text"]],
    [`workspace.Map.Text.Name = "Said"`, ["Said"]],
    [`workspace.Map.Code:Destroy()`, []],
  ];
  for (const [script, expected] of changes) {
    await luauAsync(peer, script);
    const changed = await refreshTreeAsync(source, options, tree);
    expect([script, changed.map(({ name }) => name)]).toEqual([script, [...expected]]);
    const fresh = await readTreeAsync(source);
    expect([script, tree.byId.size]).toEqual([script, fresh.byId.size]);
    for (const node of fresh.byId.values()) {
      const { parent: _, children, ...facts } = node;
      expect(tree.byId.get(node.id)).toMatchObject(facts);
      const ids = (list: readonly InstanceNode[] = []) => list.map(({ id }) => id).sort((a, b) => a - b);
      expect(ids(tree.byId.get(node.id)?.children)).toEqual(ids(children));
    }
  }
});

test("a reading that has ended is begun again", async () => {
  using peer = await BridgePeer.connectAsync();
  await luauAsync(peer, MAP);
  const source = sourceOf(peer, [], 100);
  let isSpoilt = false;
  const spoiling: TreeSource = {
    session: source.session,
    async callAsync(name, request) {
      if ("cursor" in request && !isSpoilt) {
        isSpoilt = true;
        for (let index = 0; index < 9; index += 1) await source.callAsync("readTree", {});
      }
      return await source.callAsync(name, request);
    },
  };
  const tree = await readTreeAsync(spoiling, { roots: ["Workspace.Map"] });
  expect(isSpoilt).toBe(true);
  expect(tree.byId.size).toBe(5);
});

test("requests for long sources ask for fewer scripts at once", async () => {
  const asked: number[] = [];
  const long = "x".repeat(8 * 1024);
  const source: TreeSource = {
    session: { origin: "user" },
    callAsync: async (name, request) => {
      const ids: readonly number[] = "ids" in request ? request.ids : [];
      asked.push(ids.length);
      const values = ids.map((id) => `${long}${id}`);
      const picks = values.map((_, at) => at).join();
      const classes = values.map(() => 0).join();
      const columns = [{ of: "source", name: "", rows: picks, picks, values }];
      const payload = { ids: ids.join(), classes, classNames: ["ModuleScript"], columns };
      const decoded = decodeReply(name, { type: "itemsResult", sessionId: "", payload });
      if (!decoded.ok) throw new Error(decoded.fault.message);
      return decoded.value;
    },
  };
  const ids = Array.from({ length: 400 }, (_, at) => at + 1);
  await eachReplyAsync(source, ids, ["source"], () => {});
  const [first, second, ...others] = asked;
  expect([first, second]).toEqual([128, 128]);
  expect(Math.max(...others)).toBe(31);
  expect(asked.reduce((sum, count) => sum + count, 0)).toBe(400);
});
