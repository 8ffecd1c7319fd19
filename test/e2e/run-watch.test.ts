/** `sb run --watch`: runs again at every change, whatever becomes of the file in between. */
import { expect, test } from "bun:test";
import { rm } from "node:fs/promises";
import { Sandbox, untilAsync } from "../harness.ts";
import { sandbox } from "../sandbox.ts";

const box = sandbox({ headless: "Alpha" });

async function gatherAsync(stream: ReadableStream<Uint8Array>, add: (text: string) => void): Promise<void> {
  const decoder = new TextDecoder();
  for await (const bytes of stream) add(decoder.decode(bytes, { stream: true }));
}

test("every change is told on stderr and runs the script again; Ctrl+C ends it", async () => {
  const path = await box.writeAsync("work.luau", "print('first', ...)");
  const child = box.spawn(["run", "--watch", path, "--", "argument"]);
  let [stdout, stderr] = ["", ""];
  const ended = Promise.all([
    gatherAsync(child.stdout, (text) => (stdout += text)),
    gatherAsync(child.stderr, (text) => (stderr += text)),
  ]);
  const seesAsync = (what: string, isThere: () => boolean) =>
    untilAsync(`it says ${what}`, () => (isThere() ? true : undefined));
  await seesAsync("that it watches", () => stderr.includes("Watching for changes; Ctrl+C ends.\n"));
  expect(stdout).toBe("first argument\n");

  await box.writeAsync("work.luau", "error('broken', 0)");
  await seesAsync("the failure", () => stderr.includes("Script error: broken"));
  expect(stderr).toContain("Changed: work.luau\n");

  await rm(path);
  await seesAsync("that the file is gone", () => stderr.includes("no such file"));

  await box.writeAsync("work.luau", "print('again', ...)");
  await seesAsync("the new result", () => stdout.includes("again argument\n"));

  child.kill("SIGINT");
  expect(await child.exited).toBe(130);
  await ended;
});

test("with --headless, each run is as the first: the place and its modules are read anew", async () => {
  await using own = await Sandbox.createAsync();
  const module = (word: string) => own.writeAsync("game/src/deep/Word.luau", `return "${word}"`);
  const script = (sign: string) =>
    own.writeAsync(
      "tests/look.luau",
      `local word = require(game.ReplicatedStorage.Code.deep.Word)
      Instance.new("Part").Parent = workspace
      local parts = workspace:QueryDescendants("Part")
      print(#parts .. "${sign}" .. word .. "${sign}" .. tostring(workspace:FindFirstChild("Extra") ~= nil))`,
    );
  const project = (extra: object) =>
    own.writeAsync(
      "game/default.project.json",
      JSON.stringify({
        name: "Game",
        tree: {
          $className: "DataModel",
          ReplicatedStorage: { Code: { $path: "src" } },
          Workspace: { $className: "Workspace", ...extra },
        },
      }),
    );
  await Promise.all([module("one"), script("-"), project({})]);
  const child = own.spawn(["run", "--watch", "--headless", "--place", "game", "tests/look.luau"]);
  let [stdout, stderr] = ["", ""];
  const ended = Promise.all([
    gatherAsync(child.stdout, (text) => (stdout += text)),
    gatherAsync(child.stderr, (text) => (stderr += text)),
  ]);
  const printsAsync = (line: string) =>
    untilAsync(`it prints ${line}`, () => (stdout.endsWith(`${line}\n`) ? true : undefined)).catch(() => {
      throw new Error(`no ${line}; it says:\n${stdout}${stderr}`);
    });
  await printsAsync("1-one-false");
  await untilAsync("it watches", () => (stderr.includes("Watching") ? true : undefined));
  await module("two");
  await printsAsync("1-two-false");
  await script("+");
  await printsAsync("1+two+false");
  await own.writeAsync("game/default.project.json", "{ half");
  await untilAsync("it complains", () => (stderr.includes("error:") ? true : undefined));
  await project({ Extra: { $className: "Folder" } });
  await printsAsync("1+two+true");
  await script("-");
  await printsAsync("1-two-true");
  child.kill("SIGINT");
  expect(await child.exited).toBe(130);
  await ended;
}, 120_000);

test("with --json, each run is one line", async () => {
  const path = await box.writeAsync("json.luau", "return 1");
  const child = box.spawn(["run", "--watch", "--json", path]);
  let stdout = "";
  const ended = gatherAsync(child.stdout, (text) => (stdout += text));
  const runsAsync = (count: number) =>
    untilAsync(`it ran ${count} times`, () => {
      const lines = stdout.split("\n").slice(0, -1);
      return lines.length >= count ? lines.map((line): unknown => JSON.parse(line)) : undefined;
    });
  await runsAsync(1);
  await box.writeAsync("json.luau", "error('broken', 0)");
  const [first, ...later] = await runsAsync(2);
  expect(first).toMatchObject({ success: true, returnValues: [1], files: [{ file: path }] });
  expect(later.at(-1)).toMatchObject({ success: false, error: "broken" });
  child.kill("SIGINT");
  expect(await child.exited).toBe(130);
  await ended;
});

test("stdin cannot be watched", async () => {
  const { stderr, exitCode } = await box.sbAsync(["run", "--watch", "-"], { stdin: "print(1)" });
  expect([stderr.split("\n")[0], exitCode]).toEqual(["error: Cannot use --watch with stdin.", 2]);
});
