/** Scripts that use up the memory of headless Studio. */
import { expect, test } from "bun:test";
import { Sandbox, untilAsync } from "../harness.ts";

/** The engine can stop it in time. */
const HOG = "local t = {} while true do t[#t + 1] = string.rep('x', 1e6) .. #t end";
/** So large at once that the VM has nothing left to go on with. */
const GIANT = "print('before') local s = string.rep('x', 6e7) local t = { s .. 1, s .. 2, s .. 3 }";
const ENDED = "Headless Studio ended: a script used more memory than it has.";
const REFUSED = "not enough memory: scripts may use 64 MB (--memory MB sets another limit)";

/** One that stays, with as little memory as it can have. */
async function smallHeadlessAsync(box: Sandbox): Promise<void> {
  box.spawn(["headless", "--memory", "64"]);
  await untilAsync("it is connected", async () => (await box.sessionsAsync())[0]);
}

test("a script that uses too much, and one that prints without an end, end alone in a Studio that stays", async () => {
  await using box = await Sandbox.createAsync();
  await smallHeadlessAsync(box);
  await box.sbAsync(["exec", "workspace.Name = 'Changed'"]);
  const hog = await box.sbAsync(["exec", `print("before") task.wait()\n${HOG}`]);
  expect({ exitCode: hog.exitCode, stdout: hog.stdout }).toEqual({ exitCode: 1, stdout: "before\n" });
  expect(hog.stderr).toContain(`Script error: ${REFUSED}`);
  const endless = await box.sbAsync([
    "exec",
    "--timeout",
    "60000",
    "while true do print(string.rep('x', 20)) end",
  ]);
  expect(endless.exitCode).toBe(1);
  expect(endless.stderr).toContain(`Script error: ${REFUSED}`);
  const next = await box.sbAsync(["exec", "return workspace.Name"]);
  expect(next).toMatchObject({ exitCode: 0, stdout: "Changed\n" });
}, 120_000);

test("a Studio that stays and has no memory left starts again with nothing in it", async () => {
  await using box = await Sandbox.createAsync();
  await smallHeadlessAsync(box);
  await box.sbAsync(["exec", "workspace.Name = 'Changed'"]);
  const giant = await box.sbAsync(["exec", GIANT]);
  expect({ exitCode: giant.exitCode, stdout: giant.stdout }).toEqual({ exitCode: 1, stdout: "before\n" });
  expect(giant.stderr).toContain(`${ENDED} Changes that were not saved are lost.`);
  await untilAsync("it is back", async () => ((await box.sessionsAsync()).length === 1 ? true : undefined));
  const next = await box.sbAsync(["exec", "return workspace.Name"]);
  expect(next).toMatchObject({ exitCode: 0, stdout: "Workspace\n" });
}, 120_000);

test("a Studio for one command has the memory that it is given, and the last prints before its end are kept", async () => {
  await using box = await Sandbox.createAsync();
  const large = "local t = {} for i = 1, 600 do t[i] = string.rep('x', 1e6) .. i end print(#t)";
  expect(await box.sbAsync(["exec", "--headless", "--memory", "800", large])).toMatchObject({
    stdout: "600\n",
    exitCode: 0,
  });
  const giant = await box.sbAsync(["exec", "--headless", "--memory", "64", GIANT]);
  expect({ exitCode: giant.exitCode, stdout: giant.stdout }).toEqual({ exitCode: 1, stdout: "before\n" });
  const hint = "hint: Run it again; what it changed was only in this Studio of its own.";
  expect(giant.stderr.match(/^(error|hint): .*$/gm)).toEqual([`error: ${ENDED}`, hint]);
}, 120_000);

test.each([
  [["exec", "--headless", "--memory", "63", "return 1"], "expected a number of megabytes from 64 to 1600"],
  [["exec", "--memory", "64", "return 1"], "Cannot use --memory without --headless."],
  [["query", "--headless", "--memory", "64", "Workspace"], "sb query does not take --memory."],
])("bad use of --memory is refused: sb %p", async (args, says) => {
  await using box = await Sandbox.createAsync();
  const { exitCode, stderr } = await box.sbAsync(args);
  expect(exitCode).toBe(2);
  expect(stderr).toContain(says);
});
