/** `sb build` and `sb sourcemap`: files of Rojo projects, made without Studio and without a bridge. */
import { beforeAll, expect, test } from "bun:test";
import { chmod, mkdir, readFile, rm, stat, symlink } from "node:fs/promises";
import { join } from "node:path";
import { readBinary, readXml } from "rbx-dom";
import { binaryPath } from "../../build.ts";
import { outcomeAsync, untilAsync } from "../harness.ts";
import { sandbox } from "../sandbox.ts";
import { underPermissions } from "../processes.ts";

const box = sandbox();
beforeAll(async () => {
  const project = (name: string, tree: object, settings: object = {}) =>
    JSON.stringify({ name, tree, ...settings });
  await box.writeAsync(
    "game/default.project.json",
    project("Game", {
      $className: "DataModel",
      ReplicatedStorage: { Shared: { $path: "shared" } },
      Workspace: { Sign: { $className: "Part", $properties: { Transparency: 0.5 } } },
    }),
  );
  await box.writeAsync("game/shared/init.luau", "return 1\r\n");
  await box.writeAsync("game/shared/Inner.server.luau", "print('hi')");
  await box.writeAsync("game/shared/Inner.meta.json", '{ "properties": { "Disabled": true } }');
  await box.writeAsync("game/shared/Note.txt", "text");
  await box.writeAsync("game/lib.project.json", project("Lib", { $path: "shared" }));
  await box.writeAsync("game/odd.project.json", project("Odd", { $className: "Folder" }, { plugins: [] }));
  await mkdir(join(box.folder, "game/folder.rbxl"));
  await mkdir(join(box.folder, "empty"));
}, 120_000);

