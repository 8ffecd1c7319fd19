/** `sb logs --since` and `--grep`, through the compiled binary. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { Sandbox } from "../harness.ts";

let box: Sandbox;
beforeAll(async () => {
  box = await Sandbox.createAsync();
  await box.headlessAsync("Alpha");
  await box.sbAsync(["exec", 'for i = 1, 60 do print("Score " .. i) end print("end")']);
}, 120_000);
afterAll(() => box[Symbol.asyncDispose]());

const bodiesAsync = async (...words: string[]) => {
  const { stdout } = await box.sbAsync(["logs", "--json", ...words]);
  const { entries }: { entries: { body: string }[] } = JSON.parse(stdout);
  return entries.map(({ body }) => body);
};

test("--grep picks lines out of all that Studio keeps; the count is of those", async () => {
  expect(await bodiesAsync("--grep", "^Score \\d$", "--head", "3")).toEqual([
    "Score 1",
    "Score 2",
    "Score 3",
  ]);
  expect(await bodiesAsync("--grep", "[05]$", "--tail", "2")).toEqual(["Score 55", "Score 60"]);
  expect(await bodiesAsync("--grep", "nothing like it")).toEqual([]);
});

test("--since leaves older lines out", async () => {
  expect((await bodiesAsync("--since", "10m", "--grep", "^end$")).length).toBe(1);
  await Bun.sleep(5);
  expect(await bodiesAsync("--since", "1ms", "--grep", "^Score")).toEqual([]);
});

test("--follow takes --grep, and not --since", async () => {
  const child = box.spawn(["logs", "--follow", "--grep", "^two"]);
  const errors = child.stderr[Symbol.asyncIterator]();
  expect(new TextDecoder().decode((await errors.next()).value)).toStartWith("(streaming");
  await box.sbAsync(["exec", 'print("one") print("two 2")']);
  const lines = child.stdout[Symbol.asyncIterator]();
  expect(new TextDecoder().decode((await lines.next()).value)).toEndWith("two 2\n");
  child.kill("SIGINT");
  expect(await child.exited).toBe(130);
  const { stderr, exitCode } = await box.sbAsync(["logs", "--follow", "--since", "5m"]);
  expect([stderr.split("\n")[0], exitCode]).toEqual(["error: Cannot use --follow with --since.", 2]);
});

test.each([
  ["--since", "soon", '--since: expected a time such as 30s, 5m, 14:30 or 2026-01-31T14:30, got "soon"'],
  ["--grep", "(", '--grep: "(" is no regular expression; write \\( to look for a bracket'],
])("%s %s is refused", async (flag, value, message) => {
  const { stderr, exitCode } = await box.sbAsync(["logs", flag, value]);
  expect([stderr.split("\n")[0], exitCode]).toEqual([`error: ${message}`, 2]);
});
