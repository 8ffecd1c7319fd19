/** Starts of play tests, as a scripted plugin answers them. */
import { describe, expect, test } from "bun:test";
import { exampleRegister } from "../../../peers/scripted-plugin.ts";
import { CommandWorld } from "../../command-kit/command-world.ts";

const world = new CommandWorld();
const capabilities = [...exampleRegister.capabilities, "provideInput", "startTest", "stopTest"];

test("a start that took too long has failed, although Studio plays by then", async () => {
  using plugin = (await world.studioAsync({ capabilities })).plugin;
  let state = "Edit";
  plugin.on("queryState", (request) =>
    plugin.reply(request, "stateResult", { state, placeName: "Baseplate", placeId: 0, gameId: 0 }),
  );
  plugin.on("startTest", (request) => {
    state = "Play";
    plugin.reply(request, "error", { code: "TIMEOUT", message: "too late" });
  });
  const failure = await world.caller().failureAsync("play", { action: "start" });
  expect([failure.code, failure.message]).toEqual(["TIMEOUT", "too late"]);
});

test("the request that starts a test lasts until all of the test is connected, because the test of a caller that is killed ends with it", async () => {
  using plugin = (await world.studioAsync({ capabilities })).plugin;
  let state = "Edit";
  plugin.on("queryState", (request) =>
    plugin.reply(request, "stateResult", { state, placeName: "Baseplate", placeId: 0, gameId: 0 }),
  );
  const starting = world.caller().dispatchAsync("play", { action: "start" });
  const starter = await plugin.nextAsync("startTest");
  state = "Play";
  plugin.reply(starter, "inputWanted", { seq: 0 });
  await plugin.registerAsync({ context: "server" });
  // Time in which a caller that waits for nothing else would have answered.
  await Bun.sleep(50);
  expect(plugin.inbox.map(({ type }) => type)).not.toContain("provideInput");
  await plugin.registerAsync({ context: "client" });
  const end = await plugin.nextAsync("provideInput");
  expect(end.payload).toMatchObject({ isLast: true });
  plugin.reply(end, "provideInputResult", {});
  plugin.reply(starter, "testStarted", { isOver: false });
  expect((await starting).output).toMatchObject({
    state: "Play",
    changed: true,
    sessions: [{ context: "server" }, { context: "client" }],
  });
});

describe("a start while a server and two clients play", () => {
  async function playingAsync() {
    const { plugin } = await world.studioAsync();
    plugin.on("queryState", (request) =>
      plugin.reply(request, "stateResult", { state: "Play", placeName: "Baseplate", placeId: 0, gameId: 0 }),
    );
    await plugin.registerAsync({ context: "server" });
    for (const index of [1, 2])
      await plugin.registerAsync({ context: "client", player: { name: `Player${index}`, index } });
    return plugin;
  }

  test("is done where that is what was asked for", async () => {
    using _plugin = await playingAsync();
    for (const wish of [{}, { mode: "play" }, { players: 2 }]) {
      const { output } = await world.caller().dispatchAsync("play", { action: "start", ...wish });
      expect(output).toMatchObject({ state: "Play", changed: false });
    }
  });

  test("fails where something else was asked for, and says what plays", async () => {
    using plugin = await playingAsync();
    const three = await world.caller().failureAsync("play", { action: "start", players: 3 });
    expect([three.code, three.message, three.hint]).toEqual([
      "BUSY",
      "A play test with 2 clients runs already, which is not what was asked for: 3 clients.",
      "Stop it with `sb play stop`, and start again.",
    ]);
    const alone = await world.caller().failureAsync("play", { action: "start", mode: "server" });
    expect(alone.message).toBe(
      "A play test with 2 clients runs already, which is not what was asked for: the server alone.",
    );
    expect(plugin.inbox.map(({ type }) => type)).not.toContain("startTest");
  });
});
