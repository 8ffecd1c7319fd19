/** `sb check` with a program that stands in for luau-lsp, and without any. */
import { beforeAll, describe, expect, test } from "bun:test";
import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { binaryPath } from "../../build.ts";
import { outcomeAsync, untilAsync } from "../harness.ts";
import { writeStandInAsync } from "../peers/luau-lsp-peer.ts";
import { isRunning } from "../processes.ts";
import { sandbox } from "../sandbox.ts";

const box = sandbox();
const files: Readonly<Record<string, string>> = {
  "game/default.project.json": JSON.stringify({
    name: "Game",
    tree: {
      $className: "DataModel",
      ReplicatedStorage: { Shared: { $path: "src/shared" }, Packages: { $path: "Packages" } },
      ServerScriptService: { Server: { $path: "src/server" } },
    },
  }),
  "game/src/shared/Good.luau": "return 1\n",
  "game/src/server/main.server.luau":
    'local ok = 1\nlocal x: number = "a" --! TypeError: not a number\\n  at all\n',
  "game/src/server/with space: [x].luau": "return 1 --! LocalUnused: never used\n",
  "game/Packages/Lib.luau": "return 1 --! TypeError: of a package\n",
  "game/tools/build.luau": "return 1 --! TypeError: not in the place\n",
  "broken/default.project.json": '{ "name": "Broken", "tree": { "$className": ',
  "plain/a.luau": "return 1 --! TypeError: plain\n",
  "plain/.git-not/b.luau": "return 1 --! TypeError: hidden\n",
  "plain/lib/Packages/c.luau": "return 1 --! TypeError: of a package\n",
};

let standIn = "";
beforeAll(async () => {
  for (const [name, text] of Object.entries(files)) await box.writeAsync(name, text);
  await mkdir(join(box.folder, "tools"));
  await mkdir(join(box.folder, "empty"));
  await mkdir(join(box.folder, "tmp"));
  standIn = await writeStandInAsync(join(box.folder, "tools"));
});

type Environment = Readonly<Record<string, string>>;

const checkAsync = (words: readonly string[], { cwd = "game", ...env }: Environment = {}) =>
  box.localSbAsync(["check", ...words], { SB_LUAU_LSP: standIn, ...env }, join(box.folder, cwd));

describe("sb check", () => {
  test("shows what the checker finds in the project's own scripts, with the lines", async () => {
    expect(await checkAsync([])).toEqual({
      exitCode: 1,
      stdout: `src/server/main.server.luau:2:1 TypeError: not a number
  at all
  2 | local x: number = "a" --! TypeError: not a number\\n  at all
    | ${"^".repeat(59)}

src/server/with space: [x].luau:1:1 LocalUnused: never used
  1 | return 1 --! LocalUnused: never used
    | ${"^".repeat(36)}
`,
      stderr: "Checked 3 scripts with luau-lsp 1.70.0: 1 error and 1 warning in 2 scripts.\n",
    });
  });

  test("exits with 0 where nothing is found, and checks only what is named", async () => {
    const { exitCode, stdout, stderr } = await checkAsync(["src/shared"]);
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: "" });
    expect(stderr).toBe("Checked 1 script with luau-lsp 1.70.0: nothing found.\n");
    const named = await checkAsync(["tools/build.luau", "Packages", "src/server/main.server.luau", "--json"]);
    const { findings, total } = JSON.parse(named.stdout);
    expect(findings.map(({ file }: { file: string }) => file)).toEqual([
      "Packages/Lib.luau",
      "src/server/main.server.luau",
      "tools/build.luau",
    ]);
    expect({ total, exitCode: named.exitCode }).toEqual({ total: 3, exitCode: 1 });
  });

  test("without a project it checks all scripts below the folder but those of packages and hidden folders", async () => {
    const { exitCode, stdout } = await checkAsync(["--formatter", "gnu"], { cwd: "plain" });
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "a.luau:1.1-1.29: TypeError: plain\n" });
  });

  test("writes findings for GitHub, relative to the workspace, and as JSON", async () => {
    const github = await checkAsync(["--formatter", "github"], { GITHUB_WORKSPACE: box.folder });
    expect(github.stdout.split("\n")).toEqual([
      "::error file=game/src/server/main.server.luau,line=2,endLine=2,col=1,endColumn=59,title=TypeError::not a number%0A  at all",
      "::warning file=game/src/server/with space%3A [x].luau,line=1,endLine=1,col=1,endColumn=36,title=LocalUnused::never used",
      "",
    ]);
    const json = await checkAsync(["--formatter", "json"]);
    expect(JSON.parse(json.stdout)).toMatchObject([{ line: 2, code: "TypeError" }, { code: "LocalUnused" }]);
  });

  test("gives the checker private files, the project as its folder, and leaves nothing behind", async () => {
    const record = join(box.folder, "record.jsonl");
    const tmp = join(box.folder, "tmp");
    const before = (await readdir(join(box.folder, "game"), { recursive: true })).sort();
    await checkAsync([], { STAND_IN_RECORD: record, TMPDIR: tmp });
    const [version, analysis] = (await Bun.file(record).text())
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(version.words).toEqual(["--version"]);
    expect(analysis.cwd).toEndWith("/game");
    const [command, ...words] = analysis.words;
    expect(command).toBe("analyze");
    for (const option of ["--definitions=@roblox=", "--sourcemap="])
      expect(words.find((word: string) => word.startsWith(`${option}${tmp}/sb-check-`))).toBeDefined();
    expect(words.slice(-3)).toEqual([
      "./src/server/main.server.luau",
      "./src/server/with space: [x].luau",
      "./src/shared/Good.luau",
    ]);
    expect(await readdir(tmp)).toEqual([]);
    expect((await readdir(join(box.folder, "game"), { recursive: true })).sort()).toEqual(before);
  });

  test("shows uses of members that headless Studio refuses", async () => {
    await box.writeAsync(
      "refused/a.luau",
      "workspace:ZoomToExtents()\nworkspace:GetChildren()\nworkspace:NoSuch()\n",
    );
    const words = ["--headless-only", "--formatter", "gnu"];
    const { stdout } = await checkAsync(words, { cwd: "refused" });
    expect(stdout.split("\n")).toEqual([
      "a.luau:1.1-1.25: HeadlessRefuses: Headless Studio does not simulate Instance.ZoomToExtents.",
      "a.luau:3.1-3.18: TypeError: Key 'NoSuch' not found in external type 'Instance'",
      "",
    ]);
  });

  test("2,000 scripts take as many starts as their names need, and all are checked", async () => {
    const record = join(box.folder, "many.jsonl");
    const name = (index: number) => `many/${"long-".repeat(20)}${index}.luau`;
    for (let index = 0; index < 2000; index += 1)
      await box.writeAsync(
        name(index),
        index % 1000 === 999 ? "return 1 --! TypeError: far\n" : "return 1\n",
      );
    const { stdout, exitCode } = await checkAsync(["--json"], { cwd: "many", STAND_IN_RECORD: record });
    expect({ exitCode, ...JSON.parse(stdout) }).toMatchObject({ exitCode: 1, files: 2000, total: 2 });
    expect((await Bun.file(record).text()).trim().split("\n").length).toBeGreaterThan(2);
  });
});

