/** `sb test` with Jest Lua through the compiled binary: cases and failures, jest.config, choosing, stored snapshots. */
import { beforeAll, expect, test } from "bun:test";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { TestEvent } from "../../src/testing/events.ts";
import { sandbox } from "../sandbox.ts";
import { JEST } from "../packages.ts";

const PROJECT = {
  name: "Jest",
  tree: {
    $className: "DataModel",
    ReplicatedStorage: {
      ...JEST,
      Src: { $path: "src" },
    },
  },
};
const GLOBALS = "local J = require(game.ReplicatedStorage.JestLua.JestGlobals)\n";
const FILES: Readonly<Record<string, string>> = {
  "src/jest.config.luau":
    'return { testMatch = { "**/*.spec" }, setupFiles = { script.Parent.first }, setupFilesAfterEnv = { script.Parent.second } }',
  "src/first.luau": "_G.isSetUp = true\nreturn nil",
  "src/second.luau": `${GLOBALS}J.expect.extend({ toBeSetUp = function(_, value) return { pass = value == true, message = function() return "not set up" end } end })\nreturn nil`,
  "src/cases.spec.luau": `${GLOBALS}local it, expect = J.it, J.expect
J.describe("sums", function()
	it("is right", function()
		print("one and one")
		expect(1 + 1).toBe(3)
	end)
	it("waits", function()
		workspace:WaitForChild("Never")
	end)
	it("never yields", function()
		while true do end
	end)
	it.each({ { 1, 2 }, { 2, 3 } })("adds to %s", function(a, b)
		expect(a + 1).toBe(b)
	end)
	it("is set up", function()
		expect(_G.isSetUp).toBeSetUp()
	end)
	it("takes done", function(_, done)
		task.delay(0, done)
	end)
	it("has a thread that fails", function()
		task.spawn(error, "lost", 0)
	end)
	it.skip("is skipped", function() end)
	it.todo("is to be written")
end)
J.describe("hooks", function()
	J.beforeEach(function()
		error("before each")
	end)
	it("does not run", function() end)
end)
it("waits before it never yields", function() task.wait(0.35) while true do end end)
it("takes done and waits", function(_, done)
	workspace:WaitForChild("Later")
	done()
end)
it("raises a table", function() error({ code = 7 }) end)
it("raises a message that is no text", function() error({ message = { "a" } }) end)
it("raises what cannot be read", function() error(setmetatable({ 1 }, { __tostring = error, __index = error })) end)
it("raises an Instance", function() error(workspace) end)
it.each({ { 1 }, { 2 } })(
	"leaves thread %s",
	function(number)
		task.delay(0.02, function()
			error("late " .. number)
		end)
	end
)
it("is innocent", function() task.wait(0.05) end)
`,
  "src/focus.spec.luau": `${GLOBALS}J.it.only("one", function() end)\nJ.it("other", function() end)`,
  "src/broken.spec.luau": `${GLOBALS}J.it("one", function() end)\nerror("at the top")`,
  "src/inner/jest.config.luau": 'return { testMatch = { "**/__tests__/*" }, testTimeout = 250 }',
  "src/inner/__tests__/slow.luau": `${GLOBALS}J.it("has less time", function() task.wait(60) end)
J.it("other work takes longer than a case may wait", function()
	local start = os.clock()
	while os.clock() - start < 0.4 do end
end)
J.it("other lines than those of Jest are not on the stack of a case", function()
	J.expect(debug.traceback()).never.toContain("sb test")
end)`,
  "src/inner/helper.spec.luau": `${GLOBALS}error("testMatch of the inner jest.config leaves this out")`,
};

const box = sandbox();
const testAsync = (words: readonly string[], env = {}) => box.localSbAsync(["test", ...words], env);

beforeAll(async () => {
  await box.writeAsync("default.project.json", JSON.stringify(PROJECT));
  for (const [path, text] of Object.entries(FILES)) await box.writeAsync(path, text);
}, 120_000);

