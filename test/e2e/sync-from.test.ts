/** `sb sync --from`: the files of a project and a place file, in the compiled binary. */
import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdir, readdir, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { binaryPath } from "../../build.ts";
import { outcomeAsync, Sandbox, untilAsync } from "../harness.ts";
import { report, SyncProject } from "./sync-project.ts";

// Each test runs the binary several times.
setDefaultTimeout(120_000);

const files = {
  "shared/Config.luau": "return { speed = 1 }\n",
  "shared/Util.luau": "return 1\n",
  "server/Main.server.luau": 'print("main")\n',
};

let box: Sandbox;
let project: SyncProject;
beforeEach(async () => {
  box = await Sandbox.createAsync();
  project = await SyncProject.createAsync(box, files);
  await project.placeAsync("game.rbxl", files);
  expect(await project.reportFromAsync("game.rbxl")).toMatchObject({ exitCode: 0, status: "empty" });
});
afterEach(() => box[Symbol.asyncDispose]());

test("what only the place changed goes to the files, and a second run changes nothing", async () => {
  const changed = { ...files, "shared/Util.luau": "return 2\n", "shared/Parts/Door.luau": "return {}\n" };
  await project.placeAsync("game.rbxl", changed);
  const shown = await project.reportFromAsync("game.rbxl", "--mode", "dryrun");
  expect(shown).toMatchObject({ exitCode: 0, status: "dryrun" });
  const util = shown.items.find(({ path }: { path: string }) => path === "ReplicatedStorage.Util");
  expect(util).toMatchObject({ before: { Source: "return 1\n" }, after: { Source: "return 2\n" } });
  expect(await project.filesAsync()).toEqual({ ...files });
  expect(await project.reportFromAsync("game.rbxl", "--check")).toMatchObject({
    exitCode: 1,
    status: "different",
  });

  expect(await project.reportFromAsync("game.rbxl")).toMatchObject({
    exitCode: 0,
    status: "success",
    changes: [
      "pull add ReplicatedStorage.Parts.Door: done",
      "pull add ReplicatedStorage.Parts: done",
      "pull edit ReplicatedStorage.Util: done",
    ],
  });
  expect(await project.filesAsync()).toEqual(changed);
  expect(await project.reportFromAsync("game.rbxl", "--check")).toMatchObject({
    exitCode: 0,
    status: "empty",
  });
  expect((await project.fromAsync("game.rbxl")).stdout).toBe("In sync: nothing to do.\n");
});

