/** Checkpoints on disk: what is refused for want of room, and what goes by itself. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdir, mkdtemp, readdir, rm, truncate, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  dropCheckpointAsync,
  listCheckpointsAsync,
  loadCopyAsync,
  saveCheckpointAsync,
} from "../../../../src/tree/checkpoints/checkpoint-store.ts";
import type { PlaceCopy } from "../../../../src/tree/checkpoints/checkpoint-copy.ts";
import { sessionInfo } from "../../command-kit/sessions/sessions-fixture.ts";

const before = process.env["XDG_STATE_HOME"];
let state: string;
beforeAll(async () => {
  state = await mkdtemp(join(tmpdir(), "sb-checkpoints-"));
  process.env["XDG_STATE_HOME"] = state;
});
afterAll(async () => {
  if (before === undefined) delete process.env["XDG_STATE_HOME"];
  else process.env["XDG_STATE_HOME"] = before;
  await rm(state, { recursive: true });
});

// The parts of a session that name its place.
const sessionOf = (placeId: number) => sessionInfo({ placeId, instanceId: "window" });
const copy: PlaceCopy = {
  generation: "g",
  rootPaths: [[1, "game.Workspace"]],
  nodes: [[1, 0, "Workspace", "Workspace", "", null, false, []]],
  items: [],
  defaults: {},
  models: [],
};
const facts = (name: string) => ({
  name,
  createdAt: new Date().toISOString(),
  placeName: "Place",
  instances: 1,
  mark: "m/0",
});
const namesAsync = async (placeId: number) =>
  (await listCheckpointsAsync(sessionOf(placeId))).map(({ name }) => name);

test("each place has checkpoints of its own, which are read as they were saved", async () => {
  await saveCheckpointAsync(sessionOf(1), facts("../one"), copy);
  await saveCheckpointAsync(sessionOf(2), facts("two"), copy);
  expect([await namesAsync(1), await namesAsync(2)]).toEqual([["../one"], ["two"]]);
  expect(await loadCopyAsync(sessionOf(1), "../one")).toEqual(copy);
  await dropCheckpointAsync(sessionOf(2), "two");
  expect(await namesAsync(2)).toEqual([]);
  expect(await readdir(join(state, "studio-bridge"))).toEqual(["checkpoints"]);
});

test("a file of facts that lacks some is not listed", async () => {
  await saveCheckpointAsync(sessionOf(5), facts("whole"), copy);
  const checkpoints = join(state, "studio-bridge", "checkpoints");
  const places = await readdir(checkpoints);
  for (const place of places)
    await writeFile(
      join(checkpoints, place, "half.facts.json"),
      JSON.stringify({ version: 1, name: "half" }),
    );
  const names = await namesAsync(5);
  for (const place of places) await rm(join(checkpoints, place, "half.facts.json"));
  await dropCheckpointAsync(sessionOf(5), "whole");
  expect(names).toEqual(["whole"]);
});

test("a checkpoint that has no room is refused with the largest one; those of 30 days ago go", async () => {
  const folder = join(state, "studio-bridge", "checkpoints", "other-place");
  await mkdir(folder);
  const large = join(folder, "large.copy");
  await writeFile(large, "");
  await truncate(large, 200 * 1024 * 1024);
  expect(
    await saveCheckpointAsync(sessionOf(1), facts("three"), copy).catch((error: unknown) => error),
  ).toMatchObject({
    code: "INVALID_INPUT",
    message: "The checkpoint needs 1 MB, and 201 MB of 200 MB are used.",
    hint: 'Drop one; the largest is "../one" with 1 MB.',
  });
  const old = Date.now() / 1000 - 31 * 24 * 60 * 60;
  await utimes(large, old, old);
  await saveCheckpointAsync(sessionOf(1), facts("three"), copy);
  expect(await namesAsync(1)).toEqual(["three", "../one"]);
  expect(await readdir(folder)).toEqual([]);
});

test("a copy that is damaged is told", async () => {
  await saveCheckpointAsync(sessionOf(3), facts("broken"), copy);
  const root = join(state, "studio-bridge", "checkpoints");
  for (const folder of await readdir(root))
    for (const name of await readdir(join(root, folder)))
      if (name.endsWith(".copy")) await writeFile(join(root, folder, name), "no copy");
  expect(await loadCopyAsync(sessionOf(3), "broken").catch((error: unknown) => error)).toMatchObject({
    code: "FILE_ERROR",
    hint: "Drop it, and make another.",
  });
});