/** The ends of the cases, as `file names line status message`. */
async function endsAsync(blob: string): Promise<string[]> {
  const lines = (await Bun.file(join(box.folder, blob)).text()).trim().split("\n");
  return lines
    .map((line): TestEvent => JSON.parse(line))
    .flatMap((event) => {
      if (event.type !== "case-end") return [];
      const { file, names, line, status, failure } = event;
      const parts = [
        file.replace(/^src\//, ""),
        names.join(" › "),
        line ?? "",
        status,
        failure?.message ?? "",
      ];
      return [parts.join("|").replaceAll("\n", " ")];
    });
}

test("cases of Jest have lines, failures, time limits and threads like cases of other frameworks", async () => {
  const words = ["--timeout", "700ms", "--workers", "1", "--reporter", "blob=all.jsonl", "-t", "^(?!other)"];
  const { stdout, stderr, exitCode } = await testAsync(words, { CI: "1" });
  expect(exitCode).toBe(1);
  expect((await endsAsync("all.jsonl")).toSorted()).toEqual([
    "broken.spec.luau|(file)||failed|at the top",
    "cases.spec.luau|(file)||failed|in a thread of one of the 2 cases of line 44: late 1 in a thread of one of the 2 cases of line 44: late 2 (src/cases.spec.luau:48)",
    "cases.spec.luau|hooks › does not run|33|failed|before each",
    "cases.spec.luau|is innocent|52|passed|",
    "cases.spec.luau|leaves thread 1|44|passed|",
    "cases.spec.luau|leaves thread 2|44|passed|",
    'cases.spec.luau|raises a message that is no text|41|failed|an error that is not text: { ["message"] = { "a" } }',
    'cases.spec.luau|raises a table|40|failed|an error that is not text: { ["code"] = 7 }',
    "cases.spec.luau|raises an Instance|43|failed|Workspace",
    "cases.spec.luau|raises what cannot be read|42|failed|an error that is not text: { 1 }",
    "cases.spec.luau|sums › adds to 1|14|passed|",
    "cases.spec.luau|sums › adds to 2|14|passed|",
    "cases.spec.luau|sums › has a thread that fails|23|failed|in a thread of its own: lost",
    "cases.spec.luau|sums › is right|4|failed|expect(received).toBe(expected) -- Object.is equality  Expected: 3 Received: 2",
    "cases.spec.luau|sums › is set up|17|passed|",
    "cases.spec.luau|sums › is skipped|26|skipped|",
    "cases.spec.luau|sums › is to be written|27|todo|",
    "cases.spec.luau|sums › never yields|11|failed|never yielded in 0.7 s",
    "cases.spec.luau|sums › takes done|20|passed|",
    "cases.spec.luau|sums › waits|8|failed|timed out after 0.7 s",
    "cases.spec.luau|takes done and waits|36|failed|timed out after 0.7 s",
    "cases.spec.luau|waits before it never yields|35|failed|never yielded in 0.7 s",
    "focus.spec.luau|one|2|passed|",
    "inner/__tests__/slow.luau|has less time|2|failed|timed out after 0.7 s",
  ]);
  for (const part of [
    "  ▶ 6 │     expect(1 + 1).toBe(3)",
    "  expected  3\n  received  2   difference -1",
    "  output  one and one",
    '  ▶  9 │     workspace:WaitForChild("Never")',
    '  ▶ 31 │     error("before each")',
    '  ▶ 37 │   workspace:WaitForChild("Later")',
    '  ▶ 3 │ error("at the top")',
  ])
    expect(stdout).toContain(part);
  expect(stderr).toContain("Only focused cases ran in src/focus.spec.luau.");
});

test("a case of Jest is chosen by its line, and the time limit of jest.config counts without --timeout", async () => {
  const words = ["src/cases.spec.luau:5", "src/inner/__tests__/slow.luau", "--reporter", "blob=chosen.jsonl"];
  expect((await testAsync(words)).exitCode).toBe(1);
  expect((await endsAsync("chosen.jsonl")).toSorted()).toEqual([
    expect.stringMatching(/^cases\.spec\.luau\|sums › is right\|4\|failed/),
    "inner/__tests__/slow.luau|has less time|2|failed|timed out after 0.25 s",
    "inner/__tests__/slow.luau|other lines than those of Jest are not on the stack of a case|7|passed|",
    "inner/__tests__/slow.luau|other work takes longer than a case may wait|3|passed|",
  ]);
});

test("without a terminal, only -u writes snapshots; changed snapshots fail, and obsolete ones fail in CI", async () => {
  const file = join(box.folder, "src/kept/__snapshots__/kept.spec.snap.luau");
  const writeAsync = (...values: readonly number[]) =>
    box.writeAsync(
      "src/kept/kept.spec.luau",
      `${GLOBALS}${values.map((value) => `J.it("keeps ${value % 10}", function() J.expect({ a = ${value} }).toMatchSnapshot() end)`).join("\n")}`,
    );
  await writeAsync(1, 2);
  const unwritten = await testAsync(["kept.spec"]);
  expect(unwritten.stdout).toContain("2 failed, 0 passed");
  expect(unwritten.stdout).toContain("Snapshots  2 failed (sb test -u writes them)\n");
  expect(unwritten.exitCode).toBe(1);
  expect(await Bun.file(file).exists()).toBe(false);
  const written = await testAsync(["kept.spec", "-u"]);
  expect(written).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("Snapshots  2 written\n") });
  const text = await Bun.file(file).text();
  expect(text).toContain('exports[ [=[keeps 1 1]=] ] = [=[\n\nTable {\n  "a": 1,\n}\n]=]');

  await writeAsync(11);
  const changed = await testAsync(["kept.spec"], { CI: "1" });
  expect(changed.stdout).toContain('+   "a": 11,');
  expect(changed).toMatchObject({
    exitCode: 1,
    stdout: expect.stringContaining("Snapshots  1 failed (sb test -u writes them), 1 obsolete"),
    stderr: expect.stringContaining("1 stored snapshot belongs to no case. In CI that fails"),
  });
  expect(await Bun.file(file).text()).toBe(text);
  const updated = await testAsync(["kept.spec", "--update"], { CI: "1" });
  expect(updated).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("1 updated, 1 removed\n") });
  expect(await Bun.file(file).text()).not.toContain("keeps 2");

  const gone = join(box.folder, "src/kept/__snapshots__/gone.spec.snap.luau");
  await Bun.write(gone, "return {}");
  const suites = { kept: { include: ["src/kept/**/*.spec.luau"] } };
  await box.writeAsync("sb.config.json", JSON.stringify({ test: { suites } }));
  const suiteAsync = (...words: readonly string[]) => testAsync(["--suite", "kept", ...words], { CI: "1" });
  expect(await suiteAsync()).toMatchObject({
    exitCode: 1,
    stdout: expect.stringContaining(
      "Snapshots  1 file obsolete (sb test -u removes obsolete files)\n            of no test: src/kept/__snapshots__/gone.spec.snap.luau\n",
    ),
    stderr: expect.stringContaining("gone.spec.snap.luau has stored snapshots of a test that is gone. In CI"),
  });
  expect(await suiteAsync("-u")).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining("1 file removed"),
  });
  // The folders of other tests lie below this one.
  await rm(join(box.folder, "sb.config.json"));
  expect(await Bun.file(gone).exists()).toBe(false);
  expect(await Bun.file(file).exists()).toBe(true);
});

