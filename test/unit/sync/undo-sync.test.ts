/** An undo of a sync with both of its sides: what stands against it leaves both as they are, and a killed one loses nothing. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "bun:test";
import { StudioBridgeError } from "../../../src/protocol/errors.ts";
import { readPlanRecordAsync, writePlanRecordAsync } from "../../../src/sync/files/plan-record.ts";
import { NOTHING_DONE } from "../../../src/sync/revisions/revision.ts";
import { addRevisionAsync, loadLineAsync } from "../../../src/sync/revisions/store.ts";
import { settleInterruptedPlansAsync } from "../../../src/sync/interrupted-plans.ts";
import { syncStateAsync } from "../../../src/sync/state-paths.ts";
import { lastPlanAsync, type OtherSide, undoSyncAsync } from "../../../src/sync/undo-sync.ts";
import { newNode } from "../../../src/roblox/rojo/node.ts";
import { at, PLACE, setSource, type World, worldAsync } from "./files/sync-world.ts";

const FILES = { "src/One.luau": "return 1\n", "src/Two.luau": "return 2\n" };

/** What the other side was asked, in order. */
class Other implements OtherSide {
  readonly calls: string[] = [];
  readonly #answer: () => Promise<string | undefined>;

  constructor(answer: () => Promise<string | undefined> = async () => undefined) {
    this.#answer = answer;
  }

  async takeBackAsync(): Promise<string | undefined> {
    this.calls.push("take back");
    return this.#answer();
  }

  async redoAsync(): Promise<boolean> {
    this.calls.push("redo");
    return true;
  }

  async nameAsync(): Promise<void> {
    this.calls.push("name");
  }
}

/** The state before the sync, of which what it had changed waits for an answer. */
const OPEN: readonly unknown[] = ["old", ["name", "pull_undone"]];

function named(name: string) {
  const root = newNode(name, "Folder");
  root.item = 1;
  return root;
}

/** A sync that pulled two files and pushed something. */
async function syncedAsync(world: World) {
  const parent = at(world.studio, "ReplicatedStorage");
  for (const name of ["One", "Two"]) setSource(at(parent, name), "return 10\n");
  const before = await world.snapshotAsync();
  const state = await syncStateAsync(join(world.folder, "default.project.json"), world.environment);
  const revision = (name: string, base?: string) => ({
    ...{ root: named(name), doneOf: () => NOTHING_DONE, base, isConfirmed: true },
  });
  const first = await addRevisionAsync(state, undefined, revision("old"));
  await world.pullAsync();
  const recorded = await lastPlanAsync(state);
  if (recorded === undefined) throw new Error("the plan was not recorded");
  const { line } = await addRevisionAsync(state, first, revision("new", first.line.name));
  const studio = { callerId: "one", changes: 1 };
  const record = { ...recorded, studio, revision: line.name };
  await writePlanRecordAsync(state, record);
  /** What both sides were said to agree on last, and what of it waits for an answer. */
  const baseAsync = async (): Promise<readonly unknown[]> => {
    const root = (await loadLineAsync(state, true)).kept?.line.root;
    return [root?.name, ...(root?.leftOpen ?? [])];
  };
  const statusAsync = async () => (await readPlanRecordAsync(state, record.planId))?.status;
  return { state, record, before, after: await world.snapshotAsync(), baseAsync, statusAsync };
}

test("both sides go back, and what the sync had changed waits for an answer", async () => {
  await using world = await worldAsync(FILES);
  const { state, record, before, baseAsync, statusAsync } = await syncedAsync(world);
  const other = new Other();
  expect(await undoSyncAsync(state, record, other)).toMatchObject({ isWhole: true, studioChanges: 1 });
  expect(other.calls).toEqual(["take back", "name"]);
  expect([await world.snapshotAsync(), await baseAsync(), await statusAsync()]).toEqual([
    before,
    OPEN,
    "undone",
  ]);
});