describe("what both sides changed", () => {
  beforeEach(async () => {
    await project.writeAsync({ "shared/Config.luau": "return { speed = 2 }\n" });
    await project.placeAsync("game.rbxl", {
      ...files,
      "shared/Config.luau": "return { speed = 3 }\n",
      "shared/Util.luau": "return 2\n",
    });
  });
  const open = "unresolved edit ReplicatedStorage.Config";

  test.each(["standard", "fastfail"])(
    "stops --mode %s without a person, and nothing is changed",
    async (mode) => {
      const before = await project.filesAsync();
      expect(await project.reportFromAsync("game.rbxl", "--mode", mode)).toMatchObject({
        exitCode: 1,
        status: "fastfail_unresolved",
        changes: ["pull edit ReplicatedStorage.Util", open],
      });
      expect(await project.filesAsync()).toEqual(before);
    },
  );

  test("--mode manual without a person is rejected", async () => {
    const before = await project.filesAsync();
    expect(await project.reportFromAsync("game.rbxl", "--mode", "manual")).toMatchObject({
      exitCode: 1,
      status: "rejected",
    });
    expect(await project.filesAsync()).toEqual(before);
  });

  test("people read what is open, with the next step", async () => {
    const { stdout, exitCode } = await project.fromAsync("game.rbxl");
    expect(stdout).toBe(
      `open   ~ ReplicatedStorage.Config  shared/Config.luau
         both sides changed
pull   ~ ReplicatedStorage.Util  shared/Util.luau
Nothing was changed, because 1 of 2 changes is open.
Decide with --override ID=push, pull, skip or merge, or apply the rest with --partial.
`,
    );
    expect(exitCode).toBe(1);
  });

  test("--partial applies the rest", async () => {
    expect(await project.reportFromAsync("game.rbxl", "--partial")).toMatchObject({
      exitCode: 1,
      changes: ["pull edit ReplicatedStorage.Util: done", open],
    });
    expect(await project.filesAsync()).toMatchObject({
      "shared/Config.luau": "return { speed = 2 }\n",
      "shared/Util.luau": "return 2\n",
    });
  });

  test("is decided by an override, by the path of the Instance or of the file", async () => {
    expect(
      await project.reportFromAsync("game.rbxl", "--override", "ReplicatedStorage.Config=skip"),
    ).toMatchObject({
      exitCode: 0,
      status: "success",
      answers: ["applied"],
    });
    expect(await project.reportFromAsync("game.rbxl", "--override", "shared/Config.luau=pull")).toMatchObject(
      {
        exitCode: 0,
        status: "success",
        answers: ["applied"],
      },
    );
    expect(await project.filesAsync()).toMatchObject({ "shared/Config.luau": "return { speed = 3 }\n" });
  });

  test("a file of overrides counts only for the sources that it states", async () => {
    const { items } = await project.reportFromAsync("game.rbxl", "--mode", "dryrun");
    const { id, studioHash } = items.find(({ verdict }: { verdict: string }) => verdict === "unresolved");
    const other = "0".repeat(40);
    const write = (hash: string) =>
      box.writeAsync(
        "decisions.json",
        `// mine\n${JSON.stringify([{ id, direction: "pull", studioHash: hash }])}`,
      );
    await write(other);
    expect(await project.reportFromAsync("game.rbxl", "--overrides", "decisions.json")).toMatchObject({
      exitCode: 1,
      status: "fastfail_unresolved",
      answers: ["hash_mismatch"],
    });
    await write(studioHash);
    expect(await project.reportFromAsync("game.rbxl", "--overrides", "decisions.json")).toMatchObject({
      exitCode: 0,
      answers: ["applied"],
    });
  });

  test("a place file is only read, so that push and merge are no choices", async () => {
    for (const direction of ["push", "merge"])
      expect(
        await project.reportFromAsync("game.rbxl", "--override", `shared/Config.luau=${direction}`),
      ).toMatchObject({ exitCode: 1, answers: ["not_applicable"] });
    expect(await project.reportFromAsync("game.rbxl", "--override", "@999=pull")).toMatchObject({
      exitCode: 1,
      answers: ["unknown_id"],
    });
  });
});

test("a file that changed alone is listed, because a place file is only read", async () => {
  await project.writeAsync({ "shared/Util.luau": "return 5\n" });
  const { exitCode, changes, items } = await project.reportFromAsync("game.rbxl");
  expect([exitCode, changes]).toEqual([1, ["skip edit ReplicatedStorage.Util"]]);
  expect(items[0]).toMatchObject({ reason: "file_changed", detail: expect.stringContaining("sb build") });
});

test("undo brings files back byte for byte, status lists the plans, and what it had pulled waits for an answer", async () => {
  const bytes = "return 1\r\n-- no newline at the end";
  await project.writeAsync({ "shared/Util.luau": bytes });
  await project.placeAsync("game.rbxl", {
    "shared/Config.luau": files["shared/Config.luau"],
    "shared/Util.luau": "return 9\n",
    "shared/New.luau": "return {}\n",
    "server/Main.server.luau": files["server/Main.server.luau"],
  });
  const before = await project.filesAsync();
  const applied = await project.reportFromAsync("game.rbxl", "--override", "shared/Util.luau=pull");
  expect(applied).toMatchObject({ exitCode: 0, status: "success" });
  expect(await project.filesAsync()).not.toEqual(before);

  const status = await box.localSbAsync(["sync", "--json", "status"]);
  expect(JSON.parse(status.stdout).plans).toMatchObject([
    { planId: applied.planId, status: "applied", failures: {} },
  ]);
  expect((await box.localSbAsync(["sync", "undo"])).exitCode).toBe(0);
  expect(await project.filesAsync()).toEqual(before);
  expect((await box.localSbAsync(["sync", "status"])).stdout).toContain("was taken back");
  expect((await project.reportFromAsync("game.rbxl", "--mode", "dryrun")).changes).toEqual([
    "unresolved edit ReplicatedStorage.Util",
    "unresolved remove ReplicatedStorage.New",
  ]);
  const again = await box.localSbAsync(["sync", "undo"]);
  expect([again.exitCode, again.stderr]).toEqual([1, expect.stringContaining("no sync of this project")]);
});

