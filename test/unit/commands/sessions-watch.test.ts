/** `sessions --watch` against a real bridge host: the list comes by push, and ends with the host. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "bun:test";
import { BridgeConnection, BridgeHost } from "../../../src/bridge/index.ts";
import { untilAsync } from "../../harness.ts";
import { ScriptedPlugin } from "../../peers/scripted-plugin.ts";
import { realWorldAsync } from "../bridge/real-world.ts";
import type { RealWorld } from "../bridge/real-world.ts";
import { Caller } from "./caller.ts";

let world: RealWorld;
let host: BridgeHost;
let bridge: BridgeConnection;

beforeAll(async () => {
  world = await realWorldAsync();
});
afterAll(() => world[Symbol.dispose]());
beforeEach(async () => {
  host = await BridgeHost.startAsync({ port: 0, version: "test" });
  bridge = await BridgeConnection.connectAsync({ port: host.port });
});
afterEach(async () => {
  await bridge[Symbol.asyncDispose]();
  await host[Symbol.asyncDispose]();
});

/** The names of the places in each list that was shown. */
const placesShown = (caller: Caller) =>
  caller.json.map((listing) => {
    const { sessions }: { sessions: { placeName: string }[] } = Object(listing);
    return sessions.map(({ placeName }) => placeName);
  });
const untilShownAsync = (caller: Caller, places: readonly string[]) =>
  untilAsync(`${places.join(", ")} is shown`, () =>
    placesShown(caller).some((shown) => Bun.deepEquals(shown, places)) ? true : undefined,
  );

test("every Studio that comes or goes is shown by itself", async () => {
  const caller = new Caller(bridge);
  const watching = caller.dispatchAsync("sessions", { watch: true });
  await untilShownAsync(caller, []);
  const { plugin } = await ScriptedPlugin.connectAsync(host.port, world.prover, { placeName: "One" });
  using _plugin = plugin;
  await untilShownAsync(caller, ["One"]);
  const other = await ScriptedPlugin.connectAsync(host.port, world.prover, {
    placeName: "Two",
    instanceId: "window-2",
  });
  using _other = other.plugin;
  await untilShownAsync(caller, ["One", "Two"]);
  caller.controller.abort();
  expect(await watching).toMatchObject({ failed: false });
  expect(caller.shown.every(({ stream }) => stream === "stdout")).toBe(true);
  expect(caller.shown.at(-1)?.text).toContain("2 sessions connected (2 instances).");
});

test("the end of the connection ends it with an error", async () => {
  const caller = new Caller(bridge);
  const failing = caller.failureAsync("sessions", { watch: true });
  await untilShownAsync(caller, []);
  await bridge[Symbol.asyncDispose]();
  expect((await failing).code).toBe("HOST_UNREACHABLE");
});
