/** What a sync reads of Studio ahead of the files: it saves time, and changes nothing in what the sync sees. */
import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSessionAsync } from "../../../../src/sync/studio/session-counterpart.ts";
import { likelyTreeAsync } from "../../../../src/sync/studio/likely-tree.ts";
import { BridgePeer } from "../../plugin/bridge-peer.ts";
import { type Call, filesOf, linkOf, luauAsync } from "./studio-peer.ts";

const folder = mkdtempSync(join(tmpdir(), "sb-likely-tree-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const { signal } = new AbortController();

const FILES = filesOf([["ReplicatedStorage", "ReplicatedStorage", [["Shared", "Folder"]]]]);
const SHARED = { $className: "DataModel", ReplicatedStorage: { Shared: { $path: "src" } } };

async function projectAsync(content: unknown): Promise<string> {
  const path = join(folder, `${crypto.randomUUID()}.project.json`);
  await Bun.write(path, typeof content === "string" ? content : JSON.stringify(content));
  return path;
}

async function untilReadAsync(calls: readonly Call[]): Promise<void> {
  const isRead = () => calls.some(({ name }) => name === "readItems");
  while (!isRead()) await Bun.sleep(1);
}

const PLACE = `
  local shared = Instance.new("Folder", game.ReplicatedStorage) shared.Name = "Shared"
  for index = 1, 5 do
    local module = Instance.new("ModuleScript", shared) module.Name = "M" .. index module.Source = "return 1"
  end`;

test("a project that says what it is about is read ahead, and what has changed since is read again", async () => {
  using peer = await BridgePeer.connectAsync();
  await luauAsync(peer, PLACE);
  const calls: Call[] = [];
  const project = await projectAsync({ name: "Game", tree: SHARED });
  await using studio = await openSessionAsync(project, linkOf(peer, calls));
  studio.foresee?.(project);
  await untilReadAsync(calls);
  await luauAsync(
    peer,
    `local shared = game.ReplicatedStorage.Shared
     shared.M1.Source = "return 2" shared.M2:Destroy() Instance.new("Folder", shared).Name = "New"`,
  );
  calls.length = 0;
  const root = await studio.readAsync(FILES, "listed", signal);
  const shared = root.children[0]?.children[0];
  expect(shared?.children.map(({ name }) => name).toSorted()).toEqual(["M1", "M3", "M4", "M5", "New"]);
  expect(shared?.children.map(({ properties }) => properties.get("Source")?.value)).toContain("return 2");
  const trees = calls.filter(({ name }) => name === "readTree");
  expect(trees.map(({ request }) => typeof Object(request).since)).toEqual(["string"]);
});

test.each([
  ["names something else", { name: "Game", tree: { $className: "DataModel", Workspace: { $path: "map" } } }],
  ["is a model", { name: "Game", tree: { $path: "src" } }],
  ["is broken", "{ no"],
])("a project file that %s changes nothing in what is read", async (_, content) => {
  using peer = await BridgePeer.connectAsync();
  await luauAsync(peer, PLACE);
  const project = await projectAsync(content);
  await using studio = await openSessionAsync(project, linkOf(peer));
  studio.foresee?.(project);
  const root = await studio.readAsync(FILES, "listed", signal);
  await using plain = await openPlainAsync(studio, project, peer);
  expect(root).toEqual(await plain.readAsync(FILES, "listed", signal));
  expect(root.children[0]?.children[0]?.children).toHaveLength(5);
});

/** The same place, of which nothing was read ahead. */
async function openPlainAsync(before: AsyncDisposable, project: string, peer: BridgePeer) {
  await before[Symbol.asyncDispose]();
  return openSessionAsync(project, linkOf(peer));
}

test("a node is read whole if it has a path, or if the project says that it holds nothing else", async () => {
  const project = await projectAsync({
    name: "Game",
    tree: {
      $className: "DataModel",
      Workspace: { $ignoreUnknownInstances: false, Map: { $path: "map" } },
      ServerStorage: { Kept: { $path: "kept", $ignoreUnknownInstances: true } },
      Lighting: { $properties: { Brightness: 2 } },
    },
  });
  const tree = await likelyTreeAsync(project);
  const facts = tree?.children.map(({ name, origin, children }) => ({
    name,
    isWhole: origin?.ignoreUnknownInstances === false,
    below: children.map((child) => child.origin?.ignoreUnknownInstances === false),
  }));
  expect(facts).toEqual([
    { name: "Workspace", isWhole: true, below: [true] },
    { name: "ServerStorage", isWhole: false, below: [false] },
    { name: "Lighting", isWhole: false, below: [] },
  ]);
});
