/** `sb test` through the compiled binary: discovery, isolation, failures, time limits, selection, exit codes. */
import { beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { sandbox } from "../sandbox.ts";

const box = sandbox();
/** A run of five seconds, which goes on beside the other tests. */
let waiting: ReturnType<typeof testInAsync>;
const CART = `return function()
	describe("total", function()
		it("adds the tax", function()
			print("cart has", 2)
			expect(2.2).to.equal(2.38)
		end)
		it("is a number", function()
			expect(1).to.be.a("number")
		end)
	end)
	xit("is rounded", function() end)
end
`;
const SLOW = `return function()
	it("waits", function()
		workspace:WaitForChild("Never")
	end)
	it("never yields", function()
		while true do end
	end)
	it("still runs", function() end)
	it("has a thread that fails", function()
		task.spawn(error, "lost", 0)
	end)
end
`;
/** Two files. Each leaves something that the other one must not see. */
const ISOLATED = `return function()
	it("finds a fresh place", function()
		expect(_G.seen).never.to.be.ok()
		expect(workspace:FindFirstChild("Left")).never.to.be.ok()
		_G.seen = true
		Instance.new("Folder", workspace).Name = "Left"
	end)
end
`;

const testAsync = (...words: string[]) => box.localSbAsync(["test", ...words]);
const testInAsync = (folder: string, ...words: string[]) =>
  box.localSbAsync(["test", ...words], {}, join(box.folder, folder));

beforeAll(async () => {
  await box.writeAsync("src/cart.spec.luau", CART);
  await box.writeAsync("src/slow.spec.luau", SLOW);
  await box.writeAsync("src/one.test.luau", ISOLATED);
  await box.writeAsync("src/two.test.luau", ISOLATED);
  await box.writeAsync("src/__tests__/broken.luau", "return function(");
  await box.writeAsync("src/functions.spec.luau", "return { works = function() end }");
  await box.writeAsync(
    "waits/a.spec.luau",
    'return {\n\tbad = function()\n\t\terror("too early")\n\tend,\n\twaits = function() workspace:WaitForChild("Never") end,\n}',
  );
  await box.writeAsync("waits/lobby.project.json", "{}");
  waiting = testInAsync("waits");
}, 120_000);

test("each file gets a fresh place, and a green run ends with 0", async () => {
  const { stdout, exitCode } = await testAsync("--workers", "1", "one.test", "two.test", "functions");
  expect(stdout).toContain("Files  3 passed      Cases  3 passed");
  expect(exitCode).toBe(0);
});

test("a failure shows the line, both values, the difference and the output", async () => {
  const { stdout, exitCode } = await testAsync("src/cart.spec.luau");
  expect(exitCode).toBe(1);
  for (const part of [
    " ✗ src/cart.spec.luau  1 failed, 1 passed, 1 skipped",
    "─ 1/1 ─ total › adds the tax",
    "  src/cart.spec.luau:5",
    "  ▶ 5 │       expect(2.2).to.equal(2.38)",
    "  expected  2.38",
    "  received  2.2   difference -0.18",
    "  output  cart has 2",
  ])
    expect(stdout).toContain(part);
});

test("a case that waits and one that never yields fail after their time, and the others run", async () => {
  const { stdout, exitCode } = await testAsync("--timeout", "300ms", "slow.spec");
  expect(exitCode).toBe(1);
  for (const part of ["timed out after 0.3 s", "never yielded in 0.3 s", "in a thread of its own: lost"])
    expect(stdout).toContain(part);
  expect(stdout).toContain("3 failed, 1 passed");
  expect(stdout).toContain("▶ 3 │     workspace:WaitForChild");
  expect(stdout).toContain("▶ 6 │     while true do end");
});

test("the failure of a file that waits or never yields while it is loaded says so, with the line if it is known", async () => {
  await box.writeAsync("loading/src/a.spec.luau", "task.wait(1000)\nreturn { a = function() end }");
  await box.writeAsync(
    "loading/src/b.spec.luau",
    "-- Spins.\nwhile true do end\nreturn { b = function() end }",
  );
  await box.writeAsync(
    "loading/default.project.json",
    JSON.stringify({ name: "L", tree: { $className: "DataModel", ReplicatedStorage: { $path: "src" } } }),
  );
  const { stdout } = await testInAsync("loading", "--timeout", "300ms");
  expect(stdout).toContain(
    "timed out after 0.3 s while it was loaded: it waits, or a module that it requires does",
  );
  expect(stdout).toContain("▶ 2 │ while true do end");
  expect(stdout).toContain("  never yielded in 0.3 s while it was loaded");
  expect(stdout).toContain("Cases  2 failed, 0 passed");
});

test("when the time of a file is over, the running case fails and the others do not run", async () => {
  const { stdout, exitCode } = await testAsync("--file-timeout", "500ms", "slow.spec");
  expect(exitCode).toBe(1);
  expect(stdout).toContain("─ 1/1 ─ waits\n");
  expect(stdout).toContain("the time of this file is over (--file-timeout)");
});

test("a file that does not compile is one failed case", async () => {
  const { stdout, exitCode } = await testAsync("broken.luau");
  expect(exitCode).toBe(1);
  expect(stdout).toContain("─ 1/1 ─ (file)");
  expect(stdout).toContain("1 failed, 0 passed");
});

test("a file that requires a broken module or a missing framework fails with the cause", async () => {
  await box.writeAsync("causes/src/Bad.luau", 'error("no settings")');
  await box.writeAsync(
    "causes/src/bad.spec.luau",
    "local Bad = require(script.Parent.Bad)\nreturn function() return Bad end",
  );
  await box.writeAsync("causes/src/marked.spec.luau", "\ufeffreturn function() end");
  await box.writeAsync("causes/src/syntax.spec.luau", "-- A mistake\nlocal x = = 3");
  await box.writeAsync("causes/src/none.spec.luau", "");
  await box.writeAsync(
    "causes/src/stores.spec.luau",
    'game:GetService("DataStoreService"):GetDataStore("A")\nreturn function() end',
  );
  await box.writeAsync("causes/other.spec.luau", 'local test = require("@pkg/frktest").test');
  const project = { name: "Causes", tree: { $className: "DataModel", ReplicatedStorage: { $path: "src" } } };
  await box.writeAsync("causes/default.project.json", JSON.stringify(project));
  const { stdout, exitCode } = await testInAsync("causes");
  expect(exitCode).toBe(1);
  expect(stdout).toContain("  no settings\n\n  at a function  src/Bad.luau:1  error(");
  expect(stdout).toContain("  src/bad.spec.luau:1   ");
  expect(stdout).toContain("  src/syntax.spec.luau:2   ");
  expect(stdout).toContain("U+feff; the file has a byte order mark here; save it as UTF-8 without one");
  expect(stdout).toContain("  Expected identifier when parsing expression, got '='");
  expect(stdout).toContain("  You must publish this place to the web to access DataStore.");
  expect(stdout).not.toContain("Requested module experienced");
  expect(stdout).not.toContain("Stack Begin");
  expect(stdout).toContain(
    "  src/none.spec.luau: Module code did not return exactly one value; a script that",
  );
  const events = (await testInAsync("causes", "--json", "src/bad.spec.luau")).stdout;
  expect(events.match(/"case-end"/g)).toHaveLength(1);
  expect(stdout).toContain("  the place has no frktest");
  expect(stdout).not.toContain("sb test:");
});

test("cases are chosen by name, by line and by both", async () => {
  expect((await testAsync("-t", "total › is a", "cart.spec")).stdout).toContain("Cases  1 passed ");
  expect((await testAsync("src/cart.spec.luau:8")).stdout).toContain("Cases  1 passed ");
  const neither = await testAsync("-t", "no such case", "cart.spec");
  expect(neither.exitCode).toBe(1);
  const loud = `print("is loaded")\nreturn { one = function() end, two = function() print("is run") end }`;
  await box.writeAsync("loud/prints.spec.luau", loud);
  expect((await testInAsync("loud", "-t", "two")).stdout).toContain("Cases  1 passed ");
});

test("a file that is named in full is a test whatever its name is, and the command to run it again names it", async () => {
  await box.writeAsync(
    "unusual/Checks.luau",
    'return { holds = function() end, fails = function() error("no") end, function() end }',
  );
  await box.writeAsync("unusual/node_modules/far/far.spec.luau", "return { holds = function() end }");
  expect((await testInAsync("unusual", "Checks")).stderr).toContain('No test file matches "Checks"');
  const { stdout } = await testInAsync("unusual", "Checks.luau", "node_modules/far");
  expect(stdout).toContain("Cases  1 failed, 3 passed");
  expect(stdout).toContain("\n Again    sb test Checks.luau node_modules/far --failed\n");
});

test("--list shows each file, its framework and the reason, also as JSON", async () => {
  const { stdout, exitCode } = await testAsync("--list");
  expect(exitCode).toBe(0);
  expect(stdout).toContain(
    "src/functions.spec.luau  functions  not in the place  edit  (it returns a table)\n",
  );
  const lines = (await testAsync("--list", "--json")).stdout.trim().split("\n");
  expect(lines.map((line) => JSON.parse(line).path)).toContain("src/cart.spec.luau");
});

test("--json prints one event per line", async () => {
  const { stdout } = await testAsync("--json", "functions");
  const types = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line).type);
  expect(types).toEqual(["run", "file-start", "case-start", "case-end", "file-end", "run-end"]);
});

