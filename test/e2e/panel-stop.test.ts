/** Stop in the panel, for what runs in the copies of the plugin in a play test. */
import { expect, test } from "bun:test";
import { PersonAtStudio } from "../peers/person-at-studio.ts";
import { Sandbox } from "../harness.ts";

const RUNNING = "Permission.Running";
const SAID = "The person at Studio has stopped this.";

test("Stop reaches what runs on the server and the client of a play test", async () => {
  await using box = await Sandbox.createAsync();
  using person = await PersonAtStudio.openAsync(box);
  const stoppedAsync = async (command: readonly string[], row: RegExp) => {
    const child = box.spawn([...command]);
    await person.hand.untilTextAsync(`${RUNNING}.Frame.What`, row);
    await person.hand.pressAsync(RUNNING, "Stop");
    const [stderr, exitCode] = await Promise.all([new Response(child.stderr).text(), child.exited]);
    return { stderr, exitCode };
  };
  expect(await box.sbAsync(["play", "start"])).toMatchObject({ exitCode: 0, stderr: "" });
  const server = await stoppedAsync(["exec", "--context", "server", "task.wait(1e6)"], / runs exec/);
  expect(server).toEqual({ exitCode: 1, stderr: expect.stringContaining(SAID) });
  const missing = ["input", "click", "PlayerGui.Missing", "--timeout", "10m"];
  const client = await stoppedAsync(missing, / runs input/);
  // 1 would say that a step has failed.
  expect(client).toEqual({ exitCode: 2, stderr: expect.stringContaining(SAID) });
  expect((await box.sbAsync(["play", "stop"])).exitCode).toBe(0);
}, 180_000);
