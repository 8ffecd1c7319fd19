/** `sb test` with several projects, or several suites, as one run through the compiled binary. */
import { $ } from "bun";
import { expect, setDefaultTimeout, test } from "bun:test";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import type { TestEvent } from "../../src/testing/events.ts";
import { Sandbox } from "../harness.ts";

setDefaultTimeout(60_000);

const spec = (body: string): string =>
  `local Lib = require(script.Parent.Lib)\nreturn function()\n\tit("works", function() ${body} end)\nend`;

async function projectAsync(box: Sandbox, path: string, settings: object, body: string): Promise<void> {
  const tree = { $className: "DataModel", ReplicatedStorage: { Src: { $path: "src" } } };
  await box.writeAsync(`${path}/sb.config.json`, JSON.stringify({ test: settings }));
  await box.writeAsync(`${path}/default.project.json`, JSON.stringify({ name: path, tree }));
  await box.writeAsync(
    `${path}/src/Lib.luau`,
    'return { f = function(x)\n\tif x then\n\t\treturn 1\n\tend\n\terror("no x")\nend }',
  );
  await box.writeAsync(`${path}/src/a.spec.luau`, spec(body));
}

async function twoAsync(): Promise<Sandbox> {
  const box = await Sandbox.createAsync();
  await projectAsync(box, "packages/cart", {}, "expect(Lib.f(true)).to.equal(1)");
  await projectAsync(box, "packages/round", { name: "rounds", timeoutMs: 300 }, "Lib.f(false)");
  return box;
}

async function casesAsync(box: Sandbox, ...words: string[]): Promise<readonly string[]> {
  const { stdout } = await box.localSbAsync(["test", "--json", ...words]);
  return stdout
    .trim()
    .split("\n")
    .map((line): TestEvent => JSON.parse(line))
    .flatMap((event) =>
      event.type === "case-end"
        ? [`${[event.project, event.suite].filter(Boolean).join(" ")}|${event.file}|${event.status}`]
        : [],
    )
    .toSorted();
}

const CART = "|packages/cart/src/a.spec.luau|passed";
const ROUND = "rounds|packages/round/src/a.spec.luau|failed";

test("without settings in the folder, all projects below run as one, with paths from the folder", async () => {
  await using box = await twoAsync();
  await box.writeAsync("loose.spec.luau", 'return function() it("is alone", function() end) end');
  const { exitCode, stdout, stderr } = await box.localSbAsync(["test", "--reporter", "junit=out.xml"]);
  expect(exitCode).toBe(1);
  expect(stdout).toContain("✗ packages/round/src/a.spec.luau [rounds]  1 failed");
  expect(stdout).toContain("at f  packages/round/src/Lib.luau:5");
  expect(stdout).toContain("Cases  1 failed, 1 passed");
  expect(stderr).toContain(
    "These tests belong to none of the projects, so they do not run: loose.spec.luau.",
  );
  const xml = await readFile(join(box.folder, "out.xml"), "utf8");
  expect(xml).toContain('classname="packages/cart/src/a.spec.luau" name="works"');
  expect(xml).toContain('classname="packages/round/src/a.spec.luau [rounds]" name="works"');
});

test("words, names, --failed and --only-project choose among the projects", async () => {
  await using box = await twoAsync();
  expect(await casesAsync(box)).toEqual([ROUND, CART].toSorted());
  expect(await casesAsync(box, "--failed")).toEqual([ROUND]);
  expect(await casesAsync(box, "packages/cart")).toEqual([CART]);
  expect(await casesAsync(box, "packages/round/src/a.spec.luau:3")).toEqual([ROUND]);
  expect(await casesAsync(box, "a.spec")).toEqual([ROUND, CART].toSorted());
  expect(await casesAsync(box, "round/src")).toEqual([ROUND]);
  expect(await casesAsync(box, "--only-project", "rounds")).toEqual([ROUND]);
  const wrong = await box.localSbAsync(["test", "--only-project", "round"]);
  expect(wrong.exitCode).toBe(2);
  expect(wrong.stderr).toContain("there is no project round; did you mean rounds?");
  const nothing = await box.localSbAsync(["test", "nowhere"]);
  expect(nothing.exitCode).toBe(2);
  expect(nothing.stderr).toContain('No test file matches "nowhere".');
  const list = await box.localSbAsync(["test", "--list"]);
  expect(list.stdout).toMatch(/^packages\/cart\/src\/a\.spec\.luau {2}built-in/m);
});