test("with --isolate none, files share neither modules nor mocks of Jest, and the first file gets the prepared runtime", async () => {
  const price = "local Price = script.Parent.Price\n";
  await box.writeAsync("src/shared/Price.luau", "local Price = { count = 0 }\nreturn Price");
  await box.writeAsync(
    "src/shared/a.spec.luau",
    `${GLOBALS}${price}J.jest.mock(Price, function() return { count = 5 } end)
J.it("is a mock", function() J.expect(require(Price).count).toBe(5) end)`,
  );
  for (const name of ["b", "c"])
    await box.writeAsync(
      `src/shared/${name}.spec.luau`,
      `${GLOBALS}${price}J.it("is the module", function()
  J.expect(require(Price).count).toBe(0)
  require(Price).count += 1
end)`,
    );
  const words = ["src/shared", "--isolate", "worker", "--workers", "1", "--reporter", "blob=shared.jsonl"];
  expect(await testAsync(words)).toMatchObject({ exitCode: 0, stderr: "" });
  expect((await endsAsync("shared.jsonl")).toSorted()).toEqual([
    "shared/a.spec.luau|is a mock|4|passed|",
    "shared/b.spec.luau|is the module|3|passed|",
    "shared/c.spec.luau|is the module|3|passed|",
  ]);
});

