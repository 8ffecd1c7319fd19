/**
 * `sb test` with the smaller frameworks. No npm package has them. Here, each one is only what its test files rely on: the registry,
 * the checks and the listeners, under the names of its own modules.
 */
import { expect, test } from "bun:test";
import { cp } from "node:fs/promises";
import { join } from "node:path";
import type { TestEvent } from "../../src/testing/events.ts";
import { FRKTEST } from "../fixtures/frktest.ts";
import { Sandbox } from "../harness.ts";
import { packagePart, TESTEZ } from "../packages.ts";

const TINIEST = {
  "tiniest.luau": "return {}",
  "tiniest_plugin.luau": "return {}",
  "tiniest_for_roblox.luau": `return { configure = function()
	local self, tests, labels = {}, {}, {}
	function self.describe(label, inner) table.insert(labels, label) inner() table.remove(labels) end
	function self.test(label, run)
		local names = table.clone(labels)
		table.insert(names, label)
		table.insert(tests, { labels = names, run = run })
	end
	function self.collect_tests(inner) tests = {} inner() return tests end
	function self.run_tests(wanted)
		local individual = {}
		for _, each in wanted do
			local ok, report = xpcall(each.run, function(message)
				local source, line = debug.info(2, "sl")
				return { type = "tiniest.ErrorReport", message = message, source = source, line = line, trace = debug.traceback("", 2) }
			end)
			individual[each] = if ok then { status = "pass" } else { status = "fail", error = report }
		end
		return { individual = individual }
	end
	return self
end }`,
};
const STD_TEST = {
  "init.luau": `local test, anonymous, suites = {}, {}, {}
function test.case(name, case) table.insert(anonymous, { name = name, case = case }) end
function test.suite(name, register)
	local suite = { name = name, cases = {} }
	function suite:case(caseName, case) table.insert(self.cases, { name = caseName, case = case }) end
	function suite:beforeAll(hook) self._beforeAll = hook end
	function suite:afterAll(hook) self._afterAll = hook end
	register(suite)
	table.insert(suites, suite)
end
function test._registered() return { anonymous = anonymous, suites = suites } end
return test`,
  "env.luau": "return {}",
  "failure.luau": "return {}",
  "types.luau": "return {}",
  "assert.luau": `return { eq = function(a, b)
	if a ~= b then
		local filename, linenumber = debug.info(2, "sl")
		error({ __tag = "assertion", msg = a .. " ~= " .. b, filename = filename, linenumber = linenumber })
	end
end }`,
};
const TESTS = {
  "frk.spec.luau": `local frktest = require(game.ReplicatedStorage.Packages.frktest.frktest)
local test, equal = frktest.test, frktest.assert.equal
return function()
	test.case("alone", function() equal(1, 1) end)
	test.suite("suite", function()
		test.case("misses two", function()
			equal(1, 2)
			equal(3, 4)
		end)
		test.case("raises", function() error("oh") end)
		test.case("waits", function() task.wait(60) end)
		test.skip.case("left out", function() end)
	end)
end`,
  "tin.spec.luau": `return function(tiniest)
	tiniest.describe("outer", function()
		tiniest.test("passes", function() end)
		tiniest.test("fails", function()
			error("not met", 0)
		end)
	end)
end`,
  "std.spec.luau": `local test = require(game.ReplicatedStorage.Packages.std.test)
local opened = 0
test.case("alone", function(assert) assert.eq(opened, 0) end)
test.suite("suite", function(suite)
	suite:beforeAll(function() opened += 1 end)
	suite:afterAll(function() error("after all") end)
	suite:case("first", function(assert) assert.eq(opened, 1) end)
	suite:case("differs", function(assert)
		assert.eq(1, 2)
	end)
end)
return nil`,
};

