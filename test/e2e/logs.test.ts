/** `sb logs --since` and `--grep`, through the compiled binary. */
import { beforeAll, expect, test } from "bun:test";
import { sandbox } from "../sandbox.ts";

const box = sandbox({ headless: "Alpha" });
beforeAll(async () => {
  await box.sbAsync(["exec", 'for i = 1, 60 do print("Score " .. i) end print("end")']);
}, 120_000);

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

test("a cursor gives what came after it, and a wait with it sees lines that came before the call", async () => {
  const { stdout } = await box.sbAsync(["logs", "--json", "--tail", "1"]);
  const { lastSeq } = JSON.parse(stdout);
  expect(await bodiesAsync("--since", `#${lastSeq}`)).toEqual([]);
  await box.sbAsync(["exec", 'print("new 1") task.delay(0, function() error("boom") end) task.wait(0.05)']);
  const stack = ["Stack Begin", expect.stringMatching(/^Script /), "Stack End"];
  expect(await bodiesAsync("--since", `#${lastSeq}`)).toEqual([
    "new 1",
    expect.stringContaining("boom"),
    ...stack,
  ]);
  expect(await bodiesAsync("--since", `#${lastSeq}`, "--level", "Error")).toEqual([
    expect.stringContaining("boom"),
    ...stack,
  ]);
  const waitAsync = (...words: string[]) =>
    box.sbAsync(["wait", "--log", "^new \\d$", "--timeout", "300", ...words]);
  expect(await waitAsync()).toMatchObject({ exitCode: 1 });
  expect(await waitAsync("--since", `#${lastSeq}`)).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining(`seq: ${lastSeq + 1}`),
  });
  const other = await box.sbAsync(["wait", "Workspace", "--since", "5m"]);
  expect([other.stderr.split("\n")[0], other.exitCode]).toEqual(["error: Only --log takes --since.", 2]);
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
  [
    "--since",
    "soon",
    '--since: expected a time such as 30s, 5m, 14:30 or 2026-01-31T14:30, or the number of a line such as #812, got "soon"',
  ],
  ["--grep", "(", '--grep: "(" is not a regular expression; write \\( to look for a bracket'],
])("%s %s is refused", async (flag, value, message) => {
  const { stderr, exitCode } = await box.sbAsync(["logs", flag, value]);
  expect([stderr.split("\n")[0], exitCode]).toEqual([`error: ${message}`, 2]);
});
