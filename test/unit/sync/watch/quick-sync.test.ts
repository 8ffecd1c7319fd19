/** Which changes of files a watched sync may take for simple ones, and which need a whole sync. */
import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  openSessionAsync,
  type SessionCounterpart,
} from "../../../../src/sync/studio/session-counterpart.ts";
import { QuickSync } from "../../../../src/sync/watch/quick-sync.ts";
import { runSyncAsync, type SyncRun } from "../../../../src/sync/run-sync.ts";
import { syncStateAsync } from "../../../../src/sync/state-paths.ts";
import { BridgePeer } from "../../plugin/bridge-peer.ts";
import { ownFolder } from "../../own-folder.ts";
import { linkOf, luauAsync, schema } from "../studio/studio-peer.ts";

const top = ownFolder("sb-quick-");

const { signal } = new AbortController();

const wholeSyncAsync = (projectFile: string, studio: SessionCounterpart) =>
  runSyncAsync(
    {
      projectFile,
      mode: "standard",
      isPartial: true,
      properties: undefined,
      overrides: [],
      allowedRemovals: undefined,
      allowsOutside: false,
      safeNames: false,
    },
    studio,
    { schema, signal, command: "a test", status: () => {} },
  );

/** What a watched sync knows after a whole one. */
async function afterWholeSyncAsync(
  projectFile: string,
  studio: SessionCounterpart,
  run?: SyncRun,
): Promise<QuickSync | undefined> {
  run ??= await wholeSyncAsync(projectFile, studio);
  return QuickSync.afterAsync(run, {
    studio,
    state: await syncStateAsync(projectFile),
    command: "a test",
    callerId: "one",
    signal,
    allowsOutside: false,
  });
}

test("a script that is gone for a moment while it is saved is edited; the removal of what the last whole sync has read or written needs a whole sync, and other passing files need none", async () => {
  const src = join(top.path, "src");
  await mkdir(join(src, "Inner"), { recursive: true });
  await mkdir(join(src, "Empty"));
  await writeFile(join(src, "One.luau"), "return 1");
  await writeFile(join(src, "Model.model.json"), JSON.stringify({ className: "Folder" }));
  await writeFile(join(src, "One.meta.json"), JSON.stringify({ attributes: { A: 1 } }));
  await writeFile(join(src, "Inner", "init.meta.json"), JSON.stringify({ attributes: { A: 1 } }));
  const projectFile = join(top.path, "default.project.json");
  const tree = { $className: "DataModel", ReplicatedStorage: { Shared: { $path: "src" } } };
  await writeFile(projectFile, JSON.stringify({ name: "Game", tree }));
  using peer = await BridgePeer.connectAsync();
  await using studio = await openSessionAsync(projectFile, linkOf(peer));

  await afterWholeSyncAsync(projectFile, studio);
  let quick = await afterWholeSyncAsync(projectFile, studio);
  const changesOf = (path: string) => ({
    files: new Set([join(src, path)]),
    isStudio: false,
    isAll: false,
    typing: new Set<string>(),
  });
  expect(await quick?.syncAsync(changesOf("One.luau.tmp"))).toEqual([]);
  // An editor that saves in this way leaves the Instance as it is, with its place, its children and what refers to it.
  await rm(join(src, "One.luau"));
  const saved = quick?.syncAsync(changesOf("One.luau"));
  await Bun.sleep(1);
  writeFileSync(join(src, "One.luau"), "return 2");
  expect((await saved)?.map(({ item, applied }) => [item.change, item.verdict, applied])).toEqual([
    ["edit", "push", true],
  ]);
  for (const path of ["One.meta.json", "Inner/init.meta.json", "Model.model.json", "Empty"]) {
    await rm(join(src, path), { recursive: true });
    expect([path, await quick?.syncAsync(changesOf(path))]).toEqual([path, undefined]);
  }

  await luauAsync(
    peer,
    `local new = Instance.new("ModuleScript")
     new.Name = "New"
     new.Parent = game.ReplicatedStorage.Shared`,
  );
  quick = await afterWholeSyncAsync(projectFile, studio);
  await rm(join(src, "New.luau"));
  expect(quick).toBeDefined();
  expect(await quick?.syncAsync(changesOf("New.luau"))).toBeUndefined();
});

test("a saved script takes no look at the rest of the project, not even the first one after a whole sync", async () => {
  const project = join(top.path, "alone");
  const script = join(project, "src", "One.luau");
  await mkdir(join(project, "src"), { recursive: true });
  await writeFile(script, "return 1");
  const projectFile = join(project, "default.project.json");
  const tree = { $className: "DataModel", ReplicatedStorage: { Alone: { $path: "src" } } };
  await writeFile(projectFile, JSON.stringify({ name: "Alone", tree }));
  using peer = await BridgePeer.connectAsync();
  await using studio = await openSessionAsync(projectFile, linkOf(peer));
  await wholeSyncAsync(projectFile, studio);
  const run = await wholeSyncAsync(projectFile, studio);
  const quick = await afterWholeSyncAsync(projectFile, studio, run);

  const looks: string[] = [];
  const { state } = run.plan;
  const { all } = state.entries;
  Object.defineProperty(state.entries, "all", { get: () => (looks.push("entries"), all) });
  await writeFile(script, "return 2");
  const changes = { files: new Set([script]), isStudio: false, isAll: false, typing: new Set<string>() };
  expect((await quick?.syncAsync(changes))?.map(({ applied }) => applied)).toEqual([true]);
  expect(looks).toEqual([]);
  expect(run.plan.leftOut).toBe(0);
  expect(looks).toEqual(["entries"]);
});
