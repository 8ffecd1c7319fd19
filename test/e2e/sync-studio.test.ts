/** `sb sync` with an open Studio, a headless one: edits on both sides, choices, undo, a second run, and two at once. */
import { beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { Sandbox, untilAsync } from "../harness.ts";
import { sandbox } from "../sandbox.ts";
import { Keyboard, keys } from "../peers/keyboard.ts";
import { SyncProject } from "./sync-project.ts";

// Each test runs the binary many times.
setDefaultTimeout(120_000);

const CONFIG = ["local speed = 1", "local jump = 2", "local size = 3", "return speed + jump + size", ""];
const config = (speed: number, size: number): string =>
  CONFIG.join("\n").replace("speed = 1", `speed = ${speed}`).replace("size = 3", `size = ${size}`);

const files = {
  "shared/Config.luau": config(1, 3),
  "shared/Util.luau": "return 1\n",
  "server/Main.server.luau": 'print("main")\n',
};

const box = sandbox({ headless: "Lobby" });
let project: SyncProject;
beforeAll(async () => {
  project = await SyncProject.createAsync(box, files);
}, 120_000);

/** The sources of the two services, by path. */
async function sourcesAsync(): Promise<{ [path: string]: string }> {
  const script = `
    local found = {}
    for _, service in { game.ReplicatedStorage, game.ServerScriptService } do
      for _, each in service:QueryDescendants("LuaSourceContainer") do found[each:GetFullName()] = each.Source end
    end
    return found`;
  const { stdout } = await box.sbAsync(["exec", "--json", script]);
  // An empty table is an empty list.
  return { ...JSON.parse(stdout).returnValues[0] };
}

const execAsync = async (script: string): Promise<void> => {
  const { exitCode, stderr } = await box.sbAsync(["exec", script]);
  expect([exitCode, stderr]).toEqual([0, ""]);
};

const inStudio = {
  "ReplicatedStorage.Config": files["shared/Config.luau"],
  "ReplicatedStorage.Util": files["shared/Util.luau"],
  "ServerScriptService.Main": files["server/Main.server.luau"],
};

test("the first sync brings the files to Studio, and the second one has nothing to do", async () => {
  expect(await project.reportAsync("--mode", "dryrun")).toMatchObject({ exitCode: 0, status: "dryrun" });
  expect(await sourcesAsync()).toEqual({});
  expect(await project.reportAsync()).toMatchObject({
    exitCode: 0,
    status: "success",
    changes: [
      "push add ReplicatedStorage.Config: done",
      "push add ReplicatedStorage.Util: done",
      "push add ServerScriptService.Main: done",
    ],
  });
  expect(await sourcesAsync()).toEqual(inStudio);
  expect(await project.reportAsync()).toMatchObject({ exitCode: 0, status: "empty", changes: [] });
});

test("edits of both sides go to the other one, and undo takes them back on both", async () => {
  await project.writeAsync({ "shared/Util.luau": "return 2\n", "shared/Extra.luau": "return {}\n" });
  await execAsync(`
    game.ServerScriptService.Main.Source = 'print("other")\\n'
    local new = Instance.new("LocalScript")
    new.Name, new.Source, new.Parent = "Sky", "return 0\\n", game.ReplicatedStorage`);
  const [before, sources] = [await project.filesAsync(), await sourcesAsync()];
  expect(await project.reportAsync()).toMatchObject({
    exitCode: 0,
    status: "success",
    changes: [
      "pull add ReplicatedStorage.Sky: done",
      "pull edit ServerScriptService.Main: done",
      "push add ReplicatedStorage.Extra: done",
      "push edit ReplicatedStorage.Util: done",
    ],
  });
  const after = {
    ...files,
    "server/Main.server.luau": 'print("other")\n',
    "shared/Extra.luau": "return {}\n",
    "shared/Sky.client.luau": "return 0\n",
    "shared/Util.luau": "return 2\n",
  };
  expect(await project.filesAsync()).toEqual(Object.fromEntries(Object.entries(after).sort()));
  expect(await sourcesAsync()).toMatchObject({ "ReplicatedStorage.Util": "return 2\n" });
  expect(await project.reportAsync("--check")).toMatchObject({ exitCode: 0, status: "empty" });

  const amount = "2 steps on files and 2 changes in ";
  expect((await box.localSbAsync(["sync", "status"])).stdout).toContain(`was applied (${amount}Studio)`);
  expect(await project.aboutAsync("undo")).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining(`Taken back: ${amount}Lobby (edit) (`),
  });
  expect(await project.filesAsync()).toEqual(before);
  expect(await sourcesAsync()).toEqual(sources);
  // What was taken back waits for an answer: otherwise the next sync would do it again.
  const reasons = ["push_undone", "pull_undone", "push_undone", "pull_undone"];
  for (const _ of ["once", "and again"])
    expect(await project.reportAsync()).toMatchObject({
      exitCode: 1,
      status: "fastfail_unresolved",
      items: reasons.map((reason) => ({ verdict: "unresolved", reason })),
    });
  const answers = ["Sky=pull", "Extra=push", "Util=push"].map((each) => `ReplicatedStorage.${each}`);
  const words = [...answers, "ServerScriptService.Main=pull"].flatMap((each) => ["--override", each]);
  expect(await project.reportAsync(...words)).toMatchObject({ exitCode: 0, counts: { push: 2, pull: 2 } });
  expect(await project.reportAsync()).toMatchObject({ exitCode: 0, status: "empty" });
});