const start = (words: readonly string[], folder: string, under: readonly string[] = []) =>
  Bun.spawn([...under, binaryPath, ...words], {
    cwd: join(box.folder, folder),
    env: box.env(),
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
const inGame = (words: readonly string[], folder = "game") => outcomeAsync(start(words, folder));

test("a place has the Instances of the project, in all formats and with their values", async () => {
  for (const [file, read] of [
    ["game.rbxl", readBinary],
    ["game.rbxlx", readXml],
  ] as const) {
    const built = await inGame(["build", "-o", file]);
    expect(built).toEqual({ exitCode: 0, stdout: `Built Game to ${file} (6 Instances)\n`, stderr: "" });
    const { instances } = read(await readFile(join(box.folder, "game", file))).snapshot();
    const byName = new Map(instances.map((instance) => [instance.name, instance]));
    expect(byName.get("Shared")).toMatchObject({
      className: "ModuleScript",
      properties: { Source: { String: "return 1\n" } },
    });
    expect(byName.get("Inner")).toMatchObject({
      className: "Script",
      properties: { Disabled: { Bool: true } },
    });
    expect(byName.get("Sign")).toMatchObject({ properties: { Transparency: { Float32: 0.5 } } });
  }
  const model = await inGame(["build", "lib.project.json", "-o", "lib.rbxm", "--json"]);
  expect(JSON.parse(model.stdout)).toMatchObject({ name: "Lib", file: "lib.rbxm", instances: 3 });
  const again = await inGame(["build", "-o", "again.rbxl"]);
  expect(again.exitCode).toBe(0);
  const [first, second] = await Promise.all(
    ["game.rbxl", "again.rbxl"].map((file) => readFile(join(box.folder, "game", file))),
  );
  expect(first).toEqual(second ?? Buffer.alloc(0));
  const opened = await box.sbAsync([
    "exec",
    "--headless",
    "--place",
    "game/game.rbxl",
    "print(workspace.Sign.Transparency)",
  ]);
  expect(opened.stdout).toBe("0.5\n");
}, 120_000);

test("what cannot be built says why and what next, and leaves the file that was there", async () => {
  await box.writeAsync("game/kept.rbxl", "kept");
  const cases: readonly (readonly [words: string[], exitCode: number, says: string, folder?: string])[] = [
    [
      ["build"],
      2,
      "error: Name the file to write.\nhint: For example: sb build -o game.rbxl, or sb build --plugin my-plugin\n",
    ],
    [
      ["build", "-o", "game.txt"],
      2,
      "error: Cannot build game.txt\nhint: Name a .rbxl or .rbxlx file for a place",
    ],
    [
      ["build", "-o", "game.rbxm"],
      2,
      "error: Game is a place, but game.rbxm is a model.\nhint: Name a .rbxl or .rbxlx file.\n",
    ],
    [["build", "lib.project.json", "-o", "kept.rbxl"], 2, "error: Lib is a model, but kept.rbxl is a place."],
    [
      ["build", "gone.project.json", "-o", "kept.rbxl"],
      1,
      "error: Could not read gone.project.json: there is no such file\n",
    ],
    [
      ["build", "-o", "gone/game.rbxl"],
      1,
      "error: Could not write gone/game.rbxl: its folder does not exist\nhint: Make the folder first.\n",
    ],
    [["build", "-o", "folder.rbxl"], 1, "error: Could not write folder.rbxl: it is a folder\n"],
    [["build", "-o", "game.rbxl"], 1, "error: This folder has no default.project.json.\n", "empty"],
    [["sourcemap", "shared/init.luau"], 2, "error: shared/init.luau is not a Rojo project."],
  ];
  for (const [words, exitCode, says, folder] of cases) {
    const outcome = await inGame(words, folder);
    expect({ words, exitCode: outcome.exitCode, stdout: outcome.stdout }).toEqual({
      words,
      exitCode,
      stdout: "",
    });
    expect(outcome.stderr).toStartWith(says);
  }
  await box.writeAsync("bad/default.project.json", '{\n  "name": "Bad",\n  tree: {}\n}');
  const bad = await inGame(["build", "-o", "../game/kept.rbxl"], "bad");
  expect(bad.exitCode).toBe(1);
  expect(bad.stderr).toMatch(
    /^error: Could not read project: .*default\.project\.json: line 3, column 3: expected a value/,
  );
  expect(await readFile(join(box.folder, "game/kept.rbxl"), "utf8")).toBe("kept");
  const odd = await inGame(["build", "odd.project.json", "-o", "odd.rbxm"]);
  expect(odd).toMatchObject({
    exitCode: 0,
    stderr: "warning: odd.project.json: plugins left out: Rojo knows no such setting of a project.\n",
  });
}, 120_000);

test.skipIf(underPermissions === undefined)(
  "a folder that cannot be written gives the system's reason",
  async () => {
    await mkdir(join(box.folder, "locked"));
    await chmod(join(box.folder, "locked"), 0o555);
    const outcome = await outcomeAsync(start(["build", "-o", "../locked/x.rbxl"], "game", underPermissions));
    expect(outcome.stderr).toBe(
      "error: Could not write ../locked/x.rbxl: permission denied\nhint: Check the path and its permissions.\n",
    );
  },
);

test("a sourcemap names the files of scripts, or of every Instance", async () => {
  const shared = {
    name: "Shared",
    className: "ModuleScript",
    filePaths: ["shared/init.luau"],
    children: [
      {
        name: "Inner",
        className: "Script",
        filePaths: ["shared/Inner.server.luau", "shared/Inner.meta.json"],
      },
    ],
  };
  const root = { name: "Game", className: "DataModel", filePaths: ["default.project.json"] };
  const storage = { name: "ReplicatedStorage", className: "ReplicatedStorage", children: [shared] };
  const printed = await inGame(["sourcemap"]);
  expect(printed).toEqual({
    exitCode: 0,
    stdout: `${JSON.stringify({ ...root, children: [storage] })}\n`,
    stderr: "",
  });
  const all = JSON.parse((await inGame(["sourcemap", "--include-non-scripts"])).stdout);
  expect(all.children[0].children[0].children[1]).toEqual({
    name: "Note",
    className: "StringValue",
    filePaths: ["shared/Note.txt"],
  });
  expect(all.children[1].children[0]).toEqual({ name: "Sign", className: "Part" });
  const absolute = JSON.parse((await inGame(["sourcemap", "--absolute"])).stdout);
  expect(absolute.filePaths[0]).toEndWith("/game/default.project.json");
  const written = await inGame(["sourcemap", "-o", "map.json"]);
  expect(written.stdout).toBe("Wrote map.json\n");
  expect(await readFile(join(box.folder, "game/map.json"), "utf8")).toBe(printed.stdout.trimEnd());
  // Editors open the file behind a link.
  await box.writeAsync("linked/default.project.json", JSON.stringify({ name: "L", tree: { $path: "link" } }));
  await symlink("../game/shared", join(box.folder, "linked/link"), "dir");
  await symlink("linked", join(box.folder, "also-linked"), "dir");
  const linked = JSON.parse((await inGame(["sourcemap", "../also-linked"])).stdout);
  expect(linked.filePaths).toEqual(["../game/shared/init.luau", "default.project.json"]);
}, 120_000);

test("with --watch, a change of a file makes the place and the map again; Ctrl+C ends it", async () => {
  await box.writeAsync("watched/default.project.json", JSON.stringify({ name: "W", tree: { $path: "src" } }));
  await box.writeAsync("watched/src/a.luau", "return 1");
  const cwd = join(box.folder, "watched");
  const model = join(cwd, "w.rbxmx");
  const map = join(cwd, "src/map.json");
  await using build = start(["build", "-o", model, "--watch"], "watched");
  await using mapping = start(["sourcemap", "-o", map, "--watch"], "watched");
  const textOf = (file: string) => readFile(file, "latin1").catch(() => "");
  const untilHasAsync = (file: string, word: string) =>
    untilAsync(`${file} has ${word}`, async () => ((await textOf(file)).includes(word) ? true : undefined));
  await untilHasAsync(model, "return 1");
  await untilHasAsync(map, '"a"');
  const before = (await stat(map)).mtimeMs;
  await box.writeAsync("watched/src/a.luau", "return 2");
  await untilHasAsync(model, "return 2");
  await box.writeAsync("watched/default.project.json", "{ broken");
  await box.writeAsync("watched/src/deep/b.luau", "return 'b'");
  await box.writeAsync("watched/default.project.json", JSON.stringify({ name: "W", tree: { $path: "src" } }));
  await untilHasAsync(model, "return 'b'");
  await untilHasAsync(map, "deep/b.luau");
  expect((await stat(map)).mtimeMs).toBeGreaterThanOrEqual(before);
  await rm(join(cwd, "src/deep"), { recursive: true });
  await box.writeAsync("watched/src/deep/c.luau", "return 'c'");
  await untilHasAsync(model, "return 'c'");
  build.kill("SIGINT");
  mapping.kill("SIGINT");
  expect(await build.exited).toBe(130);
  expect(await mapping.exited).toBe(130);
}, 120_000);

test("a local plugin replaces only what sb has built", async () => {
  const plugins = join(box.folder, "Plugins");
  const env = { ...box.env(), SB_PLUGINS_DIR: plugins };
  const buildAsync = (...words: readonly string[]) =>
    outcomeAsync(
      Bun.spawn([binaryPath, "build", ...words], {
        cwd: join(box.folder, "game"),
        env,
        stdin: "ignore",
        stdout: "pipe",
        stderr: "pipe",
      }),
    );
  const file = join(plugins, "mine.rbxm");
  const first = await buildAsync("lib.project.json", "--plugin", "mine");
  expect([first.exitCode, first.stdout]).toEqual([0, `Built Lib to ${file} (3 Instances)\n`]);
  await box.writeAsync("game/other.project.json", '{ "name": "Other", "tree": { "$className": "Folder" } }');
  expect((await buildAsync("other.project.json", "--plugin", "mine.rbxm")).exitCode).toBe(0);
  await box.writeAsync("Plugins/mine.rbxm", "of another program");
  const changed = await buildAsync("lib.project.json", "--plugin", "mine");
  expect([changed.exitCode, changed.stderr]).toEqual([
    1,
    expect.stringContaining("was changed after sb had built it"),
  ]);
  await box.writeAsync("Plugins/theirs.rbxm", "of another program");
  const foreign = await buildAsync("lib.project.json", "--plugin", "theirs");
  expect([foreign.exitCode, foreign.stderr]).toEqual([
    1,
    expect.stringContaining("is not a file that sb has built"),
  ]);
  for (const name of [
    "../mine",
    "a/b.rbxm",
    "C:\\mine",
    "con",
    ".hidden",
    "StudioBridgePlugin",
    "studiobridgeplugin.RBXM",
    "a\u0007b",
  ]) {
    const { exitCode, stderr } = await buildAsync("lib.project.json", "--plugin", name);
    expect([name, exitCode, stderr.includes("--plugin: ")]).toEqual([name, 2, true]);
  }
  expect((await buildAsync("--plugin", "game")).stderr).toContain(
    "Game is a place, and a plugin is a model.",
  );
  expect((await buildAsync("-o", "x.rbxm", "--plugin", "x")).exitCode).toBe(2);
  expect(await readFile(file, "utf8")).toBe("of another program");
});