describe("what cannot be checked is exit code 2", () => {
  test.each([
    ["crash", "it crashed (SIGSEGV)."],
    ["garbage", "its output is not that of luau-lsp: <html>\\x1b[31m not what was asked for."],
    ["code", "it ended with exit code 70."],
    ["silent", "it ended with exit code 1 and named no finding."],
    ["config", "/.luaurc: Expected ':' after key."],
    ["flood", "it printed more than 16 MB, so that it was ended."],
  ])("a checker in the mode %p", async (mode, sentence) => {
    const { exitCode, stdout, stderr } = await checkAsync([], { STAND_IN: mode, COLUMNS: "200" });
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
    expect(stderr.replaceAll(/\s+/g, " ")).toContain("error: luau-lsp did not check: ");
    expect(stderr).toContain(sentence);
  });

  test("a checker that hangs ends with Ctrl+C, and so does its process", async () => {
    const record = join(box.folder, "hang.jsonl");
    const tmp = join(box.folder, "tmp");
    const child = Bun.spawn([binaryPath, "check"], {
      cwd: join(box.folder, "game"),
      env: box.env({ SB_LUAU_LSP: standIn, STAND_IN: "hang", STAND_IN_RECORD: record, TMPDIR: tmp }),
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
    });
    await untilAsync("the checker runs", async () =>
      (
        await Bun.file(record)
          .text()
          .catch(() => "")
      ).includes("analyze")
        ? true
        : undefined,
    );
    const [folder = ""] = await readdir(tmp);
    child.kill("SIGINT");
    expect((await outcomeAsync(child)).exitCode).toBe(130);
    expect(await readdir(tmp)).toEqual([]);
    expect(folder).toStartWith("sb-check-");
    const last = (await Bun.file(record).text()).trim().split("\n").at(-1) ?? "";
    const { pid } = JSON.parse(last);
    await untilAsync("the checker has ended", () => (isRunning(pid) ? undefined : true));
  });

  test.each([
    [{ STAND_IN: "no-version" }, "it does not tell its version"],
    [{ STAND_IN_VERSION: "1.55.1" }, "it is luau-lsp 1.55.1, and sb needs 1.56.0 or later"],
    [{ STAND_IN_VERSION: "a program 3.0.0" }, "it does not tell its version"],
    [{ SB_LUAU_LSP: "/nowhere/luau-lsp" }, "there is no such program"],
    [{ SB_LUAU_LSP: "", PATH: "/usr/bin:/bin" }, "There is no luau-lsp on PATH"],
  ])("a checker with %p is none, and the error says how to get one", async (env, sentence) => {
    const { exitCode, stderr } = await checkAsync([], env);
    expect(exitCode).toBe(2);
    expect(stderr.replaceAll(/\s+/g, " ")).toContain(sentence);
    expect(stderr).toMatch(/hint: (Install it with|Name the program)/);
  });

  test("a shim that knows no version in the folder is passed over for the next program on PATH", async () => {
    await mkdir(join(box.folder, "shims"), { recursive: true });
    const shim = await box.writeAsync(
      "shims/luau-lsp",
      "#!/bin/sh\necho 'Failed to find tool' >&2\nexit 1\n",
    );
    Bun.spawnSync(["chmod", "755", shim]);
    const path = [join(box.folder, "shims"), join(box.folder, "tools"), "/usr/bin", "/bin"].join(":");
    expect((await checkAsync(["src/shared"], { SB_LUAU_LSP: "", PATH: path })).exitCode).toBe(0);
    const alone = await checkAsync([], { SB_LUAU_LSP: "", PATH: `${join(box.folder, "shims")}:/bin` });
    expect(alone.stderr).toContain("shims/luau-lsp: it does not tell its version: Failed to find tool");
  });

  test.each([
    [[], "broken", "default.project.json"],
    [[], "empty", "There are no scripts to check."],
    [["nowhere.luau"], "game", "Could not read nowhere.luau"],
    [["default.project.json"], "game", "default.project.json is not a script."],
    [["--formatter", "xml"], "game", "xml"],
    [["--syntax", "--headless-only"], "game", "Cannot use --syntax and --headless-only together."],
  ])("%j in %s", async (words, cwd, sentence) => {
    const { exitCode, stdout, stderr } = await checkAsync(words, { cwd });
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
    expect(stderr).toContain(sentence);
    expect(stderr).not.toMatch(/^\s+at /m);
  });

  test("a file whose name breaks the line is named, and the others are checked", async () => {
    await box.writeAsync("odd/two\nlines.luau", "return 1\n");
    await box.writeAsync("odd/a.luau", "return 1 --! TypeError: found\n");
    const { exitCode, stdout, stderr } = await checkAsync([], { cwd: "odd" });
    expect(exitCode).toBe(2);
    expect(stdout).toContain("a.luau:1:1 TypeError: found");
    expect(stderr).toContain("two\\nlines.luau was not checked, because its name has a line break.");
    await rm(join(box.folder, "odd"), { recursive: true });
  });
});

