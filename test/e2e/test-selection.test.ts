/** Which tests of a project `sb test` runs: failed, changed, focused and a shard, and the reports of such runs. */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { sandbox } from "../sandbox.ts";

const box = sandbox();

const testInAsync = (folder: string, ...words: string[]) =>
  box.localSbAsync(["test", ...words], {}, join(box.folder, folder));

test("--failed runs the cases that failed the last time, and all tests if none did", async () => {
  const textOf = (fault: string) =>
    `return { good = function() end, bad = function() ${fault} end, worse = function() ${fault} end }`;
  await box.writeAsync("again/a.spec.luau", textOf('error("no")'));
  await box.writeAsync("again/b.spec.luau", "return { fine = function() end }");
  const againAsync = (...words: string[]) =>
    box.localSbAsync(["test", ...words], { CI: "" }, join(box.folder, "again"));
  const first = await againAsync("--on", "headless", "--slowest", "0");
  expect(first.stdout).toContain("\n Again    sb test --failed --on headless\n");
  expect(first.stdout).toContain("Cases  2 failed, 2 passed");
  expect((await againAsync("--failed")).stdout).toContain(
    "Files  1 failed, 0 passed      Cases  2 failed, 0 passed",
  );
  await box.writeAsync("again/a.spec.luau", textOf(""));
  // After a run of one failed case, the other one is still known as failed.
  expect((await againAsync("-t", "bad")).exitCode).toBe(0);
  expect((await againAsync("--failed")).stdout).toContain("Files  1 passed      Cases  1 passed");
  const all = await againAsync("--failed");
  expect(all.stdout).toContain("Files  2 passed      Cases  4 passed");
  expect(all.stderr).toContain("No case is known to have failed, so all tests run.");
});

test("shards run every file once, and merge makes one report of them", async () => {
  for (const name of ["a", "b", "c", "d", "e"])
    await box.writeAsync(`shards/${name}.spec.luau`, `return { ${name} = function() end }`);
  await box.writeAsync("shards/f.spec.luau", 'return { f = function() error("no") end }');
  const blobs = [1, 2, 3].map((number) => `out/${number}.jsonl`);
  for (const [index, blob] of blobs.entries())
    await testInAsync("shards", "--shard", `${index + 1}/3`, "--reporter", `blob=${blob}`);
  const mergeAsync = (...words: string[]) => testInAsync("shards", "merge", ...words);
  // Shells of Windows do not replace patterns by files.
  const merged = await mergeAsync("out/*.jsonl", "--reporter", "junit=out/r.xml");
  expect(merged.exitCode).toBe(1);
  expect(merged.stdout).toContain("▶ 1 │ return { f = function()");
  expect(merged.stdout).toContain("Files  1 failed, 5 passed      Cases  1 failed, 5 passed");
  expect(await Bun.file(join(box.folder, "shards/out/r.xml")).text()).toContain('tests="6" failures="1"');
  const [first = "", second = ""] = blobs;
  expect(await mergeAsync(first, second)).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining("Shard 3/3 is not among these files."),
  });
  expect(await mergeAsync("f.spec.luau")).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining("f.spec.luau:1 is not an event of a test run."),
  });
  expect((await mergeAsync("none.jsonl")).stderr).toContain("Could not read none.jsonl");
  expect((await mergeAsync("none/*.jsonl")).stderr).toContain("No file fits none/*.jsonl.");
  expect((await mergeAsync()).exitCode).toBe(2);
  expect((await testInAsync("shards", "--shard", "4/3")).stderr).toContain("--shard: not a part: 4/3");
  expect(await testInAsync("shards", "--shard", "1/900")).toMatchObject({
    exitCode: 0,
    stderr: expect.stringContaining("No test file falls into this shard."),
  });
});

test("focused cases that leave others out fail in CI, unless that is allowed", async () => {
  const text = 'return function() itFOCUS("one", function() end) it("two", function() end) end';
  await box.writeAsync("focus/a.spec.luau", text);
  const focusAsync = (ci: string, ...words: string[]) =>
    box.localSbAsync(["test", ...words], { CI: ci }, join(box.folder, "focus"));
  expect((await focusAsync("")).exitCode).toBe(0);
  expect(await focusAsync("true")).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining("Only focused cases ran in a.spec.luau."),
  });
  expect((await focusAsync("true", "--allow-only")).exitCode).toBe(0);
});

test("a case that passes in a later try is flaky, and reports go to files beside the screen", async () => {
  const flaky = "return { sometimes = function() assert(os.time() % 2 == 2) end, once = function() end }";
  await box.writeAsync("reports/a.spec.luau", flaky);
  const words = ["--retries", "1", "--reporter", "junit=out/r.xml", "--reporter", "blob=out/r.jsonl"];
  const { stdout, exitCode } = await testInAsync("reports", ...words);
  expect(exitCode).toBe(1);
  expect(stdout.trimEnd().split("\n").at(-1)).toContain("Cases  1 failed, 1 passed");
  const xml = await Bun.file(join(box.folder, "reports/out/r.xml")).text();
  expect(xml).toContain('<testsuites name="sb test" tests="2" failures="1" errors="0" skipped="0"');
  expect(xml).toContain("<rerunFailure");
  const events = (await Bun.file(join(box.folder, "reports/out/r.jsonl")).text()).trim().split("\n");
  expect(events.map((line) => JSON.parse(line)).filter(({ type }) => type === "case-end")).toHaveLength(3);
  expect((await testInAsync("reports", "--reporter", "junitt")).stderr).toContain("did you mean junit?");
  const both = await testInAsync("reports", "--json", "--reporter", "line");
  expect(JSON.parse(both.stdout).error.message).toStartWith("Cannot use --json with --reporter line");
  expect(both.exitCode).toBe(2);
});