test("a file that has changed keeps Studio from being asked, and stays with all others", async () => {
  await using world = await worldAsync(FILES);
  const { state, record, baseAsync, statusAsync } = await syncedAsync(world);
  await writeFile(join(world.folder, "src/One.luau"), "return 99\n");
  const edited = await world.snapshotAsync();
  const other = new Other();
  const undone = await undoSyncAsync(state, record, other);
  expect(undone).toMatchObject({ isWhole: false, fileSteps: 0, studioChanges: 0 });
  expect(Object.values(undone.refused)).toEqual(["has changed since the sync"]);
  expect(other.calls).toEqual([]);
  expect([await world.snapshotAsync(), await baseAsync(), await statusAsync()]).toEqual([
    edited,
    ["new"],
    "applied",
  ]);
  // The files alone go as far as they can.
  expect(await undoSyncAsync(state, record, "kept")).toMatchObject({ isWhole: false, fileSteps: 2 });
  expect(await world.snapshotAsync()).toMatchObject({
    "src/Two.luau": expect.stringContaining("return 2\n"),
  });
  expect([await baseAsync(), await statusAsync()]).toEqual([OPEN, "partly_undone"]);
});

test("what Studio cannot take back leaves the files as they are", async () => {
  await using world = await worldAsync(FILES);
  const { state, record, after, baseAsync, statusAsync } = await syncedAsync(world);
  const undone = await undoSyncAsync(state, record, new Other(async () => "it has a newer step"));
  expect(undone).toMatchObject({ isWhole: false, refused: { [record.label]: "it has a newer step" } });
  expect([await world.snapshotAsync(), await baseAsync(), await statusAsync()]).toEqual([
    after,
    ["new"],
    "applied",
  ]);
});

test("files that can no longer be taken back once Studio has done its part let Studio make it again", async () => {
  await using world = await worldAsync(FILES);
  const { state, record, baseAsync, statusAsync } = await syncedAsync(world);
  const other = new Other(async () => {
    for (const name of ["One", "Two"]) await writeFile(join(world.folder, `src/${name}.luau`), "return 99\n");
    return undefined;
  });
  expect(await undoSyncAsync(state, record, other)).toMatchObject({ isWhole: false, studioChanges: 0 });
  expect(other.calls).toEqual(["take back", "redo"]);
  expect([await baseAsync(), await statusAsync()]).toEqual([["new"], "applied"]);
});

test("an undo whose end at Studio is unknown leaves the files, and everything of the sync open", async () => {
  await using world = await worldAsync(FILES);
  const { state, record, before, after, baseAsync, statusAsync } = await syncedAsync(world);
  const lost = new Other(async () => {
    throw new StudioBridgeError("TIMEOUT", "The host is gone.", { outcome: "unknown" });
  });
  await expect(undoSyncAsync(state, record, lost)).rejects.toThrow("The host is gone.");
  expect([await world.snapshotAsync(), await baseAsync(), await statusAsync()]).toEqual([
    after,
    ["new"],
    "undoing",
  ]);
  await settleInterruptedPlansAsync(state, PLACE);
  expect([await world.snapshotAsync(), await baseAsync(), await statusAsync()]).toEqual([
    after,
    OPEN,
    "applied",
  ]);
  expect(await undoSyncAsync(state, record, new Other())).toMatchObject({ isWhole: true });
  expect(await world.snapshotAsync()).toEqual(before);
});

test("an undo that was killed after Studio's part is completed in the same way", async () => {
  await using world = await worldAsync(FILES);
  const { state, record, before, baseAsync, statusAsync } = await syncedAsync(world);
  await writePlanRecordAsync(state, { ...record, status: "undoing", otherSide: "taken back" });
  await settleInterruptedPlansAsync(state, PLACE);
  expect([await world.snapshotAsync(), await baseAsync(), await statusAsync()]).toEqual([
    before,
    OPEN,
    "undone",
  ]);
});

test("an older sync with the place goes back only after the later one", async () => {
  await using world = await worldAsync(FILES);
  const { state, record } = await syncedAsync(world);
  setSource(at(at(world.studio, "ReplicatedStorage"), "One"), "return 11\n");
  await world.pullAsync();
  const later = await lastPlanAsync(state);
  if (later === undefined) throw new Error("the plan was not recorded");
  const other = new Other();
  const undone = await undoSyncAsync(state, record, other);
  expect(undone).toMatchObject({
    isWhole: false,
    refused: { [later.planId]: expect.stringContaining("later") },
  });
  expect(other.calls).toEqual([]);
});
