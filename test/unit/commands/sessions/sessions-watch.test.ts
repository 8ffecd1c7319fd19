/** `sessions --watch` against a real bridge host: the list comes by push, and ends with the host. */
import { expect, test } from "bun:test";
import { untilAsync } from "../../../harness.ts";
import type { Caller } from "../../command-kit/caller.ts";
import { CommandWorld } from "../../command-kit/command-world.ts";

const world = new CommandWorld();

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
  const caller = world.caller();
  const watching = caller.dispatchAsync("sessions", { watch: true });
  await untilShownAsync(caller, []);
  const { plugin } = await world.studioAsync({ placeName: "One" });
  using _plugin = plugin;
  await untilShownAsync(caller, ["One"]);
  const other = await world.studioAsync({
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

test("between changes a screen is brought up to date, and a program is told nothing", async () => {
  const caller = world.caller();
  const watching = caller.dispatchAsync("sessions", { watch: true });
  await untilShownAsync(caller, []);
  const lists = caller.json.length;
  await untilAsync("the list is drawn again", () => (caller.shown.length > lists ? true : undefined));
  expect(caller.json).toHaveLength(lists);
  caller.controller.abort();
  await watching;
});

test("the end of the connection ends it with an error", async () => {
  const caller = world.caller();
  const failing = caller.failureAsync("sessions", { watch: true });
  await untilShownAsync(caller, []);
  await world.bridge[Symbol.asyncDispose]();
  expect((await failing).code).toBe("HOST_UNREACHABLE");
});
