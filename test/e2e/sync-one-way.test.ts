/** One-way folders with a headless Studio: what Studio has changed in compiled files is replaced by name, and can be restored. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Sandbox, untilAsync } from "../harness.ts";

let box: Sandbox;
let folder: string;

const MANY = Array.from({ length: 11 }, (_, index) => `N${index}`);

beforeAll(async () => {
  box = await Sandbox.createAsync();
  folder = box.folder;
  await mkdir(join(folder, "out", "many"), { recursive: true });
  await mkdir(join(folder, "src"));
  const tree = {
    $className: "DataModel",
    ReplicatedStorage: { TS: { $path: "out" }, Hand: { $path: "src" } },
  };
  await writeFile(join(folder, "default.project.json"), JSON.stringify({ name: "Game", tree }));
  await writeFile(
    join(folder, "tsconfig.json"),
    '{ "compilerOptions": { "rootDir": "ts", "outDir": "out" } }',
  );
  await writeFile(join(folder, "out", "M.luau"), "return 1\n");
  await writeFile(join(folder, "src", "H.luau"), "return 1\n");
  for (const name of MANY) await writeFile(join(folder, "out", "many", `${name}.luau`), "return 0\n");
  box.spawn(["headless", "--name", "Alpha"]);
  await untilAsync("Alpha is connected", async () =>
    (await box.sessionsAsync()).length > 0 ? true : undefined,
  );
}, 120_000);
afterAll(() => box[Symbol.asyncDispose]());

const sb = (...words: readonly string[]) => box.sbAsync(words);
const studioAsync = async (code: string): Promise<unknown> => {
  const { stdout } = await sb("exec", "--json", `local TS = game.ReplicatedStorage.TS ${code}`);
  return JSON.parse(stdout).returnValues?.[0];
};
const keptAsync = async () => {
  const trash = join(folder, ".sb", "trash");
  const [newest = ""] = (await readdir(trash)).toSorted().toReversed();
  return JSON.parse(await readFile(join(trash, newest, "studio.json"), "utf8"));
};

test("an edit in Studio is replaced by name, is kept, and comes back with an undo", async () => {
  expect((await sb("sync")).exitCode).toBe(0);
  await studioAsync('TS.M.Source = "return 2\\n" game.ReplicatedStorage.Hand.H.Source = "return 2\\n"');
  const { stdout, exitCode } = await sb("sync");
  expect(exitCode).toBe(0);
  expect(stdout).toContain("push   ~ ReplicatedStorage.TS.M  out/M.luau");
  expect(stdout.replaceAll(/\s+/g, " ")).toContain(
    "one-way folder: this replaces what Studio holds; `sb sync undo` restores it",
  );
  expect(stdout).toContain("pull   ~ ReplicatedStorage.Hand.H  src/H.luau");
  expect(await studioAsync("return TS.M.Source")).toBe("return 1\n");
  expect(await keptAsync()).toEqual([
    {
      path: "ReplicatedStorage.TS.M",
      className: "ModuleScript",
      fsPath: "out/M.luau",
      held: { Source: "return 2\n" },
    },
  ]);
  expect((await sb("sync", "undo")).exitCode).toBe(0);
  expect(await studioAsync("return TS.M.Source")).toBe("return 2\n");
  // What was taken back is a question, and never goes to the file.
  const pulled = await sb("sync", "--override", "out/M.luau=pull");
  expect(pulled.exitCode).toBe(1);
  expect(await readFile(join(folder, "out", "M.luau"), "utf8")).toBe("return 1\n");
  expect(
    (await sb("sync", "--prefer", "files", "--override", "out/M.luau=push", "--override", "src=push"))
      .exitCode,
  ).toBe(0);
  expect(await studioAsync("return TS.M.Source")).toBe("return 1\n");
}, 60_000);

test("what was removed in Studio is put back, and what was added there stays", async () => {
  await studioAsync('TS.M:Destroy() Instance.new("ModuleScript", TS).Name = "Mine"');
  const { stdout, exitCode } = await sb("sync");
  expect([exitCode, stdout.includes("push   + ReplicatedStorage.TS.M")]).toEqual([0, true]);
  expect(await studioAsync("return TS.M.Source .. TS.Mine.ClassName")).toBe("return 1\nModuleScript");
  expect(await readdir(join(folder, "out"))).toEqual(["M.luau", "many"]);
}, 60_000);

test("more than ten edits wait for a number", async () => {
  await studioAsync('for _, each in TS.many:GetChildren() do each.Source = "return 5\\n" end');
  const { stdout, exitCode } = await sb("sync");
  expect(exitCode).toBe(1);
  expect(stdout).toContain("what Studio holds of 11 Instances in one-way folders");
  expect(await studioAsync("return TS.many.N3.Source")).toBe("return 5\n");
  expect((await sb("sync", "--allow-overwrites", "11")).exitCode).toBe(0);
  expect(await studioAsync("return TS.many.N3.Source")).toBe("return 0\n");
}, 60_000);

test("a watched sync replaces an edit at once, and says so", async () => {
  const child = box.spawn(["sync", "--watch"]);
  let said = "";
  const gatherAsync = async (stream: ReadableStream<Uint8Array>) => {
    for await (const bytes of stream) said += new TextDecoder().decode(bytes);
  };
  const ended = Promise.all([gatherAsync(child.stdout), gatherAsync(child.stderr)]);
  const saysAsync = (text: string) =>
    untilAsync(`it says ${text}; said ${said}`, () => (said.includes(text) ? true : undefined));
  await saysAsync("synced · Studio: Alpha (edit)");
  await studioAsync('TS.M.Source = "return 3\\n"');
  await saysAsync("one-way folder: this replaces what Studio holds");
  expect(await studioAsync("return TS.M.Source")).toBe("return 1\n");
  expect(await readFile(join(folder, "out", "M.luau"), "utf8")).toBe("return 1\n");
  child.kill("SIGINT");
  await ended;
}, 60_000);

test("the setting names the folders instead, and none with an empty list", async () => {
  await writeFile(join(folder, "sb.config.json"), '{ "sync": { "oneWay": [] } }');
  await studioAsync('TS.M.Source = "return 4\\n"');
  expect((await sb("sync")).stdout).toContain("pull   ~ ReplicatedStorage.TS.M");
  expect(await readFile(join(folder, "out", "M.luau"), "utf8")).toBe("return 4\n");
  await writeFile(join(folder, "sb.config.json"), '{ "sync": { "oneWay": ["src/**"] } }');
  await studioAsync('game.ReplicatedStorage.Hand.H.Source = "return 9\\n"');
  expect((await sb("sync")).stdout).toContain("push   ~ ReplicatedStorage.Hand.H");
}, 60_000);
