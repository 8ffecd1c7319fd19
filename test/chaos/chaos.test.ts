/** The compiled sb behind a bad network, with a real headless Studio. Longer runs: `bun scripts/chaos.ts`. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { BridgeConnection } from "../../src/bridge/index.ts";
import { Sandbox, untilAsync } from "../harness.ts";
import { Random } from "../simulator/random.ts";
import { ChaosProxy } from "./proxy.ts";
import type { Trouble } from "./proxy.ts";
import { Work } from "./work.ts";

let box: Sandbox;
let sessionId = "";
let inside: Disposable;
beforeAll(async () => {
  box = await Sandbox.createAsync();
  inside = box.enter();
  await box.headlessAsync();
  sessionId = (await box.sessionsAsync())[0]?.sessionId ?? "";
}, 120_000);
afterAll(async () => {
  inside[Symbol.dispose]();
  await box[Symbol.asyncDispose]();
});

/** Works behind the trouble until `isEnough`, then joins the histories. */
async function workAsync(
  trouble: Trouble,
  sizeBytes: number,
  isEnough: (work: Work, proxy: ChaosProxy) => boolean,
) {
  using proxy = new ChaosProxy(box.port, trouble, new Random(42));
  const remote = { host: "127.0.0.1", port: proxy.port };
  const connection = await untilAsync("the proxy lets us through", () =>
    BridgeConnection.connectAsync({ remote }).catch(() => undefined),
  );
  await using _ = connection;
  const work = new Work(connection, sessionId, { lanes: 4, sizeBytes });
  await untilAsync("enough was done", () => (isEnough(work, proxy) ? true : undefined));
  proxy.calm();
  const { replies, failures, violations } = await work.finishAsync();
  return { replies, failures, violations };
}

describe("a client behind a bad network", () => {
  test("whose connection breaks all the time gets every reply, and no script runs twice", async () => {
    const trouble = { maxDelayMs: 1, maxPieceBytes: 4_000, maxLifeBytes: 30_000 };
    const { replies, failures, violations } = await workAsync(
      trouble,
      500,
      (work, proxy) => proxy.cuts >= 40 && work.tally.replies > 50,
    );
    expect({ failures, violations }).toEqual({ failures: [], violations: [] });
    expect(replies).toBeGreaterThan(50);
  }, 120_000);

  test("that breaks in the middle of replies in pieces gets them whole", async () => {
    const trouble = { maxDelayMs: 0, maxPieceBytes: 100_000, maxLifeBytes: 3_000_000 };
    const { failures, violations } = await workAsync(
      trouble,
      600_000,
      (work, proxy) => proxy.cuts >= 8 && work.tally.replies > 10,
    );
    expect({ failures, violations }).toEqual({ failures: [], violations: [] });
  }, 120_000);

  test("that hands over single bytes is only slow", async () => {
    const trouble = { maxDelayMs: 0, maxPieceBytes: 1, maxLifeBytes: Infinity };
    const { failures, violations } = await workAsync(trouble, 2_000, (work) => work.tally.replies > 20);
    expect({ failures, violations }).toEqual({ failures: [], violations: [] });
  }, 120_000);
});