test("cases of frktest, tiniest and @std/test are reported with their lines and all missed checks", async () => {
  await using box = await Sandbox.createAsync();
  const project = {
    name: "Frameworks",
    tree: {
      $className: "DataModel",
      ReplicatedStorage: { Packages: { $path: "lib" }, Tests: { $path: "tests" } },
    },
  };
  await box.writeAsync("default.project.json", JSON.stringify(project));
  const folders = { "lib/frktest": FRKTEST, "lib/tiniest": TINIEST, "lib/std/test": STD_TEST, tests: TESTS };
  for (const [folder, files] of Object.entries(folders))
    for (const [name, text] of Object.entries(files)) await box.writeAsync(`${folder}/${name}`, text);
  const words = ["--timeout", "400ms", "--workers", "1", "--reporter", "blob=all.jsonl"];
  expect((await box.localSbAsync(["test", ...words])).exitCode).toBe(1);
  const lines = (await Bun.file(join(box.folder, "all.jsonl")).text()).trim().split("\n");
  const ends = lines
    .map((line): TestEvent => JSON.parse(line))
    .flatMap((event) => {
      if (event.type !== "case-end") return [];
      const { file, names, line, status, failure } = event;
      const told = failure === undefined ? "" : ` ${failure.message} @${failure.frames[0]?.line}`;
      return [`${file.slice(6, 9)} ${names.join(" › ")}:${line} ${status}${told}`];
    });
  expect(ends.toSorted()).toEqual([
    "frk alone:4 passed",
    "frk suite › left out:12 skipped",
    "frk suite › misses two:6 failed 1 == 2\n3 == 4 (line 8) @7",
    "frk suite › raises:10 failed oh @10",
    "frk suite › waits:11 failed timed out after 0.4 s @11",
    "std alone:3 passed",
    "std suite › differs:8 failed 1 ~= 2 @9",
    "std suite › first:7 passed",
    "tin outer › fails:4 failed not met @5",
    "tin outer › passes:3 passed",
  ]);
});

/** A project with the folder `tests`, the Promise library, and TestEZ in the folder into which Wally installs it. */
async function mountTestezAsync(box: Sandbox, testez = TESTEZ.TestEZ): Promise<void> {
  const $className = "Folder";
  const index = { $className, "roblox_testez@0.4.1": { $className, testez } };
  const packages = { $className, _Index: index, Promise: packagePart("@rbxts-js/roblox-lua-promise", "lib") };
  const ReplicatedStorage = { Packages: packages, Tests: { $path: "tests" } };
  const Workspace = { $properties: { SignalBehavior: "Deferred" } };
  const project = { name: "TestEZ", tree: { $className: "DataModel", ReplicatedStorage, Workspace } };
  await box.writeAsync("default.project.json", JSON.stringify(project));
}

test("TestEZ runs a file within its init.spec files; closed threads and caught errors of modules are no failures, and a group that cannot be planned is one", async () => {
  await using box = await Sandbox.createAsync();
  await mountTestezAsync(box);
  await box.writeAsync(
    "tests/init.spec.luau",
    `return function()
	beforeEach(function() _G.opened = true end)
	describe("shared", function() it("runs once", function() end) end)
end`,
  );
  await box.writeAsync(
    "tests/inner/one.spec.luau",
    `pcall(require, script.Parent.broken)
return function()
	it("catches what a module raises", function() expect(pcall(require, script.Parent.broken2)).to.equal(false) end)
	it("has its hooks", function() expect(_G.opened).to.equal(true) end)
	it("runs in a function of TestEZ's name", function()
		expect(string.find(debug.traceback(), "runPlanNode")).to.be.ok()
	end)
	it("closes a thread that waits", function()
		local event = Instance.new("BindableEvent")
		local thread = task.spawn(function() event.Event:Wait() end)
		coroutine.close(thread)
		event:Fire()
	end)
end`,
  );
  for (const name of ["broken", "broken2"]) await box.writeAsync(`tests/inner/${name}.luau`, 'error("oh")');
  const { stdout, exitCode } = await box.localSbAsync(["test", "--reporter", "tap"]);
  const points = stdout.split("\n").filter((line) => /^\s*(?:not )?ok /.test(line));
  expect(points.join("\n")).not.toContain("not ok");
  expect(exitCode).toBe(0);
  for (const name of [
    "shared › runs once",
    "has its hooks",
    "catches what a module raises",
    "closes a thread that waits",
  ])
    expect(points.filter((line) => line.endsWith(name))).toHaveLength(1);

  await box.writeAsync(
    "tests/group.spec.luau",
    `return function()
	describe("group", function() error("cannot be planned") end)
	it("runs all the same", function() end)
end`,
  );
  await box.writeAsync(
    "tests/needs.spec.luau",
    'return function()\n\trequire(script.Parent.inner.broken)\n\tit("is lost", function() end)\nend',
  );
  const needs = await box.localSbAsync(["test", "tests/needs.spec.luau", "--json"]);
  const ends = needs.stdout.split("\n").filter((line) => line.startsWith('{"type":"case-end"'));
  expect(ends.map((line) => JSON.parse(line).failure)).toMatchObject([
    { message: "oh", frames: [{ path: "tests/inner/broken.luau", line: 1 }] },
  ]);
  const group = await box.localSbAsync(["test", "tests/group.spec.luau", "--reporter", "tap"]);
  expect(group.exitCode).toBe(1);
  expect(group.stdout).toContain("ok 1 - tests/group.spec.luau: runs all the same");
  expect(group.stdout).toContain("not ok 2 - tests/group.spec.luau: (file)");
  expect(group.stdout).toContain('message: "cannot be planned"');
  expect(group.stdout).toContain('at: {"file":"tests/group.spec.luau","line":2}');
});

