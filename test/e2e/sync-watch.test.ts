/** `sb sync --watch` with a headless Studio: both directions, what is parked, when it pauses, and how it goes on. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Sandbox, untilAsync } from "../harness.ts";

let box: Sandbox;
let folder: string;
let studio: Bun.Subprocess;

async function openStudioAsync(...place: readonly string[]): Promise<void> {
  studio = box.spawn(["headless", "--name", "Alpha", ...place]);
  await untilAsync("Alpha is connected", async () =>
    (await box.sessionsAsync()).length > 0 ? true : undefined,
  );
}

beforeAll(async () => {
  box = await Sandbox.createAsync();
  folder = join(box.folder, "game");
  await mkdir(join(folder, "src", "many"), { recursive: true });
  await writeFile(
    join(folder, "default.project.json"),
    JSON.stringify({
      name: "Game",
      tree: { $className: "DataModel", ReplicatedStorage: { Shared: { $path: "src" } } },
    }),
  );
  for (let index = 0; index < 12; index++)
    await writeFile(join(folder, "src", "many", `Old${index}.luau`), `return ${index}`);
  await writeAsync("M.luau", "return 1");
  git("init");
  git("add", ".");
  git("commit", "-m", "one");
  await openStudioAsync();
}, 120_000);
afterAll(() => box[Symbol.asyncDispose]());

function git(...words: string[]): void {
  const identity = ["-c", "user.name=t", "-c", "user.email=t@t"];
  const { exitCode, stderr } = Bun.spawnSync(["git", ...identity, ...words], { cwd: folder });
  if (exitCode !== 0) throw new Error(stderr.toString());
}

const writeAsync = (name: string, text: string) => writeFile(join(folder, "src", name), text);
const textAsync = (name: string) => readFile(join(folder, "src", name), "utf8").catch(() => undefined);

/** What an expression about the folder `shared` is in Studio. */
async function studioAsync(expression: string): Promise<unknown> {
  const script = `local shared = game.ReplicatedStorage:FindFirstChild("Shared") return ${expression}`;
  const { stdout } = await box.sbAsync(["exec", "--json", script]);
  return JSON.parse(stdout).returnValues?.[0];
}

const untilStudioAsync = (expression: string, value: unknown) =>
  untilAsync(`${expression} is ${value} in Studio`, async () =>
    (await studioAsync(expression)) === value ? true : undefined,
  );
const untilFileAsync = (name: string, text: string | undefined) =>
  untilAsync(`${name} is ${text}`, async () => ((await textAsync(name)) === text ? true : undefined));

function watch(project = "game") {
  const child = box.spawn(["sync", project, "--watch"]);
  const said = { stdout: "", stderr: "" };
  const gatherAsync = async (stream: ReadableStream<Uint8Array>, key: "stdout" | "stderr") => {
    const decoder = new TextDecoder();
    for await (const bytes of stream) said[key] += decoder.decode(bytes, { stream: true });
  };
  const ended = Promise.all([gatherAsync(child.stdout, "stdout"), gatherAsync(child.stderr, "stderr")]);
  const saysAsync = (key: "stdout" | "stderr", text: string) =>
    untilAsync(`it says ${text}; said ${JSON.stringify(said)}`, () =>
      said[key].includes(text) ? true : undefined,
    );
  return { child, said, ended, saysAsync };
}