test("what failed is counted by itself, and undo takes the rest back", async () => {
  await symlink("Util.luau", join(project.folder, "shared", "Linked.luau"));
  const changed = { "shared/Config.luau": "return 2\n", "shared/Linked.luau": "return 2\n" };
  await project.placeAsync("linked.rbxl", { ...files, "shared/Linked.luau": "return 1\n" });
  expect(await project.reportFromAsync("linked.rbxl")).toMatchObject({ exitCode: 0 });
  await project.placeAsync("linked.rbxl", { ...files, ...changed });
  const { exitCode, stdout } = await project.fromAsync("linked.rbxl");
  expect(exitCode).toBe(1);
  expect(stdout).toContain("Linked.luau: is a link\n");
  expect(stdout).toContain("Not everything was applied: 1 pull, 1 failed.");
  expect(await project.aboutAsync("undo")).toMatchObject({ exitCode: 0, stderr: "" });
  expect(await project.filesAsync()).toEqual({ ...files });
});

test("a removal of all that a project node holds waits for --allow-removals, and goes to the trash", async () => {
  const { "server/Main.server.luau": _, ...left } = files;
  await project.placeAsync("game.rbxl", { ...left, "server/.gitkeep": "" });
  const held = await project.fromAsync("game.rbxl");
  expect(held.stdout).toContain("pull?  - ServerScriptService.Main");
  expect(held.stdout).toContain("Agree with --allow-removals 1.");
  expect(await project.filesAsync()).toEqual({ ...files });
  const { planId, exitCode } = await project.reportFromAsync("game.rbxl", "--allow-removals", "1");
  expect(exitCode).toBe(0);
  expect(Object.keys(await project.filesAsync())).toEqual(Object.keys(left).sort());
  expect(await readdir(join(box.folder, ".sb/trash", planId, "server"))).toEqual(["Main.server.luau"]);
});

test("before the first sync git tells which side of a script is newer", async () => {
  const gitAsync = async (...words: string[]) => {
    const settings = ["-c", "user.name=Test", "-c", "user.email=test@example.invalid"];
    const child = Bun.spawn(["git", ...settings, ...words], {
      cwd: box.folder,
      env: box.env(),
      stdout: "ignore",
    });
    expect(await child.exited).toBe(0);
  };
  await gitAsync("init", "-q");
  await gitAsync("add", "shared", "server");
  await gitAsync("commit", "-qm", "first");
  // Nothing is known of the syncs before.
  await rm(box.stateFolder, { recursive: true });
  await project.writeAsync({ "shared/Config.luau": "return { speed = 2 }\n" });
  await project.placeAsync("game.rbxl", {
    ...files,
    "shared/Util.luau": "return 2\n",
    "server/Main.server.luau": 'print("other")\n',
  });
  await project.writeAsync({ "server/Main.server.luau": 'print("mine")\n' });
  const { changes, status } = await project.reportFromAsync("game.rbxl");
  expect([status, changes]).toEqual([
    "fastfail_unresolved",
    [
      "pull edit ReplicatedStorage.Util",
      "skip edit ReplicatedStorage.Config",
      "unresolved edit ServerScriptService.Main",
    ],
  ]);
});

