/** The trash and the records of plans: what stays in them, and for how long. */
import { describe, expect, test } from "bun:test";
import { mkdir, readdir, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { applyFilesAsync } from "../../../../src/sync/files/apply-files.ts";
import { newRecord, writePlanRecordAsync } from "../../../../src/sync/files/plan-record.ts";
import { rootsOfAsync } from "../../../../src/sync/files/safe-path.ts";
import { newPlanId, pruneTrashAsync } from "../../../../src/sync/files/trash.ts";
import { syncStateAsync } from "../../../../src/sync/state-paths.ts";
import { at, PLACE, type World, worldAsync } from "./sync-world.ts";

const FILES = {
  "src/Changed.luau": "return 1\n",
  "src/Leaf.server.luau": "print(1)\n",
  "src/Leaf.meta.json": { properties: { Disabled: true } },
  "src/Gone/init.luau": "return {}\n",
  "src/Gone/Inner.luau": "return 3\n",
  "src/Old/Child.luau": "return 4\n",
  "src/Kind.luau": "return 5\n",
  "src/Part.model.json": { className: "Part", properties: { Transparency: 0.5 } },
};

const stateOf = (world: World) =>
  syncStateAsync(join(world.folder, "default.project.json"), world.environment);

async function scopeAsync(world: World) {
  const { input } = await world.planAsync();
  return {
    state: await stateOf(world),
    planId: newPlanId(),
    place: PLACE,
    label: "Test",
    roots: await rootsOfAsync(input.project.tree, { allowsOutside: false }),
  };
}

describe("the trash", () => {
  test("is no part of a project whose files are beside it", async () => {
    const tree = { $className: "DataModel", ReplicatedStorage: { $path: "src" } };
    await using world = await worldAsync(
      { "src/A.luau": "return 1\n", "src/.sb/trash/B.luau": "" },
      { project: { name: "Game", tree } },
    );
    expect(at(world.studio, "ReplicatedStorage").children.map(({ name }) => name)).toEqual(["A"]);
  });

  test("loses what is older than 30 days, and the oldest beyond 200 MB, and nothing that sb did not make", async () => {
    await using world = await worldAsync({});
    const [root] = await rootsOfAsync((await world.planAsync()).input.project.tree, { allowsOutside: false });
    if (root === undefined) throw new Error("no root");
    const now = Date.UTC(2026, 5, 30);
    const trash = join(world.folder, ".sb/trash");
    const sizes = {
      "20260520-000000-aaaaaa": 1,
      "20260610-000000-bbbbbb": 120,
      "20260620-000000-cccccc": 90,
      "20260629-000000-dddddd": 50,
    };
    for (const [name, megabytes] of Object.entries(sizes)) {
      await mkdir(join(trash, name), { recursive: true });
      const file = Bun.file(join(trash, name, "body")).writer();
      file.end();
      await truncate(join(trash, name, "body"), megabytes * 1024 * 1024);
    }
    await mkdir(join(trash, "mine"));
    await pruneTrashAsync(root, "20260629-000000-dddddd", now);
    expect((await readdir(trash)).sort()).toEqual([
      "20260620-000000-cccccc",
      "20260629-000000-dddddd",
      "mine",
    ]);
  });
});

describe("records of plans", () => {
  test("go after 30 days, also of plans that only pushed; what is at work and what sb did not make stays", async () => {
    await using world = await worldAsync(FILES);
    const scope = await scopeAsync(world);
    const { state, place, label, roots } = scope;
    const facts = { startedAtMs: 0, projectFile: state.projectFile, place, label, roots, operations: [] };
    const young = newPlanId();
    const pushed = { ...facts, status: "applied", studio: { callerId: "one", changes: 1 } } as const;
    for (const planId of ["20200101-000000-aaaaaa", young])
      await writePlanRecordAsync(state, newRecord({ ...pushed, planId }));
    const interrupted = newRecord({ ...facts, planId: "20200101-000000-bbbbbb", status: "applying" });
    await writePlanRecordAsync(state, interrupted);
    await writeFile(join(state.plans, "mine.json"), "{}");
    await applyFilesAsync([], scope);
    expect((await readdir(state.plans)).sort()).toEqual(
      ["20200101-000000-bbbbbb.json", "20200101-000000-bbbbbb.open", `${young}.json`, "mine.json"].sort(),
    );
  });
});
