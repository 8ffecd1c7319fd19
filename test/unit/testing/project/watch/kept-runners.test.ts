/** Runners that stay between the runs of a watch: they are used again, get changed sources, and end if they cannot take them. */
import { expect, test } from "bun:test";
import { KeptRunners } from "../../../../../src/testing/project/watch/kept-runners.ts";
import type { TestRunner } from "../../../../../src/testing/run/runner.ts";

const CHANGE = { instance: ["ReplicatedStorage", "Cart"], source: "return 1" };

function keptRunners(takesChanges: boolean) {
  const events: string[] = [];
  let made = 0;
  const runners = new KeptRunners((): TestRunner => {
    const name = `runner ${++made}`;
    return {
      runAsync: async () => void events.push(`${name} runs`),
      ...(takesChanges
        ? { changeAsync: async (changes) => void events.push(`${name} changes ${changes.length}`) }
        : {}),
      [Symbol.asyncDispose]: async () => void events.push(`${name} ends`),
    };
  });
  return { runners, events };
}

const { signal } = new AbortController();

test("a run gets the runner of the run before, which has got the changed sources", async () => {
  const { runners, events } = keptRunners(true);
  for (let run = 0; run < 2; run += 1) {
    await runners.newRunner()[Symbol.asyncDispose]();
    await runners.changeAsync([CHANGE], signal);
  }
  const [one, two] = [runners.newRunner(), runners.newRunner()];
  await one[Symbol.asyncDispose]();
  await two[Symbol.asyncDispose]();
  await runners[Symbol.asyncDispose]();
  expect(events).toEqual(["runner 1 changes 1", "runner 1 changes 1", "runner 1 ends", "runner 2 ends"]);
});

test("a runner that cannot take changed sources ends, and the next run gets a new one", async () => {
  const { runners, events } = keptRunners(false);
  await runners.newRunner()[Symbol.asyncDispose]();
  await runners.changeAsync([CHANGE], signal);
  await runners.newRunner()[Symbol.asyncDispose]();
  await runners[Symbol.asyncDispose]();
  expect(events).toEqual(["runner 1 ends", "runner 2 ends"]);
});