test("if Jest cannot be warmed up, its files run nevertheless, and the reason is shown once", async () => {
  await box.writeAsync("cold/default.project.json", JSON.stringify(PROJECT));
  await box.writeAsync("cold/sb.config.json", '{ "test": { "setup": ["cold.luau"], "workers": 2 } }');
  // The runtime that is made ahead has no configuration of its own.
  await box.writeAsync(
    "cold/cold.luau",
    `local runtime = require(game.ReplicatedStorage.JestLua.node_modules["@jsdotlua"]["jest-runtime"].src)
local new = runtime.new
runtime.new = function(config, ...)
	if next(config) == nil then error("not ahead", 0) end
	return new(config, ...)
end`,
  );
  await box.writeAsync("cold/src/jest.config.luau", 'return { testMatch = { "**/*.spec" } }');
  for (let count = 1; count <= 5; count += 1)
    await box.writeAsync(`cold/src/${count}.spec.luau`, `${GLOBALS}J.it("passes", function() end)`);
  expect(await box.localSbAsync(["test"], {}, join(box.folder, "cold"))).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining("Cases  5 passed"),
    stderr: "Each file of Jest takes longer, because Jest could not be warmed up: not ahead\n",
  });
  await box.writeAsync("cold/cold.luau", "return nil");
  await box.writeAsync(
    "cold/src/jest.config.luau",
    'return { testMatch = { "**/*.spec" }, testEnvironment = script.Parent.broken }',
  );
  await box.writeAsync("cold/src/broken.luau", 'error("no environment")');
  const broken = await box.localSbAsync(["test", "1.spec"], {}, join(box.folder, "cold"));
  expect(broken.stdout).toContain("(file)");
  expect(broken.stdout).toContain("no environment");
});

test("--changed knows which modules a file of Jest has used", async () => {
  const folder = join(box.folder, "graph");
  const git = (...words: string[]) =>
    Bun.spawnSync(["git", "-C", folder, "-c", "user.name=T", "-c", "user.email=t@example.com", ...words]);
  await box.writeAsync("graph/default.project.json", JSON.stringify(PROJECT));
  await box.writeAsync("graph/src/jest.config.luau", 'return { testMatch = { "**/*.spec" } }');
  for (const name of ["one", "two"]) {
    await box.writeAsync(`graph/src/${name}.luau`, "return 1");
    const spec = `${GLOBALS}J.it("loads", function() require(script.Parent.${name}) end)`;
    await box.writeAsync(`graph/src/${name}.spec.luau`, spec);
  }
  git("init", "-q");
  git("add", "-A");
  git("commit", "-q", "-m", "one");
  expect((await box.localSbAsync(["test"], {}, folder)).exitCode).toBe(0);
  await box.writeAsync("graph/src/two.luau", "return 2");
  const { stdout } = await box.localSbAsync(["test", "--changed", "--list"], {}, folder);
  expect(stdout).toMatch(/^src\/two\.spec\.luau [^\n]*\n$/);
});

test("if Jest or TestEZ cannot be loaded, each file fails with the cause and its module", async () => {
  const { JestLua } = PROJECT.tree.ReplicatedStorage;
  const tree = { $className: "DataModel", ReplicatedStorage: { JestLua, Src: { $path: "src" } } };
  await box.writeAsync("lacking/default.project.json", JSON.stringify({ name: "Lacking", tree }));
  await box.writeAsync("lacking/src/jest.config.luau", "return {}");
  await box.writeAsync("lacking/src/TestEZ/init.luau", "return {}");
  await box.writeAsync("lacking/src/TestEZ/TestPlanner.luau", "return require(script.Parent.Missing)");
  await box.writeAsync("lacking/src/TestEZ/TestRunner.luau", "return {}");
  await box.writeAsync("lacking/src/a.spec.luau", `${GLOBALS}J.it("a", function() end)`);
  await box.writeAsync("lacking/src/b.spec.luau", `${GLOBALS}J.it("b", function() end)`);
  await box.writeAsync("lacking/planned/c.spec.luau", 'return function() it("c", function() end) end');
  const { stdout } = await box.localSbAsync(["test", "--json"], {}, join(box.folder, "lacking"));
  const messages = stdout.split("\n").flatMap((line) => {
    const event: TestEvent | undefined = line === "" ? undefined : JSON.parse(line);
    return event?.type === "case-end" ? [event.failure?.message] : [];
  });
  const jest = expect.stringMatching(
    /^Jest of the place cannot be loaded: ReactLua is not a valid member of .* \(in ReplicatedStorage\.JestLua\./,
  );
  const testEz = expect.stringMatching(
    /^TestEZ of the place cannot be loaded: Missing is not .* \(in ReplicatedStorage\.Src\.TestEZ\.TestPlanner\)$/,
  );
  expect(messages).toHaveLength(3);
  expect(messages).toEqual(expect.arrayContaining([jest, jest, testEz]));
});