test("undo leaves both sides alone once Studio has a newer step", async () => {
  await project.writeAsync({ "shared/Util.luau": "return 3\n" });
  await execAsync("game.ReplicatedStorage.Extra.Source = 'return 1\\n'");
  expect(await project.reportAsync()).toMatchObject({ exitCode: 0, counts: { push: 1, pull: 1 } });
  await execAsync("Instance.new('Folder', workspace)");
  const before = await project.filesAsync();
  const undone = await project.aboutAsync("undo");
  expect([undone.exitCode, undone.stdout]).toEqual([1, expect.stringContaining("was done after the sync")]);
  expect(await project.filesAsync()).toEqual(before);
  await execAsync("game.ReplicatedStorage.Extra:Destroy()");
  expect(await project.reportAsync()).toMatchObject({
    exitCode: 0,
    changes: ["pull remove ReplicatedStorage.Extra: done"],
  });
});

test("undo of Studio's step takes the files along, or leaves both; redo leaves a sync alone", async () => {
  await project.writeAsync({ "shared/Util.luau": "return 4\n" });
  await execAsync(`game.ServerScriptService.Main.Source = 'print("mine")\\n'`);
  const [before, sources] = [await project.filesAsync(), await sourcesAsync()];
  expect(await project.reportAsync()).toMatchObject({ exitCode: 0, counts: { push: 1, pull: 1 } });
  const { planId } = await project.reportAsync("--check");
  expect(planId).toBeUndefined();
  const sbAsync = (...words: string[]) => box.sbAsync(words);
  await sbAsync("new", "Folder", "Workspace", "Name=After");
  const { steps } = JSON.parse((await sbAsync("undo", "--list", "--json", "--limit", "2")).stdout);
  expect(steps).toMatchObject([
    { number: 1, name: "sb: create Workspace.After", count: 1, paths: ["Workspace.After"] },
    { number: 2, name: "sb sync: 1 change", planId: expect.any(String) },
  ]);
  const list = (await sbAsync("undo", "--list", "--limit", "2")).stdout;
  expect(list).toMatch(
    /^1 {2}\d+s ago {2}sb: create Workspace\.After {2}sb\n2 {2}\d+s ago {2}sb sync: 1 change/,
  );
  expect(list).toContain("earlier; --limit");
  expect(await sbAsync("undo", "3")).toMatchObject({
    exitCode: 1,
    stdout: expect.stringMatching(/^Undone: sb: create Workspace\.After\nStopped at "sb sync: 1 change"/),
  });

  const synced = await project.filesAsync();
  await project.writeAsync({ "server/Main.server.luau": "print(99)\n" });
  expect(await sbAsync("undo")).toMatchObject({
    exitCode: 1,
    stdout: expect.stringContaining("has changed since the sync"),
  });
  expect(await sourcesAsync()).toMatchObject({ "ReplicatedStorage.Util": "return 4\n" });
  await project.writeAsync(synced);
  expect(await sbAsync("undo")).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining("Undone: sb sync: 1 change\nWith 1 step on the files of "),
  });
  expect([await project.filesAsync(), await sourcesAsync()]).toEqual([before, sources]);
  expect(await sbAsync("redo", "--json")).toMatchObject({
    exitCode: 1,
    stdout: expect.stringContaining('"redone":[]'),
  });
  const words = ["--override", "ReplicatedStorage.Util=push", "--override", "ServerScriptService.Main=pull"];
  expect(await project.reportAsync(...words)).toMatchObject({ exitCode: 0, counts: { push: 1, pull: 1 } });
});

