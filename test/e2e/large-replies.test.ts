/** A reply that travels in pieces ends its script like any other, for everything that waits for that end. */
import { expect, test } from "bun:test";
import { Sandbox } from "../harness.ts";

const LARGE = 'return string.rep("x", 500000)';
const BUSY = "print(1) task.wait() while true do end";
const GIANT = "print('it ran') local s = string.rep('x', 2e8) local t = { s .. 1, s .. 2, s .. 3 }";

test("after a large reply, a busy script can be cancelled and one that dies of memory counts as started", async () => {
  await using box = await Sandbox.createAsync();
  await box.headlessAsync();
  expect((await box.sbAsync(["exec", LARGE])).exitCode).toBe(0);

  const busy = box.spawn(["exec", "--timeout", "60000", BUSY]);
  await busy.stdout.getReader().read();
  // By now it no longer waits. On a slower machine it might, and then the plugin itself ends it.
  await Bun.sleep(500);
  const cancelledAt = performance.now();
  busy.kill("SIGINT");
  await busy.exited;
  expect((await box.sbAsync(["exec", "return 1"])).stdout).toBe("1\n");
  expect(performance.now() - cancelledAt).toBeLessThan(20_000);

  expect((await box.sbAsync(["exec", LARGE])).exitCode).toBe(0);
  const { stdout } = await box.sbAsync(["exec", "--json", GIANT]);
  expect(JSON.parse(stdout).error).toMatchObject({ code: "SESSION_GONE", outcome: "unknown" });
}, 120_000);