test("a file of very many cases with hooks reports all of its cases", async () => {
  const cases = 'for index = 1, 300 do it("case " .. index, function() task.defer(function() end) end) end';
  const spec = `return function() beforeEach(function() end) afterEach(function() end) ${cases} end`;
  await box.writeAsync("many/many.spec.luau", spec);
  const { stdout, exitCode } = await testInAsync("many");
  expect(stdout).toContain("Cases  300 passed");
  expect(exitCode).toBe(0);
});

test("--changed runs the tests that used changed files, and all tests if that is not known", async () => {
  const folder = join(box.folder, "changed");
  const git = (...words: string[]) => {
    const settings = ["-c", "user.name=T", "-c", "user.email=t@example.com"];
    return Bun.spawnSync(["git", "-C", folder, ...settings, ...words]).exitCode;
  };
  const spec = (body: string) => `return { a = function() ${body} end }`;
  await box.writeAsync("changed/src/Cart.luau", "return require(script.Parent.Tax)");
  await box.writeAsync("changed/src/Tax.luau", "return 2");
  await box.writeAsync("changed/src/cart.spec.luau", spec("require(script.Parent.Cart)"));
  await box.writeAsync("changed/src/copy.spec.luau", spec("require(script.Parent.Tax:Clone())"));
  await box.writeAsync("changed/src/text.spec.luau", spec('assert(script.Parent.Cart.Source ~= "")'));
  await box.writeAsync("changed/lone.spec.luau", spec("require(game.ReplicatedStorage.Tax)"));
  const project = { name: "C", tree: { $className: "DataModel", ReplicatedStorage: { $path: "src" } } };
  await box.writeAsync("changed/default.project.json", JSON.stringify(project));
  const namesAsync = async (concerned: string, ...words: readonly string[]): Promise<string> => {
    const { stdout, stderr } = await testInAsync("changed", "--changed", "--list", ...words);
    const names = stdout.split("\n").flatMap((line) => /(\w+)\.spec\.luau  /.exec(line)?.[1] ?? []);
    expect(stderr.trimEnd()).toBe(`Changes since HEAD affect ${concerned}`);
    return names.join(" ");
  };
  const UNKNOWN = "0 of 4 test files. 4 more run, because it is not known what they use now.";
  expect(git("init", "-q")).toBe(0);
  git("add", "-A");
  git("commit", "-q", "-m", "one");
  expect(await namesAsync(UNKNOWN)).toBe("lone cart copy text");
  expect((await testInAsync("changed")).exitCode).toBe(0);
  // A report of an earlier run would be taken for that of a run without files.
  await box.writeAsync("changed/junit.xml", "<old/>");
  const unchanged = await testInAsync("changed", "--changed", "--reporter", "junit=junit.xml");
  expect(unchanged).toMatchObject({ exitCode: 0, stderr: "Changes since HEAD affect 0 of 4 test files.\n" });
  const written = await Bun.file(join(box.folder, "changed/junit.xml")).text();
  expect(written).toContain('<testsuites name="sb test" tests="0"');
  // With other data, tests may use other scripts.
  expect(await namesAsync(UNKNOWN, "--data", "memory")).toBe("lone cart copy text");
  await box.writeAsync("changed/src/Tax.luau", "return 3");
  expect(await namesAsync("3 of 4 test files.")).toBe("lone cart copy");
  git("checkout", "-q", ".");
  await box.writeAsync("changed/src/Cart.luau", "return require(script.Parent.Tax) + 1");
  expect(await namesAsync("3 of 4 test files.")).toBe("cart copy text");
  git("checkout", "-q", ".");
  // What lets a test fail may be a file that git ignores.
  await box.writeAsync("changed/.gitignore", "Secret.luau\n.gitignore\n");
  await box.writeAsync("changed/src/Secret.luau", "return 1");
  await box.writeAsync("changed/src/cart.spec.luau", spec("assert(require(script.Parent.Secret) == 1)"));
  git("commit", "-q", "-a", "-m", "two");
  expect((await testInAsync("changed")).exitCode).toBe(0);
  await box.writeAsync("changed/src/Secret.luau", "return 2");
  expect((await testInAsync("changed", "--changed")).exitCode).toBe(1);
  const FAILED = "0 of 4 test files. 1 more, with cases that failed the last time.";
  expect(await namesAsync(FAILED)).toBe("cart");
  expect((await testInAsync("changed", "--changed")).exitCode).toBe(1);
  await box.writeAsync("changed/src/Secret.luau", "return 1");
  expect((await testInAsync("changed", "--changed")).exitCode).toBe(0);
  expect(await namesAsync("0 of 4 test files.")).toBe("");
  const withoutGit = await box.localSbAsync(["test", "--changed"], { PATH: join(box.folder, "bin") }, folder);
  expect(withoutGit).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining("--changed: there is no git on PATH."),
  });
});