test("what cannot hold for several projects is refused before anything runs", async () => {
  await using box = await twoAsync();
  for (const words of [
    ["--place", "x.rbxl"],
    ["--on", "studio"],
  ]) {
    const { exitCode, stderr } = await box.localSbAsync(["test", ...words]);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining("several projects")]);
  }
  await box.writeAsync("packages/cart/sb.config.json", '{ "test": { "name": "rounds" } }');
  const twice = await box.localSbAsync(["test"]);
  expect([twice.exitCode, twice.stderr]).toEqual([
    2,
    expect.stringContaining("Two projects have the name rounds"),
  ]);
  await box.writeAsync("packages/cart/sb.config.json", '{ "test": { "timeoutMs": "long" } }');
  const broken = await box.localSbAsync(["test"]);
  expect([broken.exitCode, broken.stdout]).toEqual([2, ""]);
  expect(broken.stderr).toContain("packages/cart/sb.config.json:1");
});

test("a project without tests fails the run, but not with --pass-with-no-tests beside one that has some", async () => {
  await using box = await Sandbox.createAsync();
  await projectAsync(box, "a", {}, "");
  await box.writeAsync("b/sb.config.json", '{ "test": {} }');
  expect((await box.localSbAsync(["test"])).exitCode).toBe(1);
  expect((await box.localSbAsync(["test", "--pass-with-no-tests"])).exitCode).toBe(0);
  expect((await box.localSbAsync(["test", "-t", "works"])).exitCode).toBe(0);
  await rm(join(box.folder, "a/src/a.spec.luau"));
  const none = await box.localSbAsync(["test", "--pass-with-no-tests"]);
  expect(none.exitCode).toBe(1);
  expect(none.stderr).toContain("--pass-with-no-tests needs one that has a case.");
});

test("--changed names each project, and passes with --pass-with-no-tests beside a project without tests", async () => {
  await using box = await Sandbox.createAsync();
  await projectAsync(box, "a", {}, "");
  await box.writeAsync("b/sb.config.json", '{ "test": {} }');
  for (const words of [
    ["init", "-q"],
    ["add", "-A"],
    ["commit", "-qm", "x"],
  ])
    await $`git -c user.name=a -c user.email=a@b.c ${words}`.cwd(box.folder).quiet();
  expect((await box.localSbAsync(["test", "--pass-with-no-tests"])).exitCode).toBe(0);
  const without = await box.localSbAsync(["test", "--changed"]);
  expect([without.exitCode, without.stderr]).toEqual([
    1,
    expect.stringContaining("a: Changes since HEAD affect 0 of 1 test files.\n"),
  ]);
  const passed = await box.localSbAsync(["test", "--changed", "--pass-with-no-tests"]);
  expect([passed.exitCode, passed.stderr]).toEqual([0, expect.not.stringContaining("shard")]);
});

test("test.projects names the projects; without it, a root leaves nested projects out and says so", async () => {
  await using box = await Sandbox.createAsync();
  await projectAsync(box, ".", {}, "");
  await projectAsync(box, "tools/x", {}, "");
  await projectAsync(box, "tools/y", {}, "");
  const own = await box.localSbAsync(["test"]);
  expect(own.stdout).toContain("Files  1 passed");
  expect(own.stderr).toContain("Tests of tools/x, tools/y do not run here");
  expect(await casesAsync(box, "tools/x")).toEqual(["|tools/x/src/a.spec.luau|passed"]);
  await box.writeAsync("sb.config.json", '{ "test": { "projects": ["tools/*"] } }');
  expect(await casesAsync(box)).toHaveLength(2);
  await box.writeAsync("sb.config.json", '{ "test": { "projects": ["tols/*"] } }');
  const wrong = await box.localSbAsync(["test"]);
  expect([wrong.exitCode, wrong.stderr]).toEqual([2, expect.stringContaining("fits tols/*")]);
});

test("shards divide the files of all projects, and thresholds hold for each project, also when merged", async () => {
  await using box = await Sandbox.createAsync();
  const coverage = { thresholds: { lines: 90 } };
  await projectAsync(box, "a", { coverage }, "expect(Lib.f(true)).to.equal(1)");
  await projectAsync(box, "b", {}, "expect(Lib.f(true)).to.equal(1)");
  const whole = await box.localSbAsync(["test", "--coverage"]);
  expect(whole.exitCode).toBe(1);
  expect(whole.stderr).toContain("a: Coverage: 75.0 % of lines ran");
  expect(whole.stdout).toContain("a/src/Lib.luau");
  const ran: string[] = [];
  for (const number of [1, 2]) {
    const words = ["--shard", `${number}/2`, "--reporter", `blob=${number}.jsonl`, "--coverage"];
    ran.push(...(await casesAsync(box, ...words)));
  }
  expect(ran.toSorted()).toEqual(["|a/src/a.spec.luau|passed", "|b/src/a.spec.luau|passed"]);
  const merged = await box.localSbAsync(["test", "merge", "1.jsonl", "2.jsonl"]);
  expect(merged.exitCode).toBe(1);
  expect(merged.stdout).toContain("Files  2 passed");
  expect(merged.stderr).toContain("a/: Coverage: 75.0 % of lines ran");
});

