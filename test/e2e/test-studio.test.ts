/**
 * `sb test --on studio` through the compiled binary. A headless Studio that stays open replaces Studio, which shows
 * what `sb` does and nothing about what Roblox Studio does.
 */
import { beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { chmod, readdir } from "node:fs/promises";
import { join } from "node:path";
import { binaryPath } from "../../build.ts";
import { FRKTEST } from "../fixtures/frktest.ts";
import { Sandbox, untilAsync } from "../harness.ts";
import { sandbox } from "../sandbox.ts";
import { isRunning } from "../processes.ts";

setDefaultTimeout(60_000);
const box = sandbox();
const PROJECT = JSON.stringify({
  name: "Open",
  tree: { $className: "DataModel", ReplicatedStorage: { Tests: { $path: "src" } } },
});
/** A file that leaves things for later files. Longer files run first, and files of equal duration in the order of their names. */
const LEAVES = `local Counter = require(script.Parent.Counter)
return function()
	it("counts from the start in each run", function()
		Counter.count += 1
		expect(Counter.count).to.equal(1)
	end)
	it("leaves a Folder and a connection", function()
		Instance.new("Folder", workspace).Name = "Left"
		Instance.new("Folder", game:GetService("TestService")).Name = "Inner"
		game.ReplicatedStorage.ChildAdded:Connect(function()
			error("still connected")
		end)
	end)
end
`;
const TRIGGERS = `return function()
	it("is not hurt by what another file has left", function()
		local folder = Instance.new("Folder", game.ReplicatedStorage)
		task.wait(0.1)
		folder:Destroy()
	end)
end
`;

const OF_FRKTEST = `local frktest = require(script.Parent.frktest.frktest)
return function()
	frktest.test.case("is run", function()
		frktest.assert.equal(1, 1)
	end)
end
`;

beforeAll(async () => {
  await box.writeAsync("default.project.json", PROJECT);
  await box.writeAsync("src/Counter.luau", "return { count = 0 }");
  await box.writeAsync("src/a.spec.luau", LEAVES);
  await box.writeAsync("src/b.spec.luau", TRIGGERS);
  for (const [name, source] of Object.entries(FRKTEST)) await box.writeAsync(`src/frktest/${name}`, source);
  for (const name of ["one", "two"]) await box.writeAsync(`src/frk-${name}.spec.luau`, OF_FRKTEST);
  box.spawn(["headless", "default.project.json"]);
  await untilAsync("the Studio is connected", async () =>
    (await box.sessionsAsync()).length > 0 ? true : undefined,
  );
}, 120_000);

const testAsync = (...words: string[]) => box.sbAsync(["test", "--on", "studio", ...words]);

test("tests run in the open Studio, and the summary names what each file leaves there", async () => {
  const { stdout, exitCode } = await testAsync("a.spec", "b.spec");
  expect(stdout).toContain(
    " Left     by src/a.spec.luau: Workspace.Left, TestService.Inner, an error at src/a.spec.luau:11 while src/b.spec.luau ran",
  );
  expect(stdout).toContain("Files  2 passed      Cases  3 passed");
  expect(exitCode).toBe(0);
  // The harness is no global there, and there is no undo step.
  const left = await box.sbAsync([
    "exec",
    "return __sbTest, game:GetService('ChangeHistoryService'):GetCanUndo()",
  ]);
  expect(left.stdout).toBe("nil\nfalse\nnil\n");
});

test("sources of Studio that differ from the files are named, and only --allow-stale runs them", async () => {
  const source = "return { count = tonumber('10') }";
  await box.sbAsync(["exec", `game.ReplicatedStorage.Tests.Counter.Source = ${JSON.stringify(source)}`]);
  const refused = await testAsync("a.spec", "-t", "counts");
  expect(refused).toMatchObject({ exitCode: 1, stdout: "" });
  expect(refused.stderr).toContain("does not have the current sources of this file: src/Counter.luau.");
  expect(refused.stderr).toContain("hint: Bring the project there with `sb sync`, or add --allow-stale");
  // Modules are loaded again in each run.
  const allowed = await testAsync("a.spec", "-t", "counts", "--allow-stale");
  expect(allowed.stdout).toContain("received  11");
  expect(allowed.stderr).toContain("The tests run with those of Studio.");
  await box.sbAsync(["exec", `game.ReplicatedStorage.Tests.Counter.Source = "return { count = 0 }\\r\\n"`]);
  await box.writeAsync("src/Counter.luau", "return { count = 0 }\n");
  expect(await testAsync("a.spec", "-t", "counts")).toMatchObject({ exitCode: 0, stderr: "" });
});

test("a case that passes in a later try is flaky, and the history and its shards say in how many runs it was", async () => {
  // Only an open Studio keeps the attribute, by which the first try of each run fails.
  const body =
    "local tries = (workspace:GetAttribute('Tries') or 0) + 1 workspace:SetAttribute('Tries', tries) assert(tries % 2 == 0)";
  const source = `return { sometimes = function() ${body} end }`;
  await box.writeAsync("src/c.spec.luau", source);
  await box.sbAsync([
    "exec",
    `local made = Instance.new("ModuleScript") made.Name = "c.spec" made.Source = ${JSON.stringify(source)} made.Parent = game.ReplicatedStorage.Tests`,
  ]);
  const history = join(box.folder, "flaky.jsonl");
  const flakes = { runs: 8, flaky: [{ id: "sometimes", flakyRuns: 2, runs: 8 }] };
  const known = { file: "src/c.spec.luau", at: 1, durationMs: 1, failed: [], flakes };
  await box.writeAsync("flaky.jsonl", `${JSON.stringify(known)}\n`);
  const words = ["c.spec", "--retries", "1", "--history", history];
  const first = await testAsync(...words);
  expect(first.stdout).toContain(" Flaky    sometimes (try 2; flaky in 3 of 9 runs)\n");
  expect(first.stdout).toContain("Cases  1 flaky, 0 passed");
  expect(first.exitCode).toBe(0);
  const blob = join(box.folder, "flaky-1.jsonl");
  const shard = await testAsync(...words, "--shard", "1/1", "--reporter", `blob=${blob}`, "--fail-on-flaky");
  expect(shard.stdout).toContain("flaky in 4 of 10 runs");
  expect(shard.exitCode).toBe(1);
  const merged = await box.localSbAsync(["test", "merge", blob, "--history", history]);
  expect(merged.stdout).toContain("flaky in 4 of 10 runs");
  expect((await testAsync(...words)).stdout).toContain("flaky in 5 of 11 runs");
});

test("a framework that keeps registered cases runs several files", async () => {
  expect((await testAsync("frk-")).stdout).toContain("Files  2 passed      Cases  2 passed");
});

test("a file that the Studio does not have fails with the next step", async () => {
  await box.writeAsync("src/new.spec.luau", TRIGGERS);
  const refused = await testAsync("a.spec");
  expect(refused.stderr).toContain("does not have the current sources of this file: src/new.spec.luau.");
  const { stdout, exitCode } = await testAsync("new.spec", "--allow-stale");
  expect(stdout).toContain(
    "the place has no ReplicatedStorage.Tests.new.spec; bring the project there with `sb sync`",
  );
  expect(exitCode).toBe(1);
});

test("a play test starts and ends with the run; a play test that runs already is left alone", async () => {
  const { stdout } = await testAsync(
    "a.spec",
    "--context",
    "client",
    "--players",
    "2",
    "-t",
    "counts",
    "--allow-stale",
  );
  expect(stdout).toContain("Files  1 passed      Cases  2 passed");
  expect((await box.sbAsync(["play"])).stdout).toBe("Nothing plays: Studio edits.\n");
  await box.sbAsync(["play", "start", "--server-only"]);
  const refused = await testAsync("a.spec", "--allow-stale");
  expect(refused.stderr).toContain("A play test runs in this Studio.\nhint: Stop it with `sb play stop`");
  expect(refused.exitCode).toBe(1);
  expect((await box.sbAsync(["play", "stop"])).exitCode).toBe(0);
});

test("an unknown session, and flags that an open Studio cannot fulfil, are refused", async () => {
  const gone = await box.sbAsync(["test", "--on", "studio:nothing"]);
  expect([gone.exitCode, gone.stdout]).toEqual([1, ""]);
  expect(gone.stderr).toContain("nothing");
  const isolated = await testAsync("--isolate", "file");
  expect(isolated.stderr).toContain("Cannot use --isolate file with --on studio.");
  expect(isolated.exitCode).toBe(2);

  await using second = new AsyncDisposableStack();
  await box.sbAsync(["headless", "--detach"]);
  const added = (await box.sessionsAsync()).find(({ placeName }) => placeName === "Place1")?.sessionId ?? "";
  second.defer(async () => void (await box.sbAsync(["close", added])));
  const several = await testAsync();
  expect(several.stderr).toContain("Multiple Studio instances connected.");
  expect(several.stderr).toMatch(/^hint: For example: --on studio:\w+$/m);
});

test.skipIf(process.platform === "win32")(
  "without an open Studio, one is launched with a copy of the place and ends with the run",
  async () => {
    await using other = await Sandbox.createAsync();
    await other.writeAsync("default.project.json", PROJECT);
    await other.writeAsync("src/a.spec.luau", "return { passes = function() end }");
    const studio = await other.writeAsync(
      "RobloxStudioBeta",
      `#!/bin/sh
echo $$ > ${join(other.folder, "pid")}
while [ "$1" != --localPlaceFile ]; do shift; done
${binaryPath} headless "$2" --port ${other.port} --launch-id user-00000000-0000-0000-0000-000000000000 &
wait
`,
    );
    await chmod(studio, 0o755);
    const env = { SB_STUDIO_PATH: studio, SB_PLUGINS_DIR: join(other.folder, "plugins") };
    const { stdout, exitCode } = await other.sbAsync(["test", "--on", "studio", "--yes"], { env });
    expect(stdout).toContain("Files  1 passed      Cases  1 passed");
    expect(exitCode).toBe(0);
    expect(isRunning(Number(await Bun.file(join(other.folder, "pid")).text()))).toBe(false);
    const copies = join(other.stateFolder, "studio-bridge", "places");
    expect(await readdir(copies).catch(() => [])).toEqual([]);
  },
);