const HOOKS = `return function()
	local hooks = 0
	describe("raises", function() afterEach(function() error("left over") end) it("one", function() end) end)
	describe("calls fail", function() afterEach(function() fail("not clean") end) it("two", function() end) end)
	describe("cleans", function()
		afterEach(function() task.wait() hooks += 1 end)
		afterEach(function() hooks += 1 end)
		it("three", function() end)
		it("four", function() expect(hooks).to.equal(2) end)
	end)
	describe("ends", function()
		afterAll(function() error("not closed") end)
		afterAll(function() fail("not empty") end)
		it("five", function() end)
	end)
	describe("is left out", function()
		afterAll(function() error("never opened") end)
		itSKIP("six", function() end)
	end)
	describe("begins", function()
		beforeAll(function() error("not opened") end)
		it("seven", function() end)
		it("eight", function() end)
	end)
	describe("waits", function()
		beforeEach(function() task.wait(60) end)
		it("nine", function() end)
	end)
	local event = Instance.new("BindableEvent")
	event.Event:Connect(function(text) error(text) end)
	describe("fires", function()
		it("ten", function() event:Fire("heard") end)
		it("eleven", function() task.wait() event:Fire("heard later") end)
	end)
end`;

test("each failed hook of TestEZ is reported by its name, even an afterAll, and only hooks of groups with a chosen case run", async () => {
  await using box = await Sandbox.createAsync();
  await mountTestezAsync(box);
  await box.writeAsync("tests/hooks.spec.luau", HOOKS);
  const runAsync = async (...words: string[]): Promise<readonly string[]> => {
    const { stdout } = await box.localSbAsync(["test", "--timeout", "400ms", "--json", ...words]);
    const events = stdout.trim().split("\n");
    return events
      .map((line): TestEvent => JSON.parse(line))
      .flatMap((event) => {
        if (event.type !== "case-end") return [];
        const { failure } = event;
        const told = failure === undefined ? "" : `: ${failure.message} @${failure.frames[0]?.line}`;
        return [`${event.id} ${event.status}${told}`];
      });
  };
  expect((await runAsync()).toSorted()).toEqual([
    // The case has waited before, so that the error may come from a thread of another case.
    '(file) failed: in a thread of unknown origin, while "fires › eleven" ran: heard later @30',
    "begins › eight passed",
    "begins › seven failed: beforeAll: not opened @21",
    "calls fail › two failed: afterEach: not clean @4",
    "cleans › four passed",
    "cleans › three passed",
    "ends › afterAll (2) failed: afterAll: not empty @13",
    "ends › afterAll failed: afterAll: not closed @12",
    "ends › five passed",
    "fires › eleven passed",
    "fires › ten failed: in a thread of its own: heard @30",
    "is left out › six skipped",
    "raises › one failed: afterEach: left over @3",
    "waits › nine failed: beforeEach: timed out after 0.4 s @26",
  ]);
  expect(await runAsync("-t", "ends|eight")).toEqual([
    "ends › five passed",
    "ends › afterAll (2) failed: afterAll: not empty @13",
    "ends › afterAll failed: afterAll: not closed @12",
    "begins › eight failed: beforeAll: not opened @21",
  ]);
  expect(await runAsync("-t", "three")).toEqual(["cleans › three passed"]);
  // A newer TestEZ runs beforeAll before the group, and leaves the group out if the hook fails. TestEZ then tells no case.
  const path = join(TESTEZ.TestEZ.$path, "TestRunner.lua");
  const runner = await Bun.file(path).text();
  const pushed = "lifecycleHooks:pushHooksFrom(planNode)\n";
  expect(runner).toContain(pushed);
  await cp(TESTEZ.TestEZ.$path, join(box.folder, "testez"), { recursive: true });
  await box.writeAsync(
    "testez/TestRunner.lua",
    runner.replace(
      pushed,
      `${pushed}for _, hook in pairs(lifecycleHooks:getPendingBeforeAllHooks()) do
  if not runCallback(hook, false, "beforeAll hook: ") then lifecycleHooks:popHooks() return end
end\n`,
    ),
  );
  await mountTestezAsync(box, { $path: "testez" });
  await box.writeAsync(
    "tests/hooks.spec.luau",
    `return function()
	describe("raises", function()
		beforeAll(function() error("not opened") end)
		describe("inner", function() it("one", function() end) end)
		itSKIP("two", function() end)
	end)
	describe("waits", function()
		beforeEach(function() error("not laid") end)
		it("three", function() end)
	end)
	describe("never yields", function()
		beforeAll(function() while true do end end)
		it("four", function() end)
	end)
end`,
  );
  expect((await runAsync()).toSorted()).toEqual([
    "never yields › four failed: beforeAll: never yielded in 0.4 s @12",
    "raises › inner › one failed: beforeAll: not opened @3",
    "raises › two skipped",
    "waits › three failed: beforeEach: not laid @8",
  ]);
});

