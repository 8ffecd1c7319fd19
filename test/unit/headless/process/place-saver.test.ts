/** Where the place of a headless Studio goes: what counts as saved, and what a failure leaves. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { prepareAsync } from "../../../../scripts/prepare.ts";
import { listKeptPlacesAsync } from "../../../../src/headless/kept-places.ts";
import { PlaceReader } from "../../../../src/headless/process/place-reader.ts";
import { PlaceSaver } from "../../../../src/headless/process/place-saver.ts";
import { HeadlessStudio } from "../../../../src/headless/window/studio.ts";
import { assets, noNetwork } from "../../../headless/run-spec.ts";

await prepareAsync();
const before = process.env["XDG_STATE_HOME"];
let folder = "";

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "saver-"));
  process.env["XDG_STATE_HOME"] = folder;
});
afterEach(async () => {
  if (before === undefined) delete process.env["XDG_STATE_HOME"];
  else process.env["XDG_STATE_HOME"] = before;
  await rm(folder, { recursive: true });
});

function opened(facts: Partial<ConstructorParameters<typeof PlaceSaver>[0]> = {}) {
  const studio = new HeadlessStudio({
    assets,
    host: { ...noNetwork, log: () => {} },
    onPlaceSaved: (place) => reader.placeGiven(place),
    onUnsavedTold: (isUnsaved) => reader.unsavedTold(isUnsaved),
  });
  const reader = new PlaceReader({
    askForPlace: () => studio.dispatch("savePlace"),
    askUnsaved: () => studio.dispatch("askUnsaved"),
  });
  studio.dispatch("watchPlace");
  const saver = new PlaceSaver({ placeName: "G", keepsUnsaved: true, ...facts });
  saver.attach(reader);
  const change = () => studio.runSource("=change", "Instance.new('Folder', workspace)");
  return { saver, change, [Symbol.dispose]: () => studio[Symbol.dispose]() };
}

test("a place without changes leaves nothing, one with changes is kept once", async () => {
  {
    using studio = opened();
    expect(await studio.saver.putAwayAsync()).toEqual({});
  }
  using studio = opened();
  studio.change();
  const { kept } = await studio.saver.putAwayAsync();
  await studio.saver.putAwayAtEndAsync();
  expect(await listKeptPlacesAsync()).toMatchObject([{ name: kept, placeName: "G" }]);
});

test("a saved place is not kept, and its file is where the next save goes", async () => {
  using studio = opened();
  studio.change();
  const file = join(folder, "g.rbxl");
  const { bytes } = await studio.saver.saveAsync(file);
  expect((await readFile(file)).length).toBe(bytes);
  expect(await studio.saver.stateAsync()).toEqual({ file, isUnsaved: false });
  expect(await studio.saver.putAwayAsync()).toEqual({});
});

test("a save that failed leaves the place unsaved, and its earlier file known", async () => {
  const file = join(folder, "g.rbxl");
  using studio = opened({ file });
  studio.change();
  await expect(studio.saver.saveAsync(join(folder, "none", "g.rbxl"))).rejects.toMatchObject({
    code: "FILE_ERROR",
  });
  expect(await studio.saver.stateAsync()).toEqual({ file, isUnsaved: true });
});

test("changes are dropped only when that was asked for", async () => {
  using studio = opened({ savesAt: join(folder, "end.rbxl") });
  studio.change();
  expect(await studio.saver.putAwayAsync(true)).toEqual({});
  await studio.saver.putAwayAtEndAsync();
  expect(await Bun.file(join(folder, "end.rbxl")).exists()).toBe(false);
});

test("what cannot be saved at the end is kept, and the failure is told", async () => {
  using studio = opened({ savesAt: join(folder, "none", "end.rbxl") });
  await expect(studio.saver.putAwayAsync()).rejects.toMatchObject({ code: "FILE_ERROR" });
  expect(await listKeptPlacesAsync()).toEqual([]);
  await expect(studio.saver.putAwayAtEndAsync()).rejects.toMatchObject({ code: "FILE_ERROR" });
  expect(await listKeptPlacesAsync()).toHaveLength(1);
  expect(studio.saver.failure).toMatchObject({ code: "FILE_ERROR" });
});

test("a restored place is kept again only if it has changed, or its kept file is gone by now", async () => {
  const restoredFrom = join(folder, "kept.rbxl");
  await writeFile(restoredFrom, "");
  using studio = opened({ restoredFrom });
  expect(await studio.saver.stateAsync()).toEqual({ isUnsaved: false });
  await rm(restoredFrom);
  expect(await studio.saver.stateAsync()).toEqual({ isUnsaved: true });
});

test("the Studio of one command keeps nothing", async () => {
  using studio = opened({ keepsUnsaved: false });
  studio.change();
  expect(await studio.saver.putAwayAsync()).toEqual({});
  expect(await listKeptPlacesAsync()).toEqual([]);
});