test("translations and the scale of a model go both ways, although no property of a script has them", async () => {
  const csv = "Key,Source,Context,Example,es\n";
  await project.writeAsync({
    "shared/Words.csv": `${csv}hi,Hello,,,Hola\n`,
    "shared/Big.model.json": '{ "className": "Model", "properties": { "Scale": 2 } }\n',
  });
  expect(await project.reportAsync()).toMatchObject({ exitCode: 0, counts: { push: 2 } });
  expect(await project.reportAsync()).toMatchObject({ exitCode: 0, status: "empty" });
  await project.writeAsync({
    "shared/Words.csv": `${csv}hi,Hello,,,Hola\nbye,Bye,,,Adiós\n`,
    "shared/Big.model.json": '{ "className": "Model", "properties": { "Scale": 4 } }\n',
  });
  expect(await project.reportAsync()).toMatchObject({ exitCode: 0, counts: { push: 2 } });
  await execAsync(`
    local words, big = game.ReplicatedStorage.Words, game.ReplicatedStorage.Big
    assert(string.find(words:GetContents(), "Adiós") and big:GetScale() == 4)
    words:SetEntryValue("hi", "Hello", "", "es", "Buenas")
    big:ScaleTo(0.5)
    local new = Instance.new("LocalizationTable")
    new.Name = "New"
    new:SetEntryValue("k", "Key", "", "de", "Schlüssel")
    new.Parent = game.ReplicatedStorage`);
  expect(await project.reportAsync()).toMatchObject({ exitCode: 0, counts: { pull: 3 } });
  expect(await project.filesAsync()).toMatchObject({
    "shared/Words.csv": `${csv}hi,Hello,,,Buenas\nbye,Bye,,,Adiós\n`,
    "shared/Big.model.json": '{ "className": "Model", "properties": { "Scale": 0.5 } }\n',
    "shared/New.csv": "Key,Source,Context,Example,de\nk,Key,,,Schlüssel\n",
  });
  expect(await project.reportAsync()).toMatchObject({ exitCode: 0, status: "empty" });
  for (const name of ["Words.csv", "Big.model.json", "New.csv"]) await project.removeAsync(`shared/${name}`);
  expect(await project.reportAsync()).toMatchObject({ exitCode: 0, counts: { push: 3 } });
});

test("both sides of a script are merged when that is asked for, and only then", async () => {
  await project.writeAsync({ "shared/Config.luau": config(10, 3) });
  await execAsync(`game.ReplicatedStorage.Config.Source = ${JSON.stringify(config(1, 30))}`);
  expect(await project.reportAsync()).toMatchObject({
    exitCode: 1,
    status: "fastfail_unresolved",
    items: [{ reason: "both_changed", canMerge: true }],
  });
  expect(await project.reportAsync("--override", "ReplicatedStorage.Config=merge")).toMatchObject({
    exitCode: 0,
    status: "success",
    changes: ["merge edit ReplicatedStorage.Config: done"],
  });
  expect(await project.filesAsync()).toMatchObject({ "shared/Config.luau": config(10, 30) });
  expect(await sourcesAsync()).toMatchObject({ "ReplicatedStorage.Config": config(10, 30) });
});

