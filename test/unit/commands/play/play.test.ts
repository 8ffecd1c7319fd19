/** Starts of play tests, as a scripted plugin answers them. */
import { expect, test } from "bun:test";
import { CommandWorld } from "../../command/command-world.ts";

const world = new CommandWorld();

test("a start that waited for other scripts until its time was over has failed, although Studio plays by then", async () => {
  using plugin = (await world.studioAsync()).plugin;
  let state = "Edit";
  plugin.on("queryState", (request) =>
    plugin.reply(request, "stateResult", { state, placeName: "Baseplate", placeId: 0, gameId: 0 }),
  );
  plugin.on("execute", (request) => {
    state = "Play";
    plugin.reply(request, "scriptComplete", {
      success: false,
      error: "Script execution timed out after 120 seconds.",
      errorInfo: { code: "TIMEOUT" },
      returnValues: [],
      durationMs: 120_000,
    });
  });
  const failure = await world.caller().failureAsync("play", { action: "start" });
  expect([failure.code, failure.message]).toEqual([
    "TIMEOUT",
    "The play test did not start in time, because other scripts run in the edited place.",
  ]);
});