test("the files run once for each --suite, and each suite has its own failures", async () => {
  await using box = await Sandbox.createAsync();
  await box.writeAsync(
    "sb.config.json",
    JSON.stringify({ test: { suites: { fast: { timeoutMs: 100 }, slow: { timeoutMs: 5000 } } } }),
  );
  await box.writeAsync("a.spec.luau", 'return function() it("waits", function() task.wait(0.4) end) end');
  const two = await box.localSbAsync(["test", "--suite", "fast", "--suite", "slow"]);
  expect(two.exitCode).toBe(1);
  expect(two.stdout).toContain("─ 1/1 ─ [fast] waits");
  expect(two.stdout).toContain("Again    sb test --failed --suite fast --suite slow");
  expect(await casesAsync(box, "--suite", "fast", "--suite", "slow", "--failed")).toEqual([
    "fast|a.spec.luau|failed",
  ]);
  const wrong = await box.localSbAsync(["test", "--suite", "fast", "--suite", "solw"]);
  expect([wrong.exitCode, wrong.stderr]).toEqual([2, expect.stringContaining("did you mean slow?")]);
});

test("each suite writes its coverage into a folder of its own, and one suite alone into the usual one", async () => {
  await using box = await Sandbox.createAsync();
  const only = (name: string) => ({ include: [`src/${name}.spec.luau`] });
  await projectAsync(box, "shop", { suites: { good: only("a"), bad: only("b") } }, "Lib.f(true)");
  await box.writeAsync("shop/src/b.spec.luau", spec("pcall(Lib.f, false)"));
  const testAsync = (...words: string[]) =>
    box.localSbAsync(["test", "--coverage", "lcov", ...words], {}, join(box.folder, "shop"));
  expect((await testAsync("--suite", "good", "--suite", "bad")).exitCode).toBe(0);
  const lineOf = async (suite: string) => {
    const text = await readFile(join(box.folder, "shop/coverage", suite, "lcov.info"), "utf8");
    return text.split("\n").filter((line) => /^DA:[35],/.test(line));
  };
  expect(await lineOf("good")).toEqual(["DA:3,1", "DA:5,0"]);
  expect(await lineOf("bad")).toEqual(["DA:3,0", "DA:5,1"]);
  expect((await testAsync("--suite", "bad")).exitCode).toBe(0);
  expect(await lineOf(".")).toEqual(["DA:3,0", "DA:5,1"]);
});

test("a monorepo ends with 2 before anything runs where settings are wrong, else with 1, else with 0", async () => {
  await using box = await twoAsync();
  await projectAsync(box, "packages/empty", {}, "");
  await rm(join(box.folder, "packages/empty/src/a.spec.luau"));
  const runAsync = async (...words: string[]) => {
    const { exitCode, stdout } = await box.localSbAsync(["test", "--json", ...words]);
    return { exitCode, cases: stdout.split("\n").filter((line) => line.includes('"case-end"')).length };
  };
  await box.writeAsync("packages/broken/sb.config.json", '{ "test": { "workers": "many" } }');
  expect(await runAsync()).toEqual({ exitCode: 2, cases: 0 });
  expect(await runAsync("--pass-with-no-tests")).toEqual({ exitCode: 2, cases: 0 });
  await rm(join(box.folder, "packages/broken"), { recursive: true });
  expect(await runAsync()).toEqual({ exitCode: 1, cases: 2 });
  expect(await runAsync("--pass-with-no-tests")).toEqual({ exitCode: 1, cases: 2 });
  await rm(join(box.folder, "packages/round"), { recursive: true });
  expect(await runAsync()).toEqual({ exitCode: 1, cases: 1 });
  expect(await runAsync("--pass-with-no-tests")).toEqual({ exitCode: 0, cases: 1 });
  await rm(join(box.folder, "packages/cart"), { recursive: true });
  expect((await runAsync()).exitCode).not.toBe(0);
});
