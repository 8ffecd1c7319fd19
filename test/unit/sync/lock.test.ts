/** One sync at a time for a project and a place. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { lockSyncAsync, type SyncLock } from "../../../src/sync/lock.ts";
import { lockFile, type SyncState, syncStateAsync } from "../../../src/sync/state-paths.ts";

let folder = "";
let state: SyncState;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "sb-lock-"));
  state = await syncStateAsync(join(folder, "default.project.json"), { XDG_STATE_HOME: folder });
});
afterEach(() => rm(folder, { recursive: true }));

const PLACE = { by: "placeId", value: "1" } as const;
const lockAsync = (): Promise<SyncLock> => lockSyncAsync(state, PLACE, "sb sync");

/** A process that has ended. */
async function deadPidAsync(): Promise<number> {
  const child = Bun.spawn([process.execPath, "--version"], { stdout: "ignore" });
  await child.exited;
  return child.pid;
}

const putAsync = async (owner: object | string): Promise<void> => {
  await lockAsync().then((lock) => (lock.isOurs ? lock.releaseAsync() : undefined));
  await writeFile(lockFile(state, PLACE), typeof owner === "string" ? owner : JSON.stringify(owner));
};

describe("the lock of a sync", () => {
  test("names its owner to a second sync, and is free after it", async () => {
    const first = await lockAsync();
    if (!first.isOurs) throw new Error("the lock is taken");
    const second = await lockAsync();
    expect(second).toMatchObject({ isOurs: false, owner: { pid: process.pid, command: "sb sync" } });
    expect((await stat(lockFile(state, PLACE))).mode & 0o077).toBe(0);
    await first.releaseAsync();
    expect((await lockAsync()).isOurs).toBe(true);
  });

  test("belongs to one place", async () => {
    expect((await lockAsync()).isOurs).toBe(true);
    const other = await lockSyncAsync(state, { by: "file", value: "/a.rbxl" }, "sb sync");
    expect(other.isOurs).toBe(true);
  });

  test("of a dead process, and a broken one, is taken over", async () => {
    const owner = { pid: await deadPidAsync(), command: "sb sync", sinceMs: 0 };
    for (const left of [owner, "broken", {}, ""]) {
      await putAsync(left);
      const lock = await lockAsync();
      expect(lock.isOurs).toBe(true);
      if (lock.isOurs) await lock.releaseAsync();
    }
    expect(await readdir(state.folder)).toEqual([]);
  });

  test.skipIf(process.platform !== "linux")(
    "of a process whose number another process got is taken over",
    async () => {
      await putAsync({ pid: process.pid, bornAt: "another boot 1", command: "sb sync", sinceMs: 0 });
      expect((await lockAsync()).isOurs).toBe(true);
    },
  );

  test("goes to one of many that want it at once, also over a dead owner", async () => {
    const owner = { pid: await deadPidAsync(), command: "sb sync", sinceMs: 0 };
    for (let round = 0; round < 10; round++) {
      await putAsync(owner);
      const locks = await Promise.all(Array.from({ length: 12 }, lockAsync));
      const ours = locks.filter((lock) => lock.isOurs);
      expect(ours).toHaveLength(1);
      for (const lock of ours) await lock.releaseAsync();
    }
  });
});
