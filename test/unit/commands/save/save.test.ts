/** What `sb save` refuses before a file is written. */
import { expect, test } from "bun:test";
import { CommandWorld } from "../../command-kit/command-world.ts";

const world = new CommandWorld();

test("in Roblox Studio it says how Studio saves, and so does an export of the whole place", async () => {
  using plugin = (await world.studioAsync()).plugin;
  for (const [name, input] of [
    ["save", {}],
    ["export", { paths: ["game"], output: "game.rbxl" }],
  ] as const) {
    const failure = await world.caller().failureAsync(name, input);
    expect(failure.code).toBe("SAVE_REFUSED");
    expect(failure.hint).toStartWith("Save it in Studio: Ctrl+S");
  }
  expect(plugin.inbox).toEqual([]);
});

test("a server of a play test is no place that is edited", async () => {
  using plugin = (await world.studioAsync()).plugin;
  await plugin.registerAsync({ context: "server" });
  const exporting = { paths: ["game"], output: "game.rbxl", context: "server" };
  const failure = await world.caller().failureAsync("export", exporting);
  expect([failure.code, failure.message]).toEqual([
    "INVALID_INPUT",
    "A place file holds the edited place, not the server of its play test.",
  ]);
});
