/** `--data` through the compiled binary: the commands that take it, how long data lasts, and the refusals without it. */
import { beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { readdirSync, readFileSync } from "node:fs";
import { chmod, mkdir } from "node:fs/promises";
import { binaryPath } from "../../build.ts";
import { sandbox } from "../sandbox.ts";

const box = sandbox();

const COUNT = `print(game:GetService("DataStoreService"):GetDataStore("Visits"):IncrementAsync("count"))`;
/** Each file finds the data of the set-up script, and not the data of the other file. */
const COUNTS_TO_TWO = `return function()
	it("counts to two", function()
		expect(game:GetService("DataStoreService"):GetDataStore("Visits"):IncrementAsync("count")).to.equal(2)
	end)
end
`;
/** The server of a play test reads the data of the edited place, and saves data that the edited place reads afterwards. */
const PLAY = `
local store = game:GetService("DataStoreService"):GetDataStore("Round")
store:SetAsync("from edit", 1)
local server = Instance.new("Script")
server.Source = [[
	local store = game:GetService("DataStoreService"):GetDataStore("Round")
	store:SetAsync("from server", store:GetAsync("from edit") + 1)
	game:GetService("StudioTestService"):EndTest("over")
]]
server.Parent = game:GetService("ServerScriptService")
print(game:GetService("StudioTestService"):ExecuteRunModeAsync({}))
print(store:GetAsync("from server"))
`;

/** Prints the budget of 60 reads after 30 of them; one read comes back every second. */
const BUDGET = `
local stores = game:GetService("DataStoreService")
for number = 1, 30 do
  task.spawn(function() stores:GetDataStore("Visits"):GetAsync("key" .. number) end)
end
local left = stores:GetRequestBudgetForRequestType(Enum.DataStoreRequestType.StandardRead)
`;

/** Prints each number once it is saved, beside a value that makes each write long. */
const COUNT_ON = `
local store = game:GetService("DataStoreService"):GetDataStore("Visits")
store:SetAsync("large", string.rep("x", 2000000))
while true do print("saved", (store:IncrementAsync("count"))) end
`;

beforeAll(async () => {
  await box.writeAsync("count.luau", COUNT);
  await box.writeAsync("play.luau", PLAY);
}, 120_000);

const sbAsync = (...words: string[]) => box.localSbAsync(words);

test("with --data memory a data store lasts as long as its headless Studio", async () => {
  for (const words of [
    ["exec", "--headless", "--data", "memory", COUNT],
    ["run", "--headless", "--data", "memory", join(box.folder, "count.luau")],
  ])
    expect(await sbAsync(...words)).toMatchObject({ stdout: expect.stringMatching(/^1\b/), exitCode: 0 });
});

test("the edited place and the server of a play test have the same data stores", async () => {
  const { stdout, exitCode } = await sbAsync(
    "run",
    "--headless",
    "--data",
    "memory",
    join(box.folder, "play.luau"),
  );
  expect([stdout.match(/^over\b/m)?.[0], stdout.match(/^2\b/m)?.[0], exitCode]).toEqual(["over", "2", 0]);
});

test("without --data a data store refuses a script", async () => {
  const { stderr, exitCode } = await sbAsync("exec", "--headless", COUNT);
  expect(stderr).toContain("You must publish this place to the web to access DataStore.");
  expect(stderr).toContain("hint: Add --data memory, or run it in Roblox Studio.");
  expect(exitCode).toBe(1);
});

test("--data needs a headless Studio, and a place to keep data", async () => {
  const alone = await sbAsync("exec", "--data", "memory", COUNT);
  expect(alone.stderr).toContain("Cannot use --data without --headless.");
  const empty = await sbAsync("exec", "--headless", "--data", "", COUNT);
  expect(empty.stderr).toContain("--data needs a value");
  const limits = await sbAsync("exec", "--headless", "--throttle", COUNT);
  expect(limits.stderr).toContain("Cannot use --throttle without --data.");
  expect([alone.exitCode, empty.exitCode, limits.exitCode]).toEqual([2, 2, 2]);
});

test("--throttle limits requests, for a script and for tests", async () => {
  for (const [flags, isUsed] of [
    [[], "false"],
    [["--throttle"], "true"],
  ] as const) {
    const { stdout } = await sbAsync(
      "exec",
      "--headless",
      "--data",
      "memory",
      ...flags,
      `${BUDGET} print(left < 45)`,
    );
    expect(stdout.split(/\s/)[0]).toBe(isUsed);
  }
  const spec = `return function() it("a", function() ${BUDGET} expect(left < 45).to.equal(true) end) end`;
  await box.writeAsync("throttled/one.spec.luau", spec);
  const words = ["test", "--data", "memory", "--throttle"];
  const tests = await box.localSbAsync(words, {}, join(box.folder, "throttled"));
  expect(tests.stdout).toContain("Cases  1 passed");
});

test("sb.config.json chooses the data, and each test file begins with the data that the set-up script has saved", async () => {
  await box.writeAsync("project/sb.config.json", `{ "data": "memory", "test": { "setup": ["setup.luau"] } }`);
  await box.writeAsync("project/setup.luau", COUNT);
  await box.writeAsync("project/one.spec.luau", COUNTS_TO_TWO);
  await box.writeAsync("project/two.spec.luau", COUNTS_TO_TWO);
  const folder = join(box.folder, "project");
  const tests = await box.localSbAsync(["test", "--workers", "1"], {}, folder);
  expect(tests.stdout).toContain("Cases  2 passed");
  expect(tests.exitCode).toBe(0);
  const script = await box.localSbAsync(["exec", "--headless", COUNT], {}, folder);
  expect(script).toMatchObject({ stdout: expect.stringMatching(/^1\b/), exitCode: 0 });
  await box.writeAsync("project/sb.config.json", `{ "data": "fixtures" }`);
  expect((await box.localSbAsync(["test"], {}, folder)).stderr).toMatch(
    /^error: data in sb\.config\.json: \S*fixtures: a part of the path does not exist\.\nhint: Name a folder with data stores/,
  );
  for (const command of [["test"], ["exec", "--headless", "return 1"]])
    expect(await box.localSbAsync([...command, "--data", "Memory"], {}, folder)).toMatchObject({
      stderr: expect.stringContaining("--data: expected memory in lower case, or a folder (./Memory"),
      exitCode: 2,
    });
  expect(readdirSync(folder)).not.toContain("Memory");
});

test("a folder keeps data from run to run, and tests read it and leave it unchanged", async () => {
  const folder = join(box.folder, "kept");
  for (const count of ["1", "2"]) {
    const { stdout } = await sbAsync("exec", "--headless", "--data", folder, COUNT);
    expect(stdout.split(/\s/)[0]).toBe(count);
  }
  const [name = "", ...others] = readdirSync(folder);
  expect(others).toEqual([]);
  const before = readFileSync(join(folder, name), "utf8");
  expect(before).toContain('"name":"Visits"');
  await box.writeAsync("fixtures/one.spec.luau", COUNTS_TO_TWO.replace("equal(2)", "equal(3)"));
  await box.writeAsync("fixtures/two.spec.luau", COUNTS_TO_TWO.replace("equal(2)", "equal(3)"));
  const tests = await box.localSbAsync(["test", "--data", "../kept"], {}, join(box.folder, "fixtures"));
  expect(tests.stdout).toContain("Cases  2 passed");
  expect(readFileSync(join(folder, name), "utf8")).toBe(before);
});

test("a damaged file is named in one error, whichever command reads it, and stays as it is", async () => {
  const folder = join(box.folder, "damaged");
  const half = `{ "name": "Visits", "keys": { "count": { "val`;
  await box.writeAsync("damaged/half.json", half);
  await box.writeAsync("damaged/one.spec.luau", COUNTS_TO_TWO);
  for (const words of [
    ["exec", "--headless", "--data", folder, COUNT],
    ["headless", "--detach", "--data", folder],
    ["test", "--data", "."],
  ]) {
    const { stderr, exitCode } = await box.localSbAsync(words, {}, folder);
    expect(stderr.match(/^error: --data: \S*half\.json: not JSON/m)).not.toBeNull();
    expect([stderr.match(/^error: /gm)?.length, stderr.match(/^hint: /gm)?.length, exitCode]).toEqual([
      1, 1, 1,
    ]);
  }
  expect(readFileSync(join(folder, "half.json"), "utf8")).toBe(half);
});

test("a file of the folder that sb test cannot read is named in one error", async () => {
  const isRoot = process.getuid?.() === 0;
  await box.writeAsync("unreadable/one.spec.luau", COUNTS_TO_TWO);
  await box.writeAsync("unreadable/data/secret.json", `{ "name": "Visits", "keys": {} }`);
  // Root can read every file, but no folder as if it were one.
  if (isRoot || process.platform === "win32")
    await mkdir(join(box.folder, "unreadable/data/a-folder.json"), { recursive: true });
  else await chmod(join(box.folder, "unreadable/data/secret.json"), 0o000);
  const { stderr, exitCode } = await box.localSbAsync(
    ["test", "--data", "data"],
    {},
    join(box.folder, "unreadable"),
  );
  expect(stderr).toMatch(/^error: --data: data\S(?:secret|a-folder)\.json: /);
  expect(stderr).toContain("hint: Fix the file, or move it out of the folder; sb has changed nothing.");
  expect(exitCode).toBe(1);
});

test("a kill in the middle of writing loses nothing that was saved, and a second writer is refused", async () => {
  const folder = join(box.folder, "killed");
  const child = Bun.spawn([binaryPath, "exec", "--headless", "--data", folder, COUNT_ON], {
    env: box.env({}),
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  let printed = "";
  let isKilled = false;
  const decoder = new TextDecoder();
  for await (const chunk of child.stdout) {
    printed += decoder.decode(chunk, { stream: true });
    if (isKilled || !/^saved\s+15\b/m.test(printed)) continue;
    const second = await sbAsync("exec", "--headless", "--data", folder, COUNT);
    const { pid }: { pid: number } = JSON.parse(readFileSync(join(folder, "lock"), "utf8"));
    expect(second.stderr).toMatch(
      new RegExp(`^error: .*headless Studio of process ${pid} uses it\\.\nhint: End that`),
    );
    isKilled = true;
    process.kill(pid, "SIGKILL");
  }
  await child.exited;
  const saved = Math.max(
    ...[...printed.matchAll(/^saved\s+(\d+)\s*$/gm)].map(([, number]) => Number(number)),
  );
  expect(saved).toBeGreaterThanOrEqual(15);
  const { stdout } = await sbAsync("exec", "--headless", "--data", folder, COUNT);
  // More numbers may be saved than were printed, because lines of the killed process may be lost.
  expect(Number(stdout.split(/\s/)[0])).toBeGreaterThan(saved);
});