test.skipIf(process.platform !== "linux").each(["", "git"])(
  "a file whose name is not UTF-8 is named and not passed over, also in a repository (%s)",
  async (repository) => {
    const folder = join(box.folder, `bytes${repository}`);
    await mkdir(folder);
    if (repository !== "") Bun.spawnSync(["git", "init", "-q", folder]);
    await writeFile(
      Buffer.concat([Buffer.from(`${folder}/bad`), Buffer.from([255]), Buffer.from(".luau")]),
      "",
    );
    await writeFile(join(folder, "good.luau"), "return 1\n");
    const { exitCode, stderr } = await checkAsync([], { cwd: `bytes${repository}`, COLUMNS: "200" });
    expect(exitCode).toBe(2);
    expect(stderr).toContain("luau was not checked, because its name is not UTF-8.");
    expect(stderr).toContain("Checked 1 script ");
  },
);

describe("sb check --syntax", () => {
  test("shows what does not compile and requires that lead nowhere, without a checker", async () => {
    const project = { name: "S", tree: { $className: "DataModel", ServerStorage: { S: { $path: "src" } } } };
    await box.writeAsync("syntax/default.project.json", JSON.stringify(project));
    await box.writeAsync("syntax/src/broken.luau", "local x = 1\nlocal = 2\n");
    await box.writeAsync("syntax/src/Good.luau", "return 1\n");
    await box.writeAsync(
      "syntax/src/main.server.luau",
      `require(script.Parent.Good)
require("./Good")
require(script.Parent.Bad)
require("./bad")
require("@alias/x")
require(game.ServerStorage.S.folder)
require(game.Workspace.MayBeThere)
`,
    );
    await box.writeAsync("syntax/src/folder/Inner.luau", "return require('../Good')\n");
    const env = { cwd: "syntax", SB_LUAU_LSP: "/nowhere", COLUMNS: "300" };
    const { exitCode, stdout } = await checkAsync(["--syntax", "--formatter", "gnu"], env);
    expect(exitCode).toBe(1);
    expect(stdout.split("\n")).toEqual([
      expect.stringMatching(/^src\/broken\.luau:2\.1-2\.9: SyntaxError: Expected identifier/),
      "src/main.server.luau:3.1-3.7: RequireLeadsNowhere: There is no Bad in ServerStorage.S.",
      expect.stringMatching(
        /^src\/main\.server\.luau:4\.1-4\.7: RequireLeadsNowhere: There is no module \.\/bad/,
      ),
      expect.stringMatching(
        /^src\/main\.server\.luau:5\.1-5\.7: RequireLeadsNowhere: There is no alias @alias/,
      ),
      "src/main.server.luau:6.1-6.7: RequireLeadsNowhere: ServerStorage.S.folder is a Folder, not a ModuleScript.",
      "",
    ]);
  });
});
