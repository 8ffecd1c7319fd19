/** Hosts killed under load, a hundred and some: real processes, a real headless Studio. More: `bun scripts/chaos.ts`. */
import { expect, test } from "bun:test";
import { BridgeConnection } from "../../src/bridge/index.ts";
import { Sandbox, untilAsync } from "../harness.ts";
import { Agents } from "./agents.ts";
import { HostGang } from "./gang.ts";
import { Work } from "./work.ts";

const KILLS = 100;
const LANES = 8;

test("a hundred hosts that are killed lose no answer, and no script runs twice", async () => {
  await using box = await Sandbox.createAsync();
  using _ = box.enter();
  const gang = await HostGang.createAsync(box, 3);
  await box.headlessAsync();
  const [session] = await box.sessionsAsync();
  await using connection = await BridgeConnection.connectAsync({ port: box.port });
  const work = new Work(connection, session?.sessionId ?? "", { lanes: LANES });
  for (let kill = 0; kill < KILLS; kill += 1) {
    const before = work.tally.replies;
    await gang.replaceHostAsync(connection, kill % 4 === 3 ? "SIGTERM" : "SIGKILL");
    await untilAsync("work goes on", () => (work.tally.replies > before + LANES ? true : undefined));
  }
  const { replies, failures, violations } = await work.finishAsync();
  expect({ failures, violations }).toEqual({ failures: [], violations: [] });
  expect(replies).toBeGreaterThan(KILLS * LANES);
}, 400_000);

test("agents go on when the one whose server is the host ends, in every way", async () => {
  await using box = await Sandbox.createAsync();
  const agents = await Agents.createAsync(box, 3);
  for (let round = 0; round < 4; round += 1)
    for (const way of ["SIGKILL", "SIGTERM", "end of input"] as const) await agents.replaceHostAsync(way);
  const { replies, refusals, violations } = await agents.finishAsync();
  expect({ refusals, violations }).toEqual({ refusals: [], violations: [] });
  expect(replies).toBeGreaterThan(50);
}, 400_000);