test("Ctrl+C finishes the change at hand, status says what is left, and the next sync does it", async () => {
  const modules = Array.from({ length: 2_000 }, (_, index) => [`shared/M${index}.luau`, `return ${index}\n`]);
  const all = { ...files, ...Object.fromEntries(modules) };
  await project.placeAsync("game.rbxl", all);
  const child = Bun.spawn([binaryPath, "sync", "--from", "game.rbxl", "--json"], {
    cwd: box.folder,
    env: box.env(),
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const countAsync = async () => (await readdir(join(box.folder, "shared"))).length;
  await untilAsync("the first files are written", async () => ((await countAsync()) > 20 ? true : undefined));
  child.kill("SIGINT");
  const { status, exitCode } = report(await outcomeAsync(child));
  expect([status, exitCode]).toEqual(["interrupted", 130]);
  const written = await project.filesAsync();
  expect(Object.keys(written).length).toBeLessThan(Object.keys(all).length);
  expect(all).toMatchObject(written);
  const { stdout } = await box.localSbAsync(["sync", "status"]);
  expect(stdout).toContain("was applied in part");
  expect(stdout).toContain("the sync was interrupted before");

  expect(await project.reportFromAsync("game.rbxl")).toMatchObject({ exitCode: 0, status: "success" });
  expect(await project.filesAsync()).toEqual(all);
});

describe("a folder without a project", () => {
  beforeEach(() => rm(join(box.folder, "default.project.json")));

  test("is told what to do, and gets nothing", async () => {
    const { exitCode, stderr } = await project.fromAsync("game.rbxl");
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining("--yes")]);
    expect(await readdir(box.folder)).not.toContain("default.project.json");
  });

  test("gets one for the services that hold scripts, with --yes", async () => {
    expect(await project.reportFromAsync("game.rbxl", "--yes")).toMatchObject({
      exitCode: 0,
      status: "success",
    });
    expect(await Bun.file(join(box.folder, "default.project.json")).json()).toEqual({
      name: "game",
      tree: {
        $className: "DataModel",
        ReplicatedStorage: { $path: "src/ReplicatedStorage" },
        ServerScriptService: { $path: "src/ServerScriptService" },
      },
    });
    const source = join(box.folder, "src/ServerScriptService/Main.server.luau");
    expect(await Bun.file(source).text()).toBe(files["server/Main.server.luau"]);
    expect(await project.reportFromAsync("game.rbxl", "--check")).toMatchObject({
      exitCode: 0,
      status: "empty",
    });
  });
});

test("bad input is refused before anything is read or written", async () => {
  await mkdir(join(box.folder, "empty"));
  await box.writeAsync("bad.json", '[{ "id": "@1", "direction": "left" }]');
  await box.writeAsync("damaged.rbxl", "<roblox!");
  await box.writeAsync("text.txt", "");
  const cases = [
    [["--mode", "fast"], 2, "--mode: expected standard, manual, fastfail, dryrun or undo"],
    [["--override", "@1"], 2, "expected ID=push"],
    [["--overrides", "bad.json"], 2, "override 1: direction: expected push, pull, skip or merge"],
    [["--overrides", "none.json"], 1, "none.json"],
    [["--allow-removals", "-1"], 2, "--allow-removals: expected 0 or more"],
    [["--from", "text.txt"], 2, "neither a place nor a model"],
    [["--from", "none.rbxl"], 1, "Place file not found"],
    [["--from", "damaged.rbxl"], 1, "Could not read place"],
    [["--from", "game.rbxl", "--session", "x"], 2, "Cannot use --from and --session together."],
    [["empty"], 1, "empty has no default.project.json."],
    [["text.txt"], 2, "is not a Rojo project"],
    [["none"], 1, "there is no such file"],
    [["status", "more", "words"], 2, 'Unexpected word "words".'],
  ] as const;
  for (const [words, exitCode, message] of cases) {
    const outcome = await box.localSbAsync(["sync", ...words]);
    expect({ words, ...outcome }).toMatchObject({
      words,
      exitCode,
      stdout: "",
      stderr: expect.stringContaining(message),
    });
  }
  await box.writeAsync("default.project.json", '{ "name": "x", "tree": { "$className": 5 ');
  const broken = await project.fromAsync("game.rbxl");
  expect([broken.exitCode, broken.stderr]).toEqual([1, expect.stringContaining("default.project.json")]);
});
