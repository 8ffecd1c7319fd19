/** A script that uses up the memory of headless Studio. */
import { expect, test } from "bun:test";
import { Sandbox, untilAsync } from "../harness.ts";

const HOG = "local t = {} while true do t[#t + 1] = string.rep('x', 1e6) .. #t end";
const ENDED = "Headless Studio ended: a script used more memory than it has.";

test("is told so, and a Studio that stays starts again with nothing in it", async () => {
  await using box = await Sandbox.createAsync();
  await box.headlessAsync("Staying");
  await box.sbAsync(["exec", "workspace.Name = 'Changed'"]);
  const hog = await box.sbAsync(["exec", HOG]);
  expect({ exitCode: hog.exitCode, stdout: hog.stdout }).toEqual({ exitCode: 1, stdout: "" });
  expect(hog.stderr).toContain(`${ENDED} Changes that were not saved are lost.`);
  await untilAsync("it is back", async () => ((await box.sessionsAsync()).length === 1 ? true : undefined));
  const next = await box.sbAsync(["exec", "return workspace.Name"]);
  expect(next).toMatchObject({ exitCode: 0, stdout: "Workspace\n" });
}, 120_000);

test("is told so by a Studio for one command", async () => {
  await using box = await Sandbox.createAsync();
  const hog = await box.sbAsync(["exec", "--headless", HOG]);
  expect({ exitCode: hog.exitCode, stdout: hog.stdout }).toEqual({ exitCode: 1, stdout: "" });
  const hint = "hint: Run it again; what it changed was only in this Studio of its own.";
  expect(hog.stderr.match(/^(error|hint): .*$/gm)).toEqual([`error: ${ENDED}`, hint]);
}, 120_000);
