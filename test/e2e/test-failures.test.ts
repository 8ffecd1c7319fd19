/** Each way in which a test can fail, through the compiled binary: the report of the failure, and that the other cases run. */
import { beforeAll, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { CaseEnd, TestEvent } from "../../src/testing/events.ts";
import { Reporters } from "../../src/testing/report/reporters.ts";
import { createStyle } from "../../src/util/style.ts";
import { sandbox } from "../sandbox.ts";

/** The text of a case, its message, and the lines of its stack in the file. */
type Sample = readonly [name: string, body: string, message: string, lines: readonly number[]];

const SAMPLES: readonly Sample[] = [
  [
    "finds another value",
    "expect(2.2).to.equal(2.38)",
    "expected the value to equal 2.38, but it is 2.2",
    [0],
  ],
  [
    "finds a table that looks like the other",
    "expect({ a = 1 }).to.equal({ a = 1 })",
    'to be the same table, but it is another one that looks like it; compare their fields: { ["a"] = 1 }',
    [0],
  ],
  [
    "finds another text of two lines",
    'expect("a\\nb").to.equal("a\\nc")',
    String.raw`expected the value to equal "a\nc", but it is "a\nb"`,
    [0],
  ],
  ["raises text", 'error("bad")', "bad", [0]],
  ["raises a table", "error({ code = 7 })", 'an error that is not text: { ["code"] = 7 }', [0]],
  [
    "raises a table that cannot be read",
    'error(setmetatable({}, { __tostring = function() error("no") end, __index = function() error("no") end }))',
    "an error that is not text: {  }",
    [0],
  ],
  [
    "finds a value whose text fails",
    "expect(newproxy(true)).to.equal(setmetatable({ {} }, { __iter = function() error('no') end }))",
    "expected the value to equal { {  } }, but it is userdata",
    [0],
  ],
  ["raises an empty text", 'error("", 0)', "an error with an empty message", [0]],
  ["raises nil", "error(nil)", "an error that is not text: nil", [0]],
  ["raises after a wait", 'task.wait() error("late")', "late", [0]],
  ["asserts", 'assert(1 == 2, "not equal")', "not equal", [0]],
  ["calls fail", 'fail("on purpose")', "on purpose", [0]],
  ["indexes nil", "local none = nil :: any none.x = 1", "attempt to index nil with 'x'", [0]],
  ["has a thread that fails", 'task.spawn(error, "lost", 0)', "in a thread of its own: lost", []],
  ["has a deferred thread that fails", 'task.defer(error, "lost", 0)', "in a thread of its own: lost", []],
  [
    "has a connection that fails",
    'local e = Instance.new("BindableEvent") e.Event:Connect(function() error("heard") end) e:Fire()',
    "in a thread of its own: heard",
    [0],
  ],
  ["waits for what never comes", 'workspace:WaitForChild("Never")', "timed out after 0.6 s", [0]],
  ["never yields", "while true do end", "never yielded in 0.6 s", [0]],
  ["waits and never yields", "task.wait(0.35) while true do end", "never yielded in 0.6 s", [0]],
  [
    "uses what is not simulated",
    'game:GetService("DataStoreService"):GetDataStore("Saves")',
    "is not available in headless Studio",
    [0],
  ],
  ["raises what is no UTF-8", 'error("é \\255\\254.", 0)', "é \uFFFD\uFFFD.", [0]],
];

/** Cases with threads that fail while a later case runs. */
const LATE = `local function later(message)
	task.delay(0.02, error, message, 0)
end
local fire = Instance.new("BindableEvent")
fire.Event:Connect(function()
	error("heard by a helper")
end)
return function()
	describe("Cart", function()
		it("adds", function()
			task.delay(0.02, function()
				error("too late")
			end)
		end)
		it("is innocent", function()
			task.wait(0.05)
		end)
		for index = 1, 2 do
			it("removes " .. index, function()
				task.delay(0.02, function()
					error("gone")
				end)
			end)
		end
		it("is innocent too", function()
			task.wait(0.05)
		end)
		it("has a helper", function()
			later("of a helper")
		end)
		it("is innocent of a helper", function()
			task.wait(0.05)
		end)
		it("begins a helper's thread", function()
			fire:Fire()
			task.wait(0.05)
		end)
	end)
end`;

const HOOKS = ["beforeAll", "beforeEach", "afterEach"];

const box = sandbox();
/** The events of the run. */
let lines: readonly string[];
let cases: readonly CaseEnd[];

const endOf = (file: string, id: string): CaseEnd | undefined =>
  cases.find((each) => each.file === file && each.id === id);

beforeAll(async () => {
  const texts = SAMPLES.map(([name, body]) => `it(${JSON.stringify(name)}, function() ${body} end)`);
  await box.writeAsync(
    "cases.spec.luau",
    ["return function()", ...texts, "it('passes', function() end)", "end"].join("\n"),
  );
  const groups = HOOKS.map(
    (hook) =>
      `describe("${hook}", function() ${hook}(function() error("hook") end) it("x", function() end) end)`,
  );
  const last =
    'describe("late", function() afterAll(function() error("end") end) it("x", function() end) end)';
  await box.writeAsync("hooks.spec.luau", ["return function()", ...groups, last, "end"].join("\n"));
  await box.writeAsync("late.spec.luau", LATE);
  await box.writeAsync(
    "shared.luau",
    [
      "return function(it)",
      "\tit('is made elsewhere', function() end)",
      "\tit('waits and never yields', function() task.wait() while true do end end)",
      "end",
    ].join("\n"),
  );
  await box.writeAsync(
    "shared.spec.luau",
    'return function()\n\trequire("./shared")(it)\n\tit("is made here", function() end)\nend',
  );
  await box.writeAsync("syntax.spec.luau", "\nreturn function(");
  await box.writeAsync(
    "describe.spec.luau",
    'return function() describe("x", function() error("inside") end) end',
  );
  await box.writeAsync("load.spec.luau", "task.wait(99)\nreturn function() end");
  await box.writeAsync("script.spec.luau", 'error("plain")');
  await box.writeAsync("table.spec.luau", 'return { one = function() error("of a table") end, two = 3 }');
  await box.writeAsync("empty.spec.luau", "return function() end");
  const { stdout, exitCode } = await box.localSbAsync([
    "test",
    "--json",
    "--workers",
    "1",
    "--timeout",
    "600",
  ]);
  expect(exitCode).toBe(1);
  lines = stdout.trim().split("\n");
  cases = eventsOfRun().filter((event) => event.type === "case-end");
}, 120_000);
const eventsOfRun = (): TestEvent[] => lines.map((line) => JSON.parse(line));

test.each(SAMPLES)("a case that %s", (name, _, message, lines) => {
  const end = endOf("cases.spec.luau", name);
  const line = SAMPLES.findIndex((sample) => sample[0] === name) + 2;
  expect(end?.status).toBe("failed");
  expect(end?.failure?.message).toContain(message);
  expect(end?.failure?.frames.map((frame) => `${frame.path}:${frame.line}`)).toEqual(
    lines.map((offset) => `cases.spec.luau:${line + offset}`),
  );
});

test("cases after failed ones run, and each case ends once", () => {
  expect(endOf("cases.spec.luau", "passes")?.status).toBe("passed");
  const keys = cases.map(({ file, id }) => `${file} ${id}`);
  expect(new Set(keys).size).toBe(keys.length);
});

test("an endless recursion is a short failure", async () => {
  const source = "return { recurses = function() local function again() return 1 + again() end again() end }";
  await box.writeAsync("recursion.luau", source);
  // The time limit of the other cases is too short for a busy machine.
  const words = ["recursion.luau", "--timeout", "60s", "--json"];
  const { stdout } = await box.localSbAsync(["test", ...words]);
  const ends = stdout
    .trim()
    .split("\n")
    .map((line): TestEvent => JSON.parse(line))
    .filter((event) => event.type === "case-end");
  expect(ends).toHaveLength(1);
  const failure = ends[0]?.failure;
  expect(failure?.message).toBe("stack overflow");
  expect(failure?.frames).toHaveLength(40);
});

test("a thread that fails after the end of its case fails the file and not the case that runs then, also if its case is not known", () => {
  const ends = cases.filter(({ file }) => file === "late.spec.luau");
  expect(ends.map(({ id, status }) => `${id} ${status}`)).toEqual([
    "Cart › adds passed",
    "Cart › is innocent passed",
    "Cart › removes 1 passed",
    "Cart › removes 2 passed",
    "Cart › is innocent too passed",
    "Cart › has a helper passed",
    "Cart › is innocent of a helper passed",
    "Cart › begins a helper's thread failed",
    "(file) failed",
  ]);
  expect(endOf("late.spec.luau", "(file)")?.failure).toMatchObject({
    message: [
      'in a thread that "Cart › adds" left behind: too late',
      "in a thread of one of the 2 cases of line 19: gone (late.spec.luau:21)",
      'in a thread of unknown origin, while "Cart › is innocent of a helper" ran: of a helper',
    ].join("\n"),
    frames: [{ path: "late.spec.luau", line: 12 }],
  });
  // No line of its stack lies in a case, but the case has not yielded before.
  expect(endOf("late.spec.luau", "Cart › begins a helper's thread")?.failure?.message).toBe(
    "in a thread of its own: heard by a helper",
  );
});

test.each(HOOKS)("a %s that fails is the failure of the case", (hook) => {
  expect(endOf("hooks.spec.luau", `${hook} › x`)?.failure?.message).toBe(`${hook}: hook`);
});

test("an afterAll that fails is a case of its own", () => {
  expect(endOf("hooks.spec.luau", "late › x")?.status).toBe("passed");
  expect(endOf("hooks.spec.luau", "late › afterAll")?.failure?.message).toBe("afterAll: end");
});

test("a file that does not compile points at its line", () => {
  expect(endOf("syntax.spec.luau", "(file)")?.failure).toMatchObject({
    message: expect.stringMatching(/^Expected identifier/),
    frames: [{ path: "syntax.spec.luau", line: 2 }],
  });
});

test("a file that fails while it is loaded, a script and a function are cases", () => {
  expect(endOf("describe.spec.luau", "(file)")?.failure?.message).toBe("inside");
  expect(endOf("load.spec.luau", "(file)")?.failure).toMatchObject({
    message: "timed out after 0.6 s while it was loaded",
    waitsIn: "load.spec.luau:1",
  });
  expect(endOf("script.spec.luau", "script.spec.luau")?.failure?.message).toBe("plain");
  expect(endOf("table.spec.luau", "one")?.failure?.message).toBe("of a table");
  expect(cases.some(({ file }) => file === "empty.spec.luau")).toBe(false);
});

test("a case whose function another file has made has no line, because its line is one of that file", () => {
  expect(endOf("shared.spec.luau", "is made elsewhere")?.line).toBeUndefined();
  expect(endOf("shared.spec.luau", "is made here")?.line).toBe(3);
});

/** The screen of the run's events, with the same times in every run. */
function screenOf(columns: number): string {
  const style = createStyle({ columns, color: false, isScreen: true, prettyJson: false });
  const texts: string[] = [];
  const reporters = new Reporters([{ name: "line" }], {
    write: (text) => void texts.push(text(style)),
    sourceOf: (path) =>
      path.endsWith(".spec.luau") ? readFileSync(join(box.folder, path), "utf8").split("\n") : undefined,
    showsOutput: false,
    showsCompiled: false,
    slowest: 0,
    maxFailures: 10,
    unwritable: (file) => new Error(file),
    github: { folder: box.folder, workspace: undefined },
    summaryFile: undefined,
    load: () => undefined,
  });
  for (const event of eventsOfRun()) {
    reporters.report("durationMs" in event ? { ...event, durationMs: 12 } : event);
  }
  return texts.join("\n").replace(/0x[0-9a-f]+/g, "0x…");
}

test.each([60, 120])("the screen of all these failures at %p columns", (columns) => {
  expect(screenOf(columns)).toMatchSnapshot();
});

test("a run in which no case ran fails and says so", async () => {
  const empty = await box.localSbAsync(["test", "empty"]);
  expect(empty).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("No case ran") });
  const unnamed = await box.localSbAsync(["test", "-t", "nothing of this name", "table"]);
  expect(unnamed).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("-t nothing of this name") });
});
