import { expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isLockedAsync, lockSyncAsync } from "../../../src/sync/sync-lock.ts";
import { syncStateAsync } from "../../../src/sync/state-paths.ts";

test("the lock of a sync belongs to one place", async () => {
  const folder = await mkdtemp(join(tmpdir(), "sb-lock-"));
  const state = await syncStateAsync(join(folder, "default.project.json"), { XDG_STATE_HOME: folder });
  const place = { by: "placeId", value: "1" } as const;
  const other = { by: "file", value: "/a.rbxl" } as const;
  expect((await lockSyncAsync(state, place, "sb sync")).isOurs).toBe(true);
  expect(await isLockedAsync(state, other)).toBe(false);
  expect((await lockSyncAsync(state, other, "sb sync")).isOurs).toBe(true);
  expect((await lockSyncAsync(state, place, "sb sync")).isOurs).toBe(false);
  await rm(folder, { recursive: true });
});
