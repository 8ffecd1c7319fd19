/** What a sync reads of a Studio, and when it refuses one. */
import { expect, test } from "bun:test";
import { openSessionAsync } from "../../../../src/sync/studio/session-counterpart.ts";
import { words } from "../../../../src/protocol/words.ts";
import type { RojoNode } from "../../../../src/roblox/rojo/node.ts";
import { BridgePeer } from "../../plugin/bridge-peer.ts";
import { filesOf, linkOf, luauAsync, type Call } from "./studio-peer.ts";

const PROJECT = "/nowhere/default.project.json";
const { signal } = new AbortController();

const openAsync = (peer: BridgePeer, calls?: Call[]) => openSessionAsync(PROJECT, linkOf(peer, calls));

/** The nodes as nested lists of names. */
const shape = ({ name, children }: RojoNode): unknown =>
  children.length === 0 ? name : [name, ...children.map(shape)];

function nodeAt(root: RojoNode, ...names: readonly string[]): RojoNode {
  const [name, ...rest] = names;
  if (name === undefined) return root;
  const child = root.children.find((each) => each.name === name);
  if (child === undefined) throw new Error(`no ${name} below ${root.name}`);
  return nodeAt(child, ...rest);
}

const PLACE = `
  local shared = Instance.new("Folder", game.ReplicatedStorage) shared.Name = "Shared"
  local module = Instance.new("ModuleScript", shared) module.Name = "M" module.Source = "return 1"
  local odd = Instance.new("Folder", shared) odd.Name = 'a.b["c"]'
  local other = Instance.new("Folder", game.ReplicatedStorage) other.Name = "Other"
  for index = 1, 2 do
    local twin = Instance.new("Part", workspace) twin.Name = "Twin" twin.Transparency = index / 4
  end
  local value = Instance.new("ObjectValue", shared) value.Name = "Ref" value.Value = module
  module:SetAttribute("Speed", 3) module:AddTag("B") module:AddTag("A")
  game.ServerStorage:SetAttribute("${words.placeMark}", "abc")
  game.ServerStorage:SetAttribute("Mine", true)`;

const FILES = filesOf([
  ["ReplicatedStorage", "ReplicatedStorage", [["Shared", "Folder"]]],
  [
    "Workspace",
    "Workspace",
    [
      ["Twin", "Part"],
      ["Twin", "Part"],
      ["Missing", "Folder"],
    ],
  ],
  ["ServerStorage", "ServerStorage"],
]);

test("reads what the project is about: whole folders, and named children of services", async () => {
  using peer = await BridgePeer.connectAsync();
  await luauAsync(peer, PLACE);
  await using studio = await openAsync(peer);
  const root = await studio.readAsync(FILES, "listed", signal);
  expect(shape(root)).toEqual([
    "Game",
    ["ReplicatedStorage", ["Shared", "M", 'a.b["c"]', "Ref"]],
    ["Workspace", "Twin", "Twin"],
    "ServerStorage",
  ]);
  const module = nodeAt(root, "ReplicatedStorage", "Shared", "M");
  expect(module.studioId).toBeGreaterThan(0);
  expect(Object.fromEntries(module.properties)).toEqual({
    Source: { type: "String", value: "return 1" },
    Tags: { type: "String", value: "A\0B" },
  });
  expect([...module.attributes]).toEqual([["Speed", { type: "Float64", value: 3 }]]);
  expect(nodeAt(root, "ReplicatedStorage", "Shared", "Ref").references.get("Value")).toBe(module);
  const twins = nodeAt(root, "Workspace").children.map(
    ({ properties }) => properties.get("Transparency")?.value,
  );
  expect(twins).toEqual([0.25, 0.5]);
  expect([...nodeAt(root, "ServerStorage").attributes.keys()]).toEqual(["Mine"]);
});

test("a place is known by its mark, and until it has one by the life of its plugin", async () => {
  using peer = await BridgePeer.connectAsync();
  await using fresh = await openAsync(peer);
  expect(fresh.place).toEqual({ by: "mark", value: expect.stringMatching(/^[\dA-F-]{36}$/) });
  await fresh[Symbol.asyncDispose]();
  await luauAsync(peer, PLACE);
  await using marked = await openAsync(peer);
  expect(marked.place).toEqual({ by: "mark", value: "abc" });
});

test("the second reading asks only for what has changed, and has all of it", async () => {
  using peer = await BridgePeer.connectAsync();
  await luauAsync(peer, PLACE);
  const calls: Call[] = [];
  await using studio = await openAsync(peer, calls);
  const files = filesOf([["ReplicatedStorage", "ReplicatedStorage", [["Shared", "Folder"]]]]);
  await studio.readAsync(files, "listed", signal);
  await luauAsync(
    peer,
    `local shared = game.ReplicatedStorage.Shared
     shared.M.Source = "return 2" shared.M.Name = "N" shared.Ref.Value = nil
     shared:FindFirstChild('a.b["c"]'):Destroy()
     local deep = Instance.new("Folder", shared.N) deep.Name = "Deep"
     Instance.new("Part", deep).Anchored = true`,
  );
  calls.length = 0;
  const root = await studio.readAsync(files, "listed", signal);
  expect(shape(root)).toEqual(["Game", ["ReplicatedStorage", ["Shared", ["N", ["Deep", "Part"]], "Ref"]]]);
  const renamed = nodeAt(root, "ReplicatedStorage", "Shared", "N");
  expect(renamed.properties.get("Source")?.value).toBe("return 2");
  expect(nodeAt(root, "ReplicatedStorage", "Shared", "Ref").references.size).toBe(0);
  expect(calls.map(({ name }) => name)).not.toContain("readScripts");
  const asked = calls
    .filter(({ name }) => name === "readItems")
    .map(({ request }) => Object(request).ids.length);
  // The service, the script and the reference that were changed, and two new Instances.
  expect(asked).toEqual([5]);

  await luauAsync(
    peer,
    `local n = game.ReplicatedStorage.Shared.N n.Source = "" n:SetAttribute("Speed", nil)
    n:RemoveTag("A") n:RemoveTag("B") n.Deep.Part.Anchored = false`,
  );
  const plain = await studio.readAsync(files, "listed", signal);
  const script = nodeAt(plain, "ReplicatedStorage", "Shared", "N");
  expect([...script.properties]).toEqual([["Source", { type: "String", value: "" }]]);
  expect([...script.attributes]).toEqual([]);
});

test("a second sync is refused, and a model project too", async () => {
  using peer = await BridgePeer.connectAsync();
  await using first = await openAsync(peer);
  await expect(openAsync(peer)).rejects.toThrow(/sb sync \(process \d+ on .*\) syncs this place already/);
  await expect(first.readAsync({ ...filesOf([]), className: "Folder" }, "listed", signal)).rejects.toThrow(
    "The project is a model",
  );
});

test("a place that plays is refused with the next step, and is not held", async () => {
  using peer = await BridgePeer.connectAsync();
  const link = linkOf(peer);
  const callAsync = async (...[name, request]: Parameters<typeof link.callAsync>) => ({
    ...(await link.callAsync(name, request)),
    ...(name === "syncOpen" ? { state: "Play" } : {}),
  });
  const playing = { ...link, callAsync } as typeof link;
  const refused = openSessionAsync(PROJECT, playing);
  await expect(refused).rejects.toMatchObject({
    code: "EDIT_REFUSED",
    message: "Test.rbxl plays, and a sync works on the edited place.",
    hint: "End the test with `sb play stop`, then sync again.",
  });
  await using _studio = await openAsync(peer);
});
