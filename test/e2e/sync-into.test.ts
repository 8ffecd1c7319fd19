/** `sb sync --into`: the project of a library, which is no place, live in a headless Studio. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Sandbox, untilAsync } from "../harness.ts";

let box: Sandbox;
const INTO = ["--into", "ReplicatedStorage.Libs.Mine"] as const;

beforeAll(async () => {
  box = await Sandbox.createAsync();
  await mkdir(join(box.folder, "src"));
  await box.writeAsync("default.project.json", '{ "name": "Mine", "tree": { "$path": "src" } }');
  await box.writeAsync("src/init.luau", "return 1\n");
  await box.writeAsync("src/Part.luau", "return 2\n");
  box.spawn(["headless", "--name", "Alpha"]);
  await untilAsync("Alpha is connected", async () =>
    (await box.sessionsAsync()).length > 0 ? true : undefined,
  );
}, 120_000);
afterAll(() => box[Symbol.asyncDispose]());

const sb = (...words: readonly string[]) => box.sbAsync(words);
const studioAsync = async (code: string): Promise<unknown> => {
  const { stdout } = await sb("exec", "--json", code);
  return JSON.parse(stdout).returnValues?.[0];
};
const LIB = "game.ReplicatedStorage.Libs.Mine";
const fileAsync = (name: string) => readFile(join(box.folder, "src", name), "utf8");

test("without a path it says what to add, and wrong paths are refused before anything is changed", async () => {
  const { stderr, exitCode } = await sb("sync");
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining("--into ReplicatedStorage.MyLibrary")]);
  for (const path of ["ReplicatedStorage", "Nowhere.Mine", "ReplicatedStorage..Mine", "Workspace."]) {
    const refused = await sb("sync", "--into", path);
    expect([path, refused.exitCode, refused.stderr.includes("--into")]).toEqual([path, 2, true]);
  }
  expect(await studioAsync("return #game.ReplicatedStorage:GetChildren()")).toBe(0);
});

test("both sides follow each other below the path, and no file is made for it", async () => {
  const first = await sb("sync", ...INTO);
  expect([first.exitCode, first.stdout.includes("push   + ReplicatedStorage.Libs.Mine  src")]).toEqual([
    0,
    true,
  ]);
  expect(await studioAsync(`return ${LIB}.Part.Source`)).toBe("return 2\n");
  await studioAsync(`${LIB}.Source = "return 5\\n" Instance.new("ModuleScript", ${LIB}).Name = "New"`);
  await writeFile(join(box.folder, "src", "Part.luau"), "return 3\n");
  expect((await sb("sync", ...INTO)).exitCode).toBe(0);
  expect(await fileAsync("init.luau")).toBe("return 5\n");
  expect(await studioAsync(`return ${LIB}.Part.Source`)).toBe("return 3\n");
  expect((await readdir(join(box.folder, "src"))).toSorted()).toEqual(["New.luau", "Part.luau", "init.luau"]);
  expect((await sb("sync", "undo")).exitCode).toBe(0);
  expect(await fileAsync("init.luau")).toBe("return 1\n");
  const names = await readdir(box.folder);
  expect(names.filter((name) => name.includes("into"))).toEqual([]);
  expect((await sb("sync", ...INTO, "--override", "src=pull")).exitCode).toBe(0);
});

test("the library keeps its place and name, and another path loses nothing", async () => {
  await studioAsync(`${LIB}.Name = "Other"`);
  const renamed = await sb("sync", ...INTO);
  expect(renamed.exitCode).toBe(1);
  await studioAsync('game.ReplicatedStorage.Libs.Other.Name = "Mine"');
  expect((await sb("sync", ...INTO)).exitCode).toBe(0);
  const elsewhere = await sb("sync", "--into", "ServerStorage.Elsewhere", "--partial");
  expect(elsewhere.exitCode).toBe(1);
  expect(elsewhere.stdout).toContain("it is not at this path now; push it with --override");
  expect(await fileAsync("init.luau")).toBe("return 5\n");
  expect(await studioAsync(`return ${LIB}.Source`)).toBe("return 5\n");
});

test("a watched sync takes the path from the settings", async () => {
  await writeFile(
    join(box.folder, "sb.config.json"),
    '{ "sync": { "into": "ReplicatedStorage.Libs.Mine" } }',
  );
  const child = box.spawn(["sync", "--watch"]);
  let said = "";
  const gatherAsync = async (stream: ReadableStream<Uint8Array>) => {
    for await (const bytes of stream) said += new TextDecoder().decode(bytes);
  };
  const ended = Promise.all([gatherAsync(child.stdout), gatherAsync(child.stderr)]);
  await untilAsync("it watches", () => (said.includes("Studio: Alpha (edit)") ? true : undefined));
  await writeFile(join(box.folder, "src", "Part.luau"), "return 7\n");
  await untilAsync(`Part is in Studio; said ${said}`, async () =>
    (await studioAsync(`return ${LIB}.Part.Source`)) === "return 7\n" ? true : undefined,
  );
  await studioAsync(`${LIB}.Part.Source = "return 8\\n"`);
  await untilAsync("Part is in its file", async () =>
    (await fileAsync("Part.luau")) === "return 8\n" ? true : undefined,
  );
  child.kill("SIGINT");
  await ended;
}, 60_000);