test("a module of the place is tested where the project mounts it, and its errors name its file", async () => {
  await box.writeAsync(
    "game/src/shop/Cart.luau",
    "return { total = function(cart)\n  return cart.net.value\nend }",
  );
  await box.writeAsync(
    "game/src/shop/Cart.spec.luau",
    "return function()\n  local Cart = require(script.Parent.Cart)\n  it('sums', function()\n    Cart.total({})\n  end)\nend",
  );
  const project = { name: "Game", tree: { $className: "DataModel", ReplicatedStorage: { $path: "src" } } };
  await box.writeAsync("game/default.project.json", JSON.stringify(project));
  const { stdout } = await testInAsync("game");
  expect(stdout).toContain("attempt to index nil with 'value'");
  expect(stdout).toContain("at total  src/shop/Cart.luau:2  return cart.net.value");
  expect(stdout).toContain("  src/shop/Cart.spec.luau:4");
  const { stderr } = await testInAsync("game", "--coverage", "html");
  expect(stderr).toContain("The formats of --coverage are text, lcov");
});

test("bad input is refused, and a folder without tests fails unless that is allowed", async () => {
  expect(await testAsync("-t", "(")).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining("Not a regular expression"),
  });
  expect((await testAsync("nowhere")).stderr).toContain('No test file matches "nowhere"');
  expect(await testAsync("..")).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining(".. lies outside of the project in "),
  });
  expect((await testAsync("--timeout", "soon")).exitCode).toBe(2);
  await box.writeAsync("empty/notes.txt", "");
  const empty = await testInAsync("empty");
  expect(empty.exitCode).toBe(1);
  expect(empty.stderr).toContain("sb init writes a first one");
  await box.writeAsync(
    "elsewhere/sb.config.json",
    '{ "test": { "include": ["specs/**"], "exclude": ["**/old"] } }',
  );
  expect((await testInAsync("elsewhere")).stderr).toContain(
    "look for specs/** but not **/old: see test in sb.config",
  );
  expect((await testInAsync("empty", "--pass-with-no-tests")).exitCode).toBe(0);
});

