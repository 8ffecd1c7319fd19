/** A framework of the project's own by an adapter, and a program that gets the events, through the compiled binary. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { chmod, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { TestEvent } from "../../src/testing/events.ts";
import { Sandbox } from "../harness.ts";

setDefaultTimeout(60_000);

const ADAPTER = `local Names = require("./names")
return function(tests, add)
	local ctx = {}
	function ctx:Test(name, body) add(Names(name), body) end
	tests(ctx)
end`;

async function ownAsync(adapter = ADAPTER): Promise<Sandbox> {
  const box = await Sandbox.createAsync();
  await box.writeAsync("sb.config.json", '{ "test": { "adapter": "lib/adapter.luau", "timeoutMs": 500 } }');
  await box.writeAsync("lib/adapter.luau", adapter);
  await box.writeAsync("lib/names.luau", 'return function(name) return { "group", name } end');
  await box.writeAsync(
    "a.spec.luau",
    'return function(ctx)\n\tctx:Test("passes", function() end)\n\tctx:Test("fails", function() error("is wrong") end)\n\tctx:Test("waits", function() task.wait(60) end)\nend',
  );
  return box;
}

async function endsAsync(box: Sandbox, ...words: string[]): Promise<readonly string[]> {
  const { stdout } = await box.localSbAsync(["test", "--json", ...words]);
  return stdout
    .trim()
    .split("\n")
    .map((line): TestEvent => JSON.parse(line))
    .flatMap((event) =>
      event.type === "case-end"
        ? [`${event.id}:${event.line ?? 0} ${event.status} ${event.failure?.message ?? ""}`.trim()]
        : [],
    );
}

test("an adapter lists the cases of files, which have lines, time limits and selection like other cases", async () => {
  await using box = await ownAsync();
  expect(await endsAsync(box)).toEqual([
    "group › passes:2 passed",
    "group › fails:3 failed is wrong",
    "group › waits:4 failed timed out after 0.5 s",
  ]);
  expect(await endsAsync(box, "a.spec.luau:2")).toEqual(["group › passes:2 passed"]);
  expect(await endsAsync(box, "-t", "passes")).toEqual(["group › passes:2 passed"]);
});

test("an adapter may be a module of the place", async () => {
  await using box = await ownAsync();
  const tree = { $className: "DataModel", ReplicatedStorage: { Lib: { $path: "lib" } } };
  await box.writeAsync("default.project.json", JSON.stringify({ name: "Own", tree }));
  await box.writeAsync("lib/adapter.luau", ADAPTER.replace('"./names"', "script.Parent.names"));
  expect(await endsAsync(box, "-t", "passes")).toEqual(["group › passes:2 passed"]);
});

test("what is wrong with an adapter is told", async () => {
  await using box = await ownAsync("return { list = true }");
  expect((await endsAsync(box))[0]).toContain(
    "the adapter (test.adapter in sb.config.json) returns a function",
  );
  await box.writeAsync("lib/adapter.luau", "return function(_, add) add({}, function() end) end");
  expect((await endsAsync(box))[0]).toContain("takes a name, or a list of names");
  await box.writeAsync("sb.config.json", '{ "test": { "adapter": "gone.luau" } }');
  const gone = await box.localSbAsync(["test"]);
  expect([gone.exitCode, gone.stderr]).toEqual([2, expect.stringContaining("There is no adapter")]);
  await box.writeAsync(
    "sb.config.json",
    '{ "test": { "adapter": "lib/adapter.luau", "framework": "jest" } }',
  );
  expect((await box.localSbAsync(["test"])).exitCode).toBe(2);
});

test("--reporter exec gives a program each event as a line, beside the report on the screen", async () => {
  await using box = await ownAsync();
  const program = join(box.folder, "my reporter");
  await box.writeAsync("my reporter", '#!/bin/sh\ncat > "$1"\necho seen\n');
  await chmod(program, 0o755);
  const file = join(box.folder, "seen.jsonl");
  const argv = JSON.stringify([program, file]);
  const words = ["test", "-t", "passes", "--reporter", `exec=${argv}`];
  const { exitCode, stdout, stderr } = await box.localSbAsync(words);
  expect([exitCode, stderr]).toEqual([0, expect.stringContaining("seen")]);
  expect(stdout).toContain("Cases  1 passed");
  const events = (await readFile(file, "utf8"))
    .trim()
    .split("\n")
    .map((line): TestEvent => JSON.parse(line));
  expect([events[0]?.type, events.at(-1)?.type]).toEqual(["run", "run-end"]);
  expect(events.filter(({ type }) => type === "case-end")).toHaveLength(1);
});

test("a program that fails, stops reading or is not there is a warning, and does not change the exit code", async () => {
  await using box = await ownAsync();
  for (const [program, fault] of [
    ["false", "it ended with exit code 1"],
    ["true", undefined],
    ["no-such-program", "there is no such program"],
  ] as const) {
    const { exitCode, stderr } = await box.localSbAsync([
      "test",
      "-t",
      "passes",
      "--reporter",
      `exec=${program}`,
    ]);
    expect(exitCode).toBe(0);
    if (fault !== undefined) expect(stderr).toContain(`Warning: --reporter exec (${program}): ${fault}`);
  }
  const none = await box.localSbAsync(["test", "--reporter", "exec"]);
  expect(none.exitCode).toBe(2);
  await box.writeAsync("sb.config.json", '{ "test": { "reporters": ["exec=true"] } }');
  const setting = await box.localSbAsync(["test"]);
  expect([setting.exitCode, setting.stderr]).toEqual([
    2,
    expect.stringContaining("exec is only for the command line"),
  ]);
});