test("a merge that does not compile is refused, and leaves both sides as they are", async () => {
  const loop = "while true do\n\tlocal x = 1\n\tprint(x)\n\tprint(2)\n\ttask.wait()\nend\n";
  await project.writeAsync({ "shared/Util.luau": loop });
  expect(await project.reportAsync()).toMatchObject({ status: "success" });
  // Each side compiles; together a break stands outside of a loop.
  await project.writeAsync({ "shared/Util.luau": loop.replace("while true do", "do") });
  await execAsync(
    `game.ReplicatedStorage.Util.Source = ${JSON.stringify(loop.replace("task.wait()", "break"))}`,
  );
  const [before, sources] = [await project.filesAsync(), await sourcesAsync()];
  expect(await project.reportAsync("--override", "ReplicatedStorage.Util=merge")).toMatchObject({
    exitCode: 1,
    items: [
      { verdict: "skip", reason: "refused", detail: expect.stringContaining("does not compile, line 5") },
    ],
  });
  expect([await project.filesAsync(), await sourcesAsync()]).toEqual([before, sources]);
});

// Pseudo-terminals are not to be had on Windows.
describe.skipIf(process.platform === "win32")("a person at a terminal of 60 columns", () => {
  const conflictAsync = async (number: number): Promise<void> => {
    await project.writeAsync({
      "shared/Config.luau": config(number, 30),
      "shared/Util.luau": `return ${number}\n`,
      "server/Main.server.luau": `print(${number})\n`,
    });
    await execAsync(`
      game.ReplicatedStorage.Config.Source = ${JSON.stringify(config(10, number))}
      game.ReplicatedStorage.Util.Source = "return -${number}\\n"
      game.ServerScriptService.Main.Source = "print(-${number})\\n"`);
  };

  test("sees each difference, decides with one key, and the same for the rest", async () => {
    await conflictAsync(77);
    await using person = await Keyboard.openAsync(["sync"], box, 60, "1/3");
    await person.looksAsync(
      `-local speed = 77
+local speed = 10
 local jump = 2
-local size = 30
+local size = 77`,
    );
    await person.looksAsync("m  merge both changes");
    person.press("s");
    await person.looksAsync("2/3  ReplicatedStorage.Util: both sides changed");
    await person.looksAsync("-return 77\n+return -77");
    await person.looksAsync("a  Lobby (edit): take what is there, for all 2 that");
    person.press("a");
    await person.seesAsync("Done: ");
    expect(await person.exited).toBe(0);
    expect(await project.filesAsync()).toMatchObject({
      "shared/Config.luau": config(10, 77),
      "shared/Util.luau": "return -77\n",
      "server/Main.server.luau": "print(-77)\n",
    });
    expect((await project.reportAsync("--check")).status).toBe("empty");
  });

  test("takes the first answer with Enter, keeps another sync waiting, leaves with q, and nothing was changed", async () => {
    await conflictAsync(78);
    const [before, sources] = [await project.filesAsync(), await sourcesAsync()];
    await using person = await Keyboard.openAsync(["sync", "--mode", "manual"], box, 60, "1/4");
    person.press("f");
    await person.looksAsync("2/4");
    person.press(keys.enter);
    await person.looksAsync("neither: leave both as they are");
    await person.looksAsync("3/4");
    const other = await project.aboutAsync();
    expect([other.exitCode, other.stderr]).toEqual([1, expect.stringContaining("sb sync (process ")]);
    person.press("q");
    await person.seesAsync("Nothing was changed, because the plan was not confirmed.");
    expect(await person.exited).toBe(1);
    expect([await project.filesAsync(), await sourcesAsync()]).toEqual([before, sources]);
  });
});

test("a sync that finds nothing to do is remembered: a file that is removed afterwards is removed in Studio", async () => {
  await using own = await Sandbox.createAsync();
  const same = await SyncProject.createAsync(own, files);
  own.spawn(["headless", "default.project.json", "--name", "Same"]);
  await untilAsync("the Studio is connected", async () =>
    (await own.sessionsAsync()).length > 0 ? true : undefined,
  );
  expect(await same.reportAsync()).toMatchObject({ status: "empty" });
  await same.removeAsync("shared/Util.luau");
  expect(await same.reportAsync()).toMatchObject({
    status: "success",
    changes: ["push remove ReplicatedStorage.Util: done"],
  });
});