test("a file whose text does not show its cases fails instead of passing without them, unless the settings say script", async () => {
  await box.writeAsync(
    "hidden/a.spec.luau",
    "return setmetatable({ wrong = function() error('x') end }, {})",
  );
  await box.writeAsync("hidden/b.spec.luau", "local function f()\nreturn function() end\nend\nassert(f())");
  const { stdout, exitCode } = await testInAsync("hidden");
  const words = stdout.replaceAll(/\s+/g, " ");
  expect(words).toContain(
    "the file returns a table with functions, which its text does not show, so that no case",
  );
  expect(words).toContain(
    "a file that runs with the built-in tests returns a function, but this file returned nil.",
  );
  expect(words).toContain("Cases 2 failed, 0 passed");
  expect(exitCode).toBe(1);
  await box.writeAsync("hidden/sb.config.json", '{ "test": { "framework": "script" } }');
  expect((await testInAsync("hidden")).stdout).toContain("Cases  2 passed");
});

test("sb.config.json chooses the test files, the set-up scripts and the time limit of a case", async () => {
  await box.writeAsync("configured/checks/a.luau", "return { ready = function() assert(_G.ready) end }");
  await box.writeAsync("configured/checks/b.luau", "return { waits = function() task.wait(9) end }");
  await box.writeAsync("configured/setup.luau", "_G.ready = true");
  const test = { include: ["checks/*.luau"], setup: ["setup.luau"], timeoutMs: 200 };
  await box.writeAsync("configured/sb.config.json", JSON.stringify({ test }));
  const { stdout } = await testInAsync("configured/checks");
  expect(stdout).toContain("1 failed, 1 passed");
  expect(stdout).toContain("timed out after 0.2 s");
  const suites = { quick: { include: ["checks/a.luau"], framework: "script" } };
  await box.writeAsync("configured/sb.config.json", JSON.stringify({ test: { ...test, suites } }));
  const suite = await testInAsync("configured", "--suite", "quick", "--bail", "--list");
  expect(suite.stdout).toBe("checks/a.luau  script  not in the place  edit  (sb.config.json says so)\n");
  expect(await testInAsync("configured", "--suite", "quikc")).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining("there is no suite quikc; did you mean quick?"),
  });
  const completed = await box.localSbAsync(
    ["complete", "--", "test", "--suite", "|"],
    {},
    join(box.folder, "configured"),
  );
  expect(completed.stdout).toBe("quick\n");
  await box.writeAsync("configured/sb.config.json", '{ "test": { "timeout": 5 } }');
  expect(await testInAsync("configured")).toMatchObject({
    stderr: expect.stringContaining(
      'sb.config.json:1:24: test: unknown key "timeout"; did you mean "timeoutMs"?',
    ),
  });
});

