/** The command that runs failed cases again under the same conditions. */
import { expect, test } from "bun:test";
import { againCommand } from "../../../../src/testing/project/again-command.ts";

test("the command repeats the flags that say where cases ran", () => {
  expect(againCommand({ throttle: false })).toBe("sb test --failed");
  expect(againCommand({ on: "cloud:11/22,23@4" })).toBe("sb test --failed --on cloud:11/22,23@4");
  expect(againCommand({ on: "studio", allowStale: true })).toBe("sb test --failed --on studio --allow-stale");
  expect(againCommand({ suite: "saved", context: "client", players: 2, throttle: true })).toBe(
    "sb test --failed --suite saved --context client --players 2 --throttle",
  );
});

test("words with blanks and quotes can be copied into a shell", () => {
  expect(againCommand({ place: "my place's.rbxl" })).toBe("sb test --failed --place 'my place'\\''s.rbxl'");
});

test("the command names files that are tests only because they were named", () => {
  expect(againCommand({ on: "studio" }, ["tests/Cart.lua", "my tests/"])).toBe(
    "sb test tests/Cart.lua 'my tests/' --failed --on studio",
  );
});
