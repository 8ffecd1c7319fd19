import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { lockAsync, lockOwnerAsync, type ProcessLock } from "../../../src/util/process-lock.ts";

let folder = "";
let path = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "sb-lock-"));
  path = join(folder, "made", "lock");
});
afterEach(() => rm(folder, { recursive: true }));

const takeAsync = (): Promise<ProcessLock> => lockAsync(path, "sb sync");

/** A process that has ended. */
async function deadPidAsync(): Promise<number> {
  const child = Bun.spawn([process.execPath, "--version"], { stdout: "ignore" });
  await child.exited;
  return child.pid;
}

const putAsync = async (owner: object | string): Promise<void> => {
  await takeAsync().then((lock) => (lock.isOurs ? lock.releaseAsync() : undefined));
  await writeFile(path, typeof owner === "string" ? owner : JSON.stringify(owner));
};

describe("a lock", () => {
  test("names its owner to a second process, and is free after it", async () => {
    const first = await takeAsync();
    if (!first.isOurs) throw new Error("the lock is taken");
    const second = await takeAsync();
    expect(second).toMatchObject({ isOurs: false, owner: { pid: process.pid, command: "sb sync" } });
    expect((await stat(path)).mode & 0o077).toBe(0);
    expect(await lockOwnerAsync(path)).toMatchObject({ pid: process.pid });
    await first.releaseAsync();
    expect(await lockOwnerAsync(path)).toBeUndefined();
    expect((await takeAsync()).isOurs).toBe(true);
  });

  test("of a dead process, and a broken one, is taken over", async () => {
    const owner = { pid: await deadPidAsync(), command: "sb sync", sinceMs: 0 };
    for (const left of [owner, "broken", {}, ""]) {
      await putAsync(left);
      const lock = await takeAsync();
      expect(lock.isOurs).toBe(true);
      if (lock.isOurs) await lock.releaseAsync();
    }
    expect(await readdir(dirname(path))).toEqual([]);
  });

  test.skipIf(process.platform !== "linux")(
    "of a process whose number another process got is taken over",
    async () => {
      await putAsync({ pid: process.pid, bornAt: "another boot 1", command: "sb sync", sinceMs: 0 });
      expect((await takeAsync()).isOurs).toBe(true);
    },
  );

  test("goes to one of many that want it at once, also over a dead owner", async () => {
    const owner = { pid: await deadPidAsync(), command: "sb sync", sinceMs: 0 };
    for (let round = 0; round < 10; round++) {
      await putAsync(owner);
      const locks = await Promise.all(Array.from({ length: 12 }, takeAsync));
      const ours = locks.filter((lock) => lock.isOurs);
      expect(ours).toHaveLength(1);
      for (const lock of ours) await lock.releaseAsync();
    }
  });
});