test("a set-up script has the time of a file, for which only the first file waits, and a missing one is a wrong setting", async () => {
  await box.writeAsync("late/setup.luau", "while true do end");
  await box.writeAsync("late/sb.config.json", JSON.stringify({ test: { setup: ["setup.luau"] } }));
  for (const name of ["a", "b"])
    await box.writeAsync(`late/${name}.spec.luau`, "return { a = function() end }");
  const late = await testInAsync("late", "--file-timeout", "1s", "--workers", "1", "--json");
  expect(late.exitCode).toBe(1);
  const message = "the setup script setup.luau did not end within the time of a file (--file-timeout)";
  const events = late.stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const ends = events.filter(({ type }) => type === "file-end");
  expect(events.flatMap(({ failure }) => failure?.message ?? [])).toEqual([message, message]);
  expect(ends[0].durationMs).toBeGreaterThan(900);
  expect(ends[1].durationMs).toBeLessThan(500);
  await box.writeAsync("late/sb.config.json", JSON.stringify({ test: { setup: ["gone.luau"] } }));
  expect(await testInAsync("late")).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining("gone.luau.\nhint: Fix test.setup in sb.config.json."),
  });
});

test("if a report cannot be written, the run is shown first, and then an error names the file", async () => {
  await box.writeAsync("reports/taken", "no folder");
  await box.writeAsync("reports/one.spec.luau", "return { works = function() end }");
  const { stdout, stderr, exitCode } = await testInAsync("reports", "--reporter", "junit=taken/r.xml");
  expect(stdout).toContain("Cases  1 passed");
  expect(stderr).toStartWith(`error: Could not write ${join(box.folder, "reports/taken/r.xml")}: `);
  expect(stderr).not.toContain("--verbose");
  expect(exitCode).toBe(1);
});

test("a case that waits for a child until the default time limit fails with the engine's warning; earlier failures and the missing place are told", async () => {
  const { stdout, stderr } = await waiting;
  expect(stderr).toContain(
    "The tests run in an empty place, because there is no default.project.json. Choose a place: --place lobby.project.json, or test.place in sb.config.json.\n",
  );
  expect(stdout).toStartWith(
    " ✗ a.spec.luau:3  bad  (its file still runs)\n     too early\n ✗ a.spec.luau  2 failed, 0 passed",
  );
  expect(stdout).toContain("  timed out after 5 s");
  expect(stdout).toContain(`  output  [warn] Infinite yield possible on 'Workspace:WaitForChild("Never")'`);
});
