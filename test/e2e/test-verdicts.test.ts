/** Tests that would be easy to take for passed ones: each of them has to be red, and only they. */
import { beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import type { CaseEnd, TestEvent } from "../../src/testing/events.ts";
import type { Outcome } from "../harness.ts";
import { sandbox } from "../sandbox.ts";
import { TESTEZ } from "../packages.ts";

const FILES = {
  "nested.spec.luau": `local Suite = { inherited = function() error("inherited") end }
Suite.__index = Suite
local tests = { top = function() end, group = { bad = function() error("nested") end, deep = { [1] = function() end } } }
tests.group.circle = tests
setmetatable(tests, Suite)
return tests
`,
  "service.spec.luau": `local TestService = game:GetService("TestService")
return {
	errs = function() TestService:Error("first") end,
	checks = function() TestService:Check(1 == 2, "second") end,
	fails = function() TestService:Fail("third") end,
	warns = function() TestService:Warn(false, "no error") TestService:Message("none") end,
	waits = function() task.wait(0.1) TestService:Error("late") end,
}
`,
  "client.spec.luau": `--@sb context=client
return { errs = function() game:GetService("TestService"):Error("here") end, passes = function() end }
`,
  "bootstrap.spec.luau": `local TestEZ = require(game.ReplicatedStorage.TestEZ)
return {
	runs = function() TestEZ.TestBootstrap:run({ game.ReplicatedStorage.Inner }) end,
}
`,
  "replaces.spec.luau": `local names = { "pcall", "xpcall", "error", "task", "table", "typeof", "tostring", "setfenv", "string", "debug" }
return {
	a_replaces = function()
		local globals = getfenv(0)
		for _, name in names do globals[name] = if name == "pcall" or name == "xpcall" then function() return true end else nil end
	end,
	b_fails = function() assert(false, "after it") end,
}
`,
  "allowed.spec.luau": `return {
	byComment = function()
		--@sb allow-error expected
		task.spawn(error, "expected", 0)
	end,
	bySettings = function() task.spawn(error, "code 7", 0) end,
	byNeither = function() task.spawn(error, "expected", 0) end,
	isCaught = function() error("expected") end,
}
`,
  "Cases.luau": `return function() it("of another file", function() error("red") end) end`,
  "Table.luau": `return { group = { bad = function() error("red too") end } }`,
  "function.spec.luau": "return require(script.Parent.Cases)",
  "table.spec.luau": "local tests = require(script.Parent.Table)\nreturn tests\n",
  "path.spec.luau": 'return require("./Table")',
  "config.spec.luau": "return require(script.Parent.Numbers)",
  "Numbers.luau": "return { 1, 2 }",
  "Empty.luau": "return function() end",
  "empty.spec.luau": "return require(script.Parent.Empty)",
  "broken.spec.luau": "return require(script.Parent.Broken)",
  "Broken.luau": 'error("broken")',
  "Folder.spec/init.luau": `return { inFolder = function() error(script.Name) end }`,
  "Folder.spec/part.luau": `return {}`,
};

const casesIn = ({ stdout }: Outcome): readonly CaseEnd[] =>
  stdout
    .trim()
    .split("\n")
    .map((line): TestEvent => JSON.parse(line))
    .filter((event) => event.type === "case-end");

const box = sandbox();
let run: Outcome;
let ends: readonly CaseEnd[];

beforeAll(async () => {
  for (const [name, text] of Object.entries(FILES)) await box.writeAsync(`src/${name}`, text);
  await box.writeAsync(
    "inner/Failing.spec.luau",
    'return function() it("is red", function() error("inner") end) end',
  );
  const tree = {
    $className: "DataModel",
    ReplicatedStorage: { ...TESTEZ, Inner: { $path: "inner" }, Tests: { $path: "src" } },
  };
  await box.writeAsync("default.project.json", JSON.stringify({ name: "Game", tree }));
  await box.writeAsync("sb.config.json", '{ "test": { "allowedErrors": ["^code \\\\d$"] } }');
  run = await box.localSbAsync(["test", "src", "--json"]);
  ends = casesIn(run);
}, 120_000);

const resultsOf = (file: string) =>
  Object.fromEntries(
    ends
      .filter((end) => end.file === `src/${file}`)
      .map(({ id, failure }) => [id, failure?.message ?? "passed"]),
  );

test("a set-up script that replaces globals does not deceive the harness", async () => {
  const replacing = `local function succeed() return true end
    pcall, xpcall, error, task, tostring = succeed, succeed, succeed, nil, nil
    local globals = getfenv(0)
    globals.pcall, globals.xpcall, globals.error, globals.task = succeed, succeed, succeed, nil`;
  const files = {
    "sb.config.json": '{ "test": { "setup": ["replaces.luau"] } }',
    "replaces.luau": replacing,
    "a.spec.luau": `return { fails = function() assert(false, "seen") end, passes = function() end }`,
  };
  for (const [name, text] of Object.entries(files)) await box.writeAsync(`replaced/${name}`, text);
  const told = await box.localSbAsync(["test", "--json"], {}, join(box.folder, "replaced"));
  const caseEnds = casesIn(told);
  expect(caseEnds.map(({ id, failure }) => [id, failure?.message])).toEqual([
    ["fails", "seen"],
    ["passes", undefined],
  ]);
});

test("functions in nested tables, and those that a table takes over, are cases", () => {
  expect(resultsOf("nested.spec.luau")).toEqual({
    top: "passed",
    "group › bad": "nested",
    "group › deep › 1": "passed",
    inherited: "inherited",
  });
});

test("an error that a case reports to TestService fails it, also through TestBootstrap", () => {
  expect(resultsOf("service.spec.luau")).toEqual({
    errs: "an error in TestService: first",
    checks: "an error in TestService: second",
    fails: "an error in TestService: third",
    warns: "passed",
    waits: "passed",
    "(file)": 'an error in TestService of unknown origin, while "waits" ran: late',
  });
  expect(resultsOf("client.spec.luau")).toEqual({
    errs: "passed",
    passes: "passed",
    // The log of a client may have messages of the server, so that only the number of errors counts.
    "(file)": "TestService counts 1 error that the Output does not show as its own",
  });
  expect(resultsOf("bootstrap.spec.luau")["runs"]).toContain("an error in TestService: ");
});

test("a test that replaces globals of Luau does not make a later case pass", () => {
  expect(resultsOf("replaces.spec.luau")).toEqual({ a_replaces: "passed", b_fails: "after it" });
});

test("a test module with a folder of its own runs", () => {
  expect(resultsOf("Folder.spec/init.luau")).toEqual({ inFolder: "Folder.spec" });
});

test("a file that returns what it requires runs these cases", () => {
  expect(resultsOf("function.spec.luau")).toEqual({ "of another file": "red" });
  expect(resultsOf("table.spec.luau")).toEqual({ "group › bad": "red too" });
  expect(resultsOf("path.spec.luau")).toEqual({ "group › bad": "red too" });
  expect(resultsOf("config.spec.luau")).toEqual({ "config.spec.luau": "passed" });
  expect(resultsOf("empty.spec.luau")["(file)"]).toContain("what this file requires makes no case here.");
  expect(resultsOf("broken.spec.luau")["(file)"]).toContain("broken");
});

test("an error of a thread that a comment or the settings allow is no failure", () => {
  expect(resultsOf("allowed.spec.luau")).toEqual({
    byComment: "passed",
    bySettings: "passed",
    byNeither: "in a thread of its own: expected",
    isCaught: "expected",
  });
});