test("both sides follow each other, and what cannot be decided is parked while the rest goes on", async () => {
  const { child, said, ended, saysAsync } = watch();
  await saysAsync("stderr", "synced · Studio: Alpha (edit)");
  await untilStudioAsync("shared.M.Source", "return 1");

  await writeAsync("M.luau", "return 2");
  await untilStudioAsync("shared.M.Source", "return 2");
  await saysAsync("stdout", "push   ~ ReplicatedStorage.Shared.M  src/M.luau\n");
  await studioAsync('(function() shared.M.Source = "return 3" end)()');
  await untilFileAsync("M.luau", "return 3");
  await saysAsync("stdout", "pull   ~ ReplicatedStorage.Shared.M  src/M.luau\n");
  // A file that goes back to what it was before the two changes is newer than both. The new file needs a whole sync.
  await Promise.all([writeAsync("M.luau", "return 1"), writeAsync("Beside.luau", "return 0")]);
  await untilStudioAsync("shared:FindFirstChild('Beside') ~= nil", true);
  await untilStudioAsync("shared.M.Source", "return 1");
  expect(await textAsync("M.luau")).toBe("return 1");
  await studioAsync(
    '(function() local m = Instance.new("ModuleScript", shared) m.Name = "New" m.Source = "return 4" end)()',
  );
  await saysAsync("stdout", "pull   + ReplicatedStorage.Shared.New  src/New.luau\n");
  expect(await textAsync("New.luau")).toBe("return 4");
  await rm(join(folder, "src", "New.luau"));
  await untilStudioAsync('shared:FindFirstChild("New") == nil', true);
  await mkdir(join(folder, "src", "Deep"));
  await writeAsync("Deep/D.server.luau", "print(1)");
  await untilStudioAsync("shared.Deep and shared.Deep.D.ClassName", "Script");

  // What Ctrl+Z takes back is no edit of Studio.
  await writeAsync("M.luau", "return 5");
  await untilStudioAsync("shared.M.Source", "return 5");
  await studioAsync('game:GetService("ChangeHistoryService"):Undo()');
  await saysAsync("stdout", "a sync brought it to Studio, and that was taken back");
  expect([await textAsync("M.luau"), await studioAsync("shared.M.Source")]).toEqual(["return 5", "return 1"]);
  await writeAsync("M.luau", "return 1");
  await untilAsync("nothing is parked", () =>
    /synced · Studio: Alpha \(edit\)\n$/.test(said.stderr) ? true : undefined,
  );

  const second = await box.sbAsync(["sync", "game"]);
  expect(second).toMatchObject({ exitCode: 1, stdout: "" });
  expect(second.stderr).toMatch(/sync/);

  // While git holds its lock nothing is synced, so that both sides can change.
  await writeFile(join(folder, ".git", "index.lock"), "");
  await writeAsync("M.luau", "return 'file'");
  await saysAsync("stderr", "paused: git is at work · Studio: Alpha (edit)");
  await studioAsync(`(function() shared.M.Source = "return 'studio'" end)()`);
  await writeAsync("Deep/D.server.luau", "print(2)");
  await rm(join(folder, ".git", "index.lock"));
  await untilStudioAsync("shared.Deep.D.Source", "print(2)");
  await saysAsync(
    "stdout",
    "parked ~ ReplicatedStorage.Shared.M  src/M.luau\n       both sides changed; `sb sync` lets you decide\n",
  );
  await saysAsync("stderr", "synced · 1 parked · Studio: Alpha (edit)");
  expect([await textAsync("M.luau"), await studioAsync("shared.M.Source")]).toEqual([
    "return 'file'",
    "return 'studio'",
  ]);
  await writeAsync("M.luau", "return 'studio'");
  await untilAsync("nothing is parked", () =>
    /synced · Studio: Alpha \(edit\)\n$/.test(said.stderr) ? true : undefined,
  );

  await rm(join(folder, "src", "many"), { recursive: true });
  await saysAsync("stderr", "Decide with `sb sync`.");
  expect(await studioAsync("#shared.many:GetChildren()")).toBe(12);
  git("checkout", "--", "src/many");
  await untilAsync("nothing is parked", () =>
    /synced · Studio: Alpha \(edit\)\n$/.test(said.stderr) ? true : undefined,
  );

  // No event tells that the file behind the link was fixed.
  const linked = join(folder, "linked.json");
  await writeFile(linked, "{");
  await symlink(linked, join(folder, "src", "M.meta.json"));
  await saysAsync("stderr", "M.meta.json: ");
  await saysAsync("stderr", "\nnot synced · Studio: Alpha (edit)\n");
  await writeFile(linked, JSON.stringify({ attributes: { Mended: true } }));
  await untilStudioAsync("shared.M:GetAttribute('Mended')", true);

  await box.sbAsync(["play", "start", "--server-only"]);
  await saysAsync("stderr", "paused: the place plays · Studio: Alpha (edit)");
  await writeAsync("M.luau", "return 'after'");
  await box.sbAsync(["play", "stop"]);
  await untilStudioAsync("shared.M.Source", "return 'after'");

  child.kill("SIGINT");
  expect(await child.exited).toBe(130);
  await ended;
  expect(await box.sbAsync(["sync", "game", "--check"])).toMatchObject({ exitCode: 0 });
}, 120_000);

