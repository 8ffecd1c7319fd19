/** What becomes of files when a plan is applied, is interrupted, or is taken back. */
import { describe, expect, test } from "bun:test";
import { chmod, mkdir, readdir, readFile, rename, symlink, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { applyFilesAsync } from "../../../../src/sync/files/apply-files.ts";
import { type FilePlan, planFilesAsync } from "../../../../src/sync/files/file-plan.ts";
import { writePlanRecordAsync } from "../../../../src/sync/files/plan-record.ts";
import { rootsOfAsync } from "../../../../src/sync/files/safe-path.ts";
import { newPlanId } from "../../../../src/sync/files/trash.ts";
import { settleInterruptedPlansAsync } from "../../../../src/sync/interrupted-plans.ts";
import { endUndoAsync, lastPlanAsync } from "../../../../src/sync/undo-sync.ts";
import { lockSyncAsync } from "../../../../src/sync/sync-lock.ts";
import { syncStateAsync } from "../../../../src/sync/state-paths.ts";
import type { DyingPlan } from "./dying-apply.ts";
import { add, at, PLACE, remove, setSource, type World, worldAsync } from "./sync-world.ts";

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

/** Every kind of step: writes, new files and folders, renames, removals. */
async function changedWorldAsync(): Promise<World> {
  const world = await worldAsync(FILES);
  await chmod(join(world.folder, "src/Changed.luau"), 0o750);
  const parent = at(world.studio, "ReplicatedStorage");
  setSource(at(parent, "Changed"), "return 10\n");
  add(at(parent, "Leaf"), "New", "ModuleScript", "return 11\n");
  remove(parent, "Gone");
  at(parent, "Old").name = "Renamed";
  at(parent, "Kind").className = "Script";
  at(parent, "Part").properties.set("Transparency", { type: "Float32", value: 0.25 });
  add(add(parent, "Fresh", "Folder"), "Inside", "ModuleScript", "return 12\n");
  return world;
}

const stateOf = (world: World) =>
  syncStateAsync(join(world.folder, "default.project.json"), world.environment);

async function undoAsync(world: World) {
  const state = await stateOf(world);
  const record = await lastPlanAsync(state);
  if (record === undefined) throw new Error("there is no plan to take back");
  return endUndoAsync(state, record);
}

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

describe("a plan that was applied", () => {
  test("leaves nothing to do, and keeps the mode of a file", async () => {
    await using world = await changedWorldAsync();
    await world.pullAsync();
    expect(await world.leftAsync()).toEqual([]);
    expect((await world.snapshotAsync())["src/Changed.luau"]).toBe("750 return 10\n");
    const { operations } = await world.planAsync();
    expect(operations).toEqual([]);
  });

  test("is taken back byte for byte, with modes and names", async () => {
    await using world = await changedWorldAsync();
    const before = await world.snapshotAsync();
    await world.pullAsync();
    expect(await world.snapshotAsync()).not.toEqual(before);
    expect((await undoAsync(world)).refused.size).toBe(0);
    expect(await world.snapshotAsync()).toEqual(before);
    // What undo took away is in the trash too.
    const trash = await readdir(join(world.folder, ".sb/trash"));
    expect(trash.filter((name) => name.endsWith("-undo"))).toHaveLength(1);
    expect(await lastPlanAsync(await stateOf(world))).toBeUndefined();
  });

  test("keeps what it replaced and removed in a trash that git ignores", async () => {
    await using world = await changedWorldAsync();
    const { record } = await world.pullAsync();
    const trash = join(world.folder, ".sb/trash", record.planId, "src");
    expect(await readFile(join(trash, "Changed.luau"), "utf8")).toBe("return 1\n");
    expect(await readFile(join(trash, "Gone/init.luau"), "utf8")).toBe("return {}\n");
    expect(await readFile(join(trash, "Gone/Inner.luau"), "utf8")).toBe("return 3\n");
    expect(await readFile(join(world.folder, ".sb/.gitignore"), "utf8")).toBe("*\n");
  });
});

describe("undo", () => {
  test("leaves a file that has changed since, and takes back the rest", async () => {
    await using world = await changedWorldAsync();
    const before = await world.snapshotAsync();
    await world.pullAsync();
    await writeFile(join(world.folder, "src/Changed.luau"), "return 99\n");
    const { refused } = await undoAsync(world);
    expect([...refused.values()]).toEqual(["has changed since the sync"]);
    expect(await world.snapshotAsync()).toEqual({ ...before, "src/Changed.luau": "750 return 99\n" });
  });

  test("takes an item back as a whole or not at all", async () => {
    await using world = await changedWorldAsync();
    await world.pullAsync();
    const after = await world.snapshotAsync();
    // The new child has changed, so that its parent must stay the folder that it has become.
    await writeFile(join(world.folder, "src/Leaf/New.luau"), "return 99\n");
    expect((await undoAsync(world)).refused.size).toBe(1);
    const now = await world.snapshotAsync();
    for (const name of ["src/Leaf/", "src/Leaf/init.server.luau", "src/Leaf/init.meta.json"])
      expect(now[name]).toBe(after[name] ?? "");
    expect(now["src/Leaf/New.luau"]).toBe("644 return 99\n");
  });

  test("refuses what is not in the trash any more as it was", async () => {
    await using world = await changedWorldAsync();
    const { record } = await world.pullAsync();
    const after = await world.snapshotAsync();
    const body = join(world.folder, ".sb/trash", record.planId, "src/Changed.luau");
    await unlink(body);
    await writeFile(body, "planted\n");
    const { refused } = await undoAsync(world);
    expect([...refused.values()]).toEqual(["cannot come back, because it is no longer in the trash"]);
    expect((await world.snapshotAsync())["src/Changed.luau"]).toBe(after["src/Changed.luau"] ?? "");
  });
});

describe("a process that is killed while it applies a plan", () => {
  test("loses nothing at any step: undo restores all, and a next run completes the work", async () => {
    let steps = Number.POSITIVE_INFINITY;
    let killed = 0;
    for (let count = 1; count <= steps; count++) {
      await using world = await changedWorldAsync();
      const before = await world.snapshotAsync();
      const scope = await scopeAsync(world);
      const plan = await world.planAsync();
      const { exitCode, stdout } = await runDyingAsync(world, plan, scope, count);
      if (exitCode === 0) steps = Number(stdout);
      else killed += 1;
      const state = await stateOf(world);
      // A sync with another place does not touch a plan that is at work.
      const lock = await lockSyncAsync(state, PLACE, "a test");
      expect(await settleInterruptedPlansAsync(state, { by: "placeId", value: "2" })).toEqual([]);
      if (lock.isOurs) await lock.releaseAsync();
      expect(await settleInterruptedPlansAsync(state, PLACE)).toHaveLength(exitCode === 0 ? 0 : 1);
      if (count % 2 === 0) {
        const record = await lastPlanAsync(state);
        if (record === undefined) throw new Error("the plan was not recorded");
        expect((await endUndoAsync(state, record)).refused).toEqual(new Map());
        expect(await world.snapshotAsync()).toEqual(before);
      }
      await world.pullAsync();
      expect(await world.leftAsync()).toEqual([]);
      expect(Object.keys(await world.snapshotAsync()).filter((name) => name.includes(".sb-"))).toEqual([]);
    }
    expect(killed).toBeGreaterThan(15);
  }, 120_000);
});

describe("undo that is killed", () => {
  test("is completed by the next sync", async () => {
    for (const last of [1, 4, 7]) {
      await using world = await changedWorldAsync();
      const before = await world.snapshotAsync();
      await world.pullAsync();
      const state = await stateOf(world);
      const record = await lastPlanAsync(state);
      if (record === undefined) throw new Error("the plan was not recorded");
      let steps = 0;
      const dying = endUndoAsync(state, record, {
        onStep: () => {
          steps += 1;
          if (steps >= last) throw new Error("killed");
        },
      });
      await dying;
      // As a killed process leaves it: the record says that undo is at work.
      await writePlanRecordAsync(state, { ...record, status: "undoing" });
      expect(await settleInterruptedPlansAsync(state, PLACE)).toHaveLength(1);
      expect(await world.snapshotAsync()).toEqual(before);
    }
  });
});

describe("what happens between plan and write", () => {
  test("a file that changes is not overwritten, and the others are written", async () => {
    await using world = await changedWorldAsync();
    const plan = await world.planAsync();
    await writeFile(join(world.folder, "src/Changed.luau"), "return 77\n");
    const { failures, record } = await world.applyAsync(plan);
    expect([...failures.values()]).toEqual([
      `${join(world.folder, "src/Changed.luau")}: has changed since sb read it`,
    ]);
    expect(record.status).toBe("partial");
    const files = await world.snapshotAsync();
    expect(files["src/Changed.luau"]).toBe("750 return 77\n");
    expect(files["src/Fresh/Inside.luau"]).toBe("644 return 12\n");
  });

  test("a file that changes between reading and planning is not overwritten either", async () => {
    await using world = await changedWorldAsync();
    const { input } = await world.planAsync();
    await writeFile(join(world.folder, "src/Changed.luau"), "return 77\n");
    const { refusals, operations } = await planFilesAsync(input);
    expect([...refusals.values()]).toEqual([
      `${join(world.folder, "src/Changed.luau")} has changed since sb read it`,
    ]);
    expect(operations.length).toBeGreaterThan(5);
  });

  test("a file that appears where a new one belongs stays", async () => {
    await using world = await changedWorldAsync();
    const plan = await world.planAsync();
    await mkdir(join(world.folder, "src/Fresh"));
    await writeFile(join(world.folder, "src/Fresh/Inside.luau"), "mine\n");
    const { failures } = await world.applyAsync(plan);
    expect(failures.size).toBe(2);
    expect((await world.snapshotAsync())["src/Fresh/Inside.luau"]).toBe("644 mine\n");
  });

  test("a folder or a file that becomes a link leads no write out of the project", async () => {
    await using world = await changedWorldAsync();
    const plan = await world.planAsync();
    const outside = join(world.folder, "..", "outside");
    await mkdir(outside);
    await writeFile(join(outside, "Changed.luau"), "return 1\n");
    await writeFile(join(outside, "Kind.luau"), "return 5\n");
    await rename(join(world.folder, "src"), join(world.folder, "..", "aside"));
    await symlink(outside, join(world.folder, "src"));
    const { failures } = await world.applyAsync(plan);
    expect(failures.size).toBe(new Set(plan.operations.flatMap(({ items }) => items)).size);
    for (const reason of failures.values()) expect(reason).toContain("link");
    expect((await readdir(outside)).sort()).toEqual(["Changed.luau", "Kind.luau"]);
    await unlink(join(world.folder, "src"));
    await rename(join(world.folder, "..", "aside"), join(world.folder, "src"));
    await unlink(join(world.folder, "src/Changed.luau"));
    await symlink(join(outside, "Changed.luau"), join(world.folder, "src/Changed.luau"));
    const again = await world.applyAsync(plan);
    expect([...again.failures.values()]).toEqual([`${join(world.folder, "src/Changed.luau")}: is a link`]);
    expect(await readFile(join(outside, "Changed.luau"), "utf8")).toBe("return 1\n");
  });

  test("what a plan could not write is no matter of its undo", async () => {
    await using world = await worldAsync({ "src/A.luau": "return 1\n", "src/B.luau": "return 1\n" });
    await symlink(join(world.folder, "src/B.luau"), join(world.folder, "src/L.luau"));
    const studio = await world.freshStudioAsync();
    const before = await world.snapshotAsync();
    for (const name of ["A", "L"]) setSource(at(studio, `ReplicatedStorage/${name}`), "return 2\n");
    expect((await world.tryPullAsync()).failures.size).toBe(1);
    expect((await undoAsync(world)).refused).toEqual(new Map());
    expect(await world.snapshotAsync()).toEqual(before);
    expect(await lastPlanAsync(await stateOf(world))).toBeUndefined();
  });

  test("a `.sb` that is a link stops everything before the first change", async () => {
    await using world = await changedWorldAsync();
    const plan = await world.planAsync();
    const outside = join(world.folder, "..", "outside");
    await mkdir(outside);
    await symlink(outside, join(world.folder, ".sb"));
    const before = await world.snapshotAsync();
    await expect(world.applyAsync(plan)).rejects.toThrow("must be a folder that sb made");
    expect(await world.snapshotAsync()).toEqual(before);
    expect(await readdir(outside)).toEqual([]);
  });
});

describe("an interruption by the user", () => {
  test("finishes the item that was begun, and begins no other", async () => {
    await using world = await changedWorldAsync();
    const plan = await world.planAsync();
    const scope = await scopeAsync(world);
    const stop = new AbortController();
    const { failures, record } = await applyFilesAsync(plan.operations, {
      ...scope,
      signal: stop.signal,
      onStep: () => stop.abort(),
    });
    const items = new Set(plan.operations.flatMap((operation) => operation.items));
    expect(failures.size).toBeGreaterThan(0);
    expect(failures.size).toBeLessThan(items.size);
    expect(new Set(failures.values())).toEqual(new Set(["the sync was interrupted before"]));
    expect(record.status).toBe("partial");
    expect(await settleInterruptedPlansAsync(await stateOf(world), PLACE)).toEqual([]);
    await world.pullAsync();
    expect(await world.leftAsync()).toEqual([]);
  });
});

/** A small disk of its own at a folder of the project; undefined where this user may not mount one. */
function smallDisk(folder: string): Disposable | undefined {
  const isMounted = Bun.spawnSync(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", folder]).success;
  if (!isMounted) return undefined;
  return { [Symbol.dispose]: () => void Bun.spawnSync(["umount", "-l", folder]) };
}

async function diskWorldAsync() {
  const world = await worldAsync({ "src/A.luau": "return 1\n", "src/disk/": "" });
  const disk = smallDisk(join(world.folder, "src/disk"));
  await writeFile(join(world.folder, "src/disk/B.luau"), "return 2\n");
  return { world, disk };
}

const mountable = process.platform === "linux" && process.getuid?.() === 0;

describe.skipIf(!mountable)("a disk", () => {
  test("that is full takes nothing away: the item is taken back, the others are applied", async () => {
    const { world: first, disk } = await diskWorldAsync();
    await using world = first;
    using mounted = disk;
    expect(mounted).toBeDefined();
    const studio = await world.freshStudioAsync();
    const parent = at(studio, "ReplicatedStorage");
    setSource(at(parent, "A"), "return 10\n");
    add(at(parent, "disk/B"), "Big", "ModuleScript", `return "${"x".repeat(100_000)}"\n`);
    const { failures } = await world.tryPullAsync();
    expect([...failures.values()]).toEqual([expect.stringContaining("the disk is full")]);
    const files = await world.snapshotAsync();
    expect(files["src/A.luau"]).toBe("644 return 10\n");
    expect(Object.keys(files).filter((name) => name.startsWith("src/disk/"))).toEqual([
      "src/disk/",
      "src/disk/B.luau",
    ]);
  });

  test("that cannot be written fails its items alone", async () => {
    const { world: first, disk } = await diskWorldAsync();
    await using world = first;
    using mounted = disk;
    expect(mounted).toBeDefined();
    const folder = join(world.folder, "src/disk");
    expect(Bun.spawnSync(["mount", "-o", "remount,ro", folder]).success).toBe(true);
    const studio = await world.freshStudioAsync();
    const parent = at(studio, "ReplicatedStorage");
    setSource(at(parent, "A"), "return 10\n");
    setSource(at(parent, "disk/B"), "return 20\n");
    const { failures } = await world.tryPullAsync();
    expect([...failures.values()]).toEqual([expect.stringContaining("read-only")]);
    expect((await world.snapshotAsync())["src/disk/B.luau"]).toBe("644 return 2\n");
  });

  test("of its own still has its removed files in the trash of the project, and gets them back", async () => {
    const { world: first, disk } = await diskWorldAsync();
    await using world = first;
    using mounted = disk;
    expect(mounted).toBeDefined();
    const studio = await world.freshStudioAsync();
    const before = await world.snapshotAsync();
    remove(at(studio, "ReplicatedStorage/disk"), "B");
    const { failures, record } = await world.tryPullAsync();
    expect(failures).toEqual(new Map());
    expect(await readdir(join(world.folder, "src/disk"))).toEqual([]);
    const trash = join(world.folder, ".sb/trash", record.planId, "src/disk/B.luau");
    expect(await readFile(trash, "utf8")).toBe("return 2\n");
    expect((await undoAsync(world)).refused).toEqual(new Map());
    expect(await world.snapshotAsync()).toEqual(before);
  });
});

async function runDyingAsync(world: World, plan: FilePlan, scope: DyingPlan["scope"], count: number) {
  const items = [...new Set(plan.operations.flatMap((operation) => operation.items))];
  const dying: DyingPlan = {
    operations: plan.operations.map((operation) => ({
      ...operation,
      items: operation.items.map((item) => items.indexOf(item)),
      ...("content" in operation ? { content: operation.content.toBase64() } : {}),
    })) as DyingPlan["operations"],
    itemCount: items.length,
    scope,
  };
  const file = join(world.folder, "..", "plan.json");
  await writeFile(file, JSON.stringify(dying));
  const child = Bun.spawn([process.execPath, join(import.meta.dir, "dying-apply.ts"), file, String(count)]);
  return { exitCode: await child.exited, stdout: await child.stdout.text() };
}