const REJECTIONS = `local Promise = require(game.ReplicatedStorage.Packages.Promise)
return function()
	it("is rejected", function()
		Promise.reject("not\\nallowed")
		task.wait(0.05)
	end)
	it("fails later", function()
		Promise.new(function()
			task.wait(0.02)
			error("boom")
		end)
	end)
	it("is innocent", function()
		task.wait(0.08)
	end)
	it("handles it", function()
		Promise.reject("handled"):catch(function() end)
		Promise.delay(0.02):andThen(function() error("awaited") end):await()
		task.wait(0.05)
	end)
end`;

const REJECTION_AT_THE_END = `local Promise = require(game.ReplicatedStorage.Packages.Promise)
return function()
	it("is last", function()
		Promise.reject("at the end")
	end)
end`;

test("a rejected Promise without a handler fails the case that made it, or the file if that case has ended", async () => {
  await using box = await Sandbox.createAsync();
  await mountTestezAsync(box);
  await box.writeAsync("tests/promises.spec.luau", REJECTIONS);
  // In each of these contexts, the harness waits for the frame in which the library warns of the rejection.
  await box.writeAsync("tests/shared.spec.luau", REJECTION_AT_THE_END);
  await box.writeAsync("tests/server.spec.luau", `--@sb context=server\n${REJECTION_AT_THE_END}`);
  const { stdout, exitCode } = await box.localSbAsync([
    "test",
    "--reporter",
    "blob=all.jsonl",
    "--workers",
    "1",
  ]);
  expect(exitCode).toBe(1);
  const lines = (await Bun.file(join(box.folder, "all.jsonl")).text()).trim().split("\n");
  const ends = lines
    .map((line): TestEvent => JSON.parse(line))
    .flatMap((event) => (event.type === "case-end" ? [event] : []));
  expect(
    ends.map(({ id, failure }) => [
      id,
      failure?.message ?? "",
      ...(failure?.frames ?? []).filter(({ path }) => path.startsWith("tests/")).map(({ line }) => line),
    ]),
  ).toEqual([
    ["is rejected", "unhandled Promise rejection: not\nallowed", 4],
    ["fails later", ""],
    ["is innocent", ""],
    ["handles it", ""],
    ["(file)", 'unhandled Promise rejection that "fails later" left behind: boom', 10, 8],
    ["is last", ""],
    ["(file)", 'unhandled Promise rejection that "is last" left behind: at the end', 4],
    ["is last", ""],
    ["(file)", 'unhandled Promise rejection that "is last" left behind: at the end', 5],
  ]);
  expect(stdout).toContain("▶ 4 │     Promise.reject");
  // The failure has all that the warning of the library says.
  expect(stdout).not.toContain("output");
});