test("goes on when the host was killed, and waits for Studio to open the same place again", async () => {
  const { child, ended, saysAsync } = watch();
  await saysAsync("stderr", "synced · Studio: Alpha (edit)");
  process.kill((await box.hostAsync()).hostPid, "SIGKILL");
  await writeAsync("M.luau", "return 'host'");
  await untilStudioAsync("shared.M.Source", "return 'host'");
  await studioAsync(`(function() shared.M.Source = "return 'back'" end)()`);
  await untilFileAsync("M.luau", "return 'back'");

  await box.sbAsync(["save", join(box.folder, "saved.rbxl")]);
  studio.kill("SIGKILL");
  await saysAsync("stderr", "paused: Studio is gone · Studio: Alpha (edit)");
  await writeAsync("M.luau", "return 'kept'");

  // A new place names no revision, so it is not the one before.
  await box.headlessAsync("Beta");
  await saysAsync("stderr", "Beta is another place; waiting for the one before.");
  await box.sbAsync(["close", "-s", "Beta", "--discard"]);
  await openStudioAsync(join(box.folder, "saved.rbxl"));
  await untilStudioAsync("shared.M.Source", "return 'kept'");
  child.kill("SIGINT");
  expect(await child.exited).toBe(130);
  await ended;
}, 120_000);

const CHANGE = "   ~ ReplicatedStorage.Shared.M  src/M.luau\n";

test("goes on with an unpublished place that has no mark and is started again at once, by the revision that it names", async () => {
  const project = join(box.folder, "plain");
  await mkdir(join(project, "src"), { recursive: true });
  const tree = { $className: "DataModel", ReplicatedStorage: { Shared: { $path: "src" } } };
  await writeFile(join(project, "default.project.json"), JSON.stringify({ name: "Plain", tree }));
  const script = join(project, "src", "M.luau");
  await writeFile(script, "return 1");
  const [unnamed, named] = [join(box.folder, "unnamed.rbxl"), join(box.folder, "named.rbxl")];
  expect(await box.localSbAsync(["build", "plain", "-o", unnamed])).toMatchObject({ exitCode: 0 });
  await box.sbAsync(["close", "-s", "Alpha", "--discard"]);
  await untilAsync("Alpha is gone", async () =>
    (await box.sessionsAsync()).length === 0 ? true : undefined,
  );

  await openStudioAsync(unnamed);
  const { child, ended, saysAsync } = watch("plain");
  await saysAsync("stderr", "synced · Studio: Alpha (edit)");
  // A pull writes nothing into the place but the name of its revision.
  await studioAsync(`(function() shared.M.Source = "return 'pulled'" end)()`);
  await untilAsync("it is pulled", async () =>
    (await readFile(script, "utf8")) === "return 'pulled'" ? true : undefined,
  );
  await untilStudioAsync("next(game.ServerStorage:GetAttributes()) ~= nil", true);
  expect(await studioAsync("game.ServerStorage:GetAttribute('StudioBridgePlace') == nil")).toBe(true);
  await box.sbAsync(["save", named]);
  studio.kill("SIGKILL");
  await openStudioAsync(named);
  await writeFile(script, "return 'pushed'");
  await untilStudioAsync("shared.M.Source", "return 'pushed'");

  // One that was not saved since the first sync names nothing, and is not taken for it.
  await box.sbAsync(["save", named]);
  studio.kill("SIGKILL");
  await openStudioAsync(unnamed);
  await saysAsync("stderr", "Alpha is another place; waiting for the one before.");
  await writeFile(script, "return 'later'");
  studio.kill("SIGKILL");
  await openStudioAsync(named);
  await untilStudioAsync("shared.M.Source", "return 'later'");
  await saysAsync("stdout", `pull${CHANGE}push${CHANGE}push${CHANGE}`);
  child.kill("SIGINT");
  expect(await child.exited).toBe(130);
  await ended;
}, 120_000);
