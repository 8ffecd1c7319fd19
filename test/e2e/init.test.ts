/** `sb init` through the compiled binary: after it `sb test` passes, and files that exist stay as they are. */
import { beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { chmod, readdir, readFile } from "node:fs/promises";
import { sandbox } from "../sandbox.ts";
import { JEST } from "../packages.ts";

const box = sandbox();
const inAsync = (folder: string, ...words: string[]) =>
  box.localSbAsync(words, { CI: "" }, join(box.folder, folder));
/** Only the files of tests. */
const initAsync = (folder: string, ...words: string[]) =>
  wholeInitAsync(folder, "--no-gitignore", "--no-mcp", ...words);
const wholeInitAsync = async (folder: string, ...words: string[]) => {
  const { stdout, stderr, exitCode } = await inAsync(folder, "init", "--json", ...words);
  expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
  return JSON.parse(stdout) as { files: { path: string; state: string; text: string }[]; notes: string[] };
};
const pathsOf = ({ files }: Awaited<ReturnType<typeof initAsync>>) =>
  files.map(({ path, state }) => `${path} ${state}`);
const writeProjectAsync = (folder: string, members: unknown) =>
  box.writeAsync(
    `${folder}/default.project.json`,
    JSON.stringify({ name: folder, tree: { $className: "DataModel", ReplicatedStorage: members } }),
  );

const GREEN = "Files  1 passed      Cases  1 passed";
const WORKFLOW = ".github/workflows/test.yml";

beforeAll(async () => {
  await box.writeAsync("empty/notes.txt", "");
}, 120_000);

test("a folder without a project gets settings, a test and a workflow, and a dry run writes nothing", async () => {
  const planned = await initAsync("empty", "--dry-run");
  expect(pathsOf(planned)).toEqual([
    "sb.config.json planned",
    "tests/first.spec.luau planned",
    `${WORKFLOW} planned`,
  ]);
  expect(await readdir(join(box.folder, "empty"))).toEqual(["notes.txt"]);
  const written = await inAsync("empty", "init", "--yes");
  expect(written.stdout).toContain(" + tests/first.spec.luau  a first test\n");
  expect(written.stdout).toEndWith(" Next: sb test\n");
  expect((await inAsync("empty", "test")).stdout).toContain(GREEN);
});

test("without a terminal and without --yes nothing is written", async () => {
  await box.writeAsync("quiet/notes.txt", "");
  const { stderr, exitCode } = await inAsync("quiet", "init");
  expect(exitCode).toBe(2);
  expect(stderr).toContain("Add --yes to write the files that fit the project, or --dry-run to see them.");
  expect(await readdir(join(box.folder, "quiet"))).toEqual(["notes.txt"]);
});

test("a Rojo project gets its test beside the sources, and nothing that exists is replaced", async () => {
  await box.writeAsync("rojo/src/shared/Cart.luau", "return {}");
  await box.writeAsync("rojo/sb.config.json", '{ "port": 41000 }');
  await writeProjectAsync("rojo", { Shared: { $path: "src/shared" } });
  expect(pathsOf(await initAsync("rojo", "--yes"))).toEqual([
    "sb.config.json exists",
    "src/shared/first.spec.luau written",
    `${WORKFLOW} written`,
  ]);
  expect(await readFile(join(box.folder, "rojo/sb.config.json"), "utf8")).toBe('{ "port": 41000 }');
  expect((await inAsync("rojo", "test")).stdout).toContain(GREEN);
  const again = await initAsync("rojo", "--yes");
  expect(pathsOf(again)).toEqual(["sb.config.json exists"]);
  expect(again.notes).toEqual([
    "There are tests already (src/shared/first.spec.luau), so no first one is written.",
    `${WORKFLOW} runs sb test already.`,
  ]);
});

test("the first test goes where the settings look for tests, and a test that they leave out is told", async () => {
  await box.writeAsync("chosen/sb.config.json", '{ "test": { "include": ["checks/**/*.luau"] } }');
  const chosen = await initAsync("chosen", "--yes", "--ci", "none");
  expect(pathsOf(chosen)).toEqual(["sb.config.json exists", "checks/first.spec.luau written"]);
  expect(chosen.notes).toEqual([]);
  expect((await inAsync("chosen", "test")).stdout).toContain(GREEN);
  await box.writeAsync("other/sb.config.json", '{ "test": { "include": ["**/*.unit.luau"] } }');
  const { notes } = await initAsync("other", "--dry-run", "--ci", "none");
  expect(notes).toEqual([expect.stringMatching("The settings leave out tests/first.spec.luau: ")]);
});

test("settings that sb test cannot read stay, and are told", async () => {
  await box.writeAsync("broken/sb.config.json", '{ "test": { "retries": -1 } }');
  const { files, notes } = await initAsync("broken", "--yes", "--ci", "none");
  expect(pathsOf({ files, notes })).toEqual(["sb.config.json exists", "tests/first.spec.luau written"]);
  expect(notes.join("\n")).toContain("sb test cannot begin until this is fixed: ");
  expect(notes.join("\n")).toContain("sb.config.json:1:24: test.retries: expected 0 retries or more");
});

test("Jest that the place has is used, with a jest.config where the test is", async () => {
  await box.writeAsync("jest/src/Cart.luau", "return {}");
  await writeProjectAsync("jest", { ...JEST, Source: { $path: "src" } });
  const { files } = await initAsync("jest", "--yes", "--ci", "none");
  expect(files.map(({ path }) => path)).toEqual([
    "sb.config.json",
    "src/jest.config.luau",
    "src/first.spec.luau",
  ]);
  const { stdout } = await inAsync("jest", "test");
  expect(stdout).toContain(GREEN);
});

const writeTypeScriptAsync = async (folder: string, packages: object, outDir = "out") => {
  await box.writeAsync(`${folder}/package.json`, JSON.stringify({ devDependencies: packages }));
  const options = `{ // The folders of the compiler.\n "compilerOptions": { "rootDir": "src", "outDir": "${outDir}" } }`;
  await box.writeAsync(`${folder}/tsconfig.json`, options);
  await box.writeAsync(`${folder}/src/cart.ts`, "export {};");
  await writeProjectAsync(folder, { ...JEST, TS: { $path: outDir } });
};

test("a roblox-ts project gets its test in TypeScript, and nothing where the compiler writes", async () => {
  await writeTypeScriptAsync("ts", { "roblox-ts": "3.0.0" });
  const { files, notes } = await initAsync("ts", "--yes", "--framework", "built-in");
  expect(files.map(({ path }) => path)).toEqual(["sb.config.json", "src/first.spec.ts", WORKFLOW]);
  expect(files[0]?.text).toContain('"out/**/*.spec.luau"');
  expect(files[0]?.text).toContain('"npx",\n      "rbxtsc"');
  expect(files[2]?.text).toContain("      - run: npm ci\n      - run: sb test");
  expect(notes.join("\n")).toContain("The project cannot be opened yet: ");
  expect(notes.join("\n")).toContain("Run npm install and npx rbxtsc first.");
  // As the compiler writes it.
  await box.writeAsync("ts/.gitignore", "out\n");
  await box.writeAsync("ts/out/first.spec.luau", "return { works = function() end }");
  await chmod(
    await box.writeAsync("ts/node_modules/.bin/rbxtsc", "#!/bin/sh\necho compiled > compiled.txt\n"),
    0o755,
  );
  Bun.spawnSync(["git", "init"], { cwd: join(box.folder, "ts") });
  expect((await inAsync("ts", "test")).stdout).toContain("Files  1 passed");
  expect(await readdir(join(box.folder, "ts"))).toContain("compiled.txt");
  expect((await initAsync("ts", "--yes")).notes[0]).toStartWith(
    "There are tests already (src/first.spec.ts),",
  );
});

test("Jest of a roblox-ts project gets its settings in TypeScript too, also where out has some already", async () => {
  const packages = { "roblox-ts": "3.0.0", "@rbxts/jest": "0.1.0" };
  await writeTypeScriptAsync("ts-jest", packages, "build");
  await box.writeAsync("ts-jest/build/cart.luau", "return {}");
  const planned = await initAsync("ts-jest", "--dry-run", "--ci", "none");
  expect(pathsOf(planned)).toEqual([
    "sb.config.json planned",
    "src/jest.config.ts planned",
    "src/first.spec.ts planned",
  ]);
  expect(planned.files[2]?.text).toContain('from "@rbxts/jest-globals"');
  await box.writeAsync("ts-jest/build/game/jest.config.luau", "return {}");
  const { files } = await initAsync("ts-jest", "--yes", "--ci", "none");
  expect(files.map(({ path }) => path)).toEqual(["sb.config.json", "src/game/first.spec.ts"]);
  expect((await readdir(join(box.folder, "ts-jest/build"), { recursive: true })).sort()).toEqual([
    "cart.luau",
    "game",
    join("game", "jest.config.luau"),
  ]);
  for (const folder of ["build", "build/game", "include", "node_modules/x", "tests"]) {
    const { stderr, exitCode } = await inAsync(
      "ts-jest",
      "init",
      "--yes",
      "--framework",
      "jest",
      "--tests",
      folder,
    );
    expect({ folder, exitCode }).toEqual({ folder, exitCode: 2 });
    expect(stderr).toContain("Name a folder in src");
  }
});

test("below another project and below the root of a repository it says what that means", async () => {
  await box.writeAsync("outer/sb.config.json", "{}");
  await box.writeAsync("outer/inner/notes.txt", "");
  Bun.spawnSync(["git", "init"], { cwd: join(box.folder, "outer") });
  const { files, notes } = await initAsync("outer/inner", "--dry-run");
  expect(files.map(({ path }) => path)).toEqual(["sb.config.json", "tests/first.spec.luau"]);
  expect(notes[0]).toEndWith(
    "sb.config.json is for this folder too; an sb.config.json here takes its place.",
  );
  expect(notes[1]).toStartWith("GitHub reads only workflows in ");
});

test("a new game, library and plugin have tests that pass, and build", async () => {
  const builds = { game: "x.rbxl", model: "x.rbxm", plugin: "x.rbxm" } as const;
  for (const [kind, product] of Object.entries(builds)) {
    const folder = `new/${kind}`;
    await box.writeAsync(`${folder}/notes.txt`, "");
    const { files } = await wholeInitAsync(folder, kind, "--yes");
    expect(files.map(({ path }) => path)).toEqual(
      expect.arrayContaining(["default.project.json", "sb.config.json", ".gitignore", ".mcp.json", WORKFLOW]),
    );
    expect(files.every(({ state }) => state === "written")).toBe(true);
    expect((await inAsync(folder, "test")).stdout).toContain(GREEN);
    expect((await inAsync(folder, "build", "-o", product)).exitCode).toBe(0);
    const again = await inAsync(folder, "init", "game", "--yes");
    expect([again.exitCode, again.stderr]).toEqual([
      2,
      expect.stringContaining("has default.project.json already"),
    ]);
  }
  expect((await inAsync("new/model", "build", "dev.project.json", "-o", "dev.rbxl")).exitCode).toBe(0);
  const server = JSON.parse(await readFile(join(box.folder, "new/game/.mcp.json"), "utf8")).mcpServers;
  expect(server).toEqual({ "studio-bridge": { command: "sb", args: ["mcp"] } });
});

test(".gitignore fits the tools of the project, and one that exists stays", async () => {
  await box.writeAsync("wally/wally.toml", "[package]\n");
  await writeProjectAsync("wally", {});
  const [file] = (await wholeInitAsync("wally", "--dry-run", "--ci", "none")).files.filter(
    ({ path }) => path === ".gitignore",
  );
  expect(file?.text).toContain("\nPackages/\n");
  await box.writeAsync("wally/.gitignore", "/Packages\nmine.txt\n");
  const { files, notes } = await wholeInitAsync("wally", "--yes", "--ci", "none");
  expect(files.map(({ path }) => path)).not.toContain(".gitignore");
  expect(notes.join("\n")).toContain("it lacks /*.rbxl, /*.rbxlx,");
  expect(notes.join("\n")).toContain("ServerPackages/, DevPackages/.");
  expect(notes.join("\n")).not.toContain(" Packages/");
  expect(await readFile(join(box.folder, "wally/.gitignore"), "utf8")).toBe("/Packages\nmine.txt\n");
});

test(".mcp.json with other servers stays, and the way to add sb is named", async () => {
  await writeProjectAsync("served", {});
  await box.writeAsync("served/.mcp.json", '{ "mcpServers": { "other": { "command": "x" } } }');
  const { files, notes } = await wholeInitAsync("served", "--yes", "--ci", "none");
  expect(files.map(({ path }) => path)).not.toContain(".mcp.json");
  expect(notes.join("\n")).toContain("`sb mcp install --project` adds sb mcp to it.");
  expect((await inAsync("served", "mcp", "install", "--project")).exitCode).toBe(0);
  expect((await wholeInitAsync("served", "--yes", "--ci", "none")).notes.join("\n")).not.toContain(
    ".mcp.json",
  );
});

test("a library whose root is its sources runs its test, and tells of no other", async () => {
  await box.writeAsync("lib/default.project.json", '{ "name": "Lib", "tree": { "$path": "src" } }');
  await box.writeAsync("lib/src/init.luau", "return 1\n");
  await wholeInitAsync("lib", "--yes", "--ci", "none");
  const { stdout, stderr } = await inAsync("lib", "test");
  expect({ stdout, stderr }).toEqual({ stdout: expect.stringContaining(GREEN), stderr: "" });
});

test("wishes that the project cannot meet are refused", async () => {
  for (const [words, reason] of [
    [["--framework", "jest"], "the place has no Jest"],
    [["--tests", "../else"], "../else is not below this folder"],
    [["--ci", "gitlab"], "--ci: expected github or none"],
  ] as const) {
    const { stderr, exitCode } = await inAsync("quiet", "init", "--yes", ...words);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(reason);
  }
});
