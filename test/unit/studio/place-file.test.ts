/** Which files Studio is launched with, and what is said of others. */
import { expect, test } from "bun:test";
import { checkedPlace } from "../../../src/studio/place-file.ts";
import { StudioBridgeError } from "../../../src/protocol/errors.ts";
import { linux } from "./tree-machine.ts";

test("a place is opened by its full path; of a project and a folder it is said what opens them", () => {
  using machine = linux();
  machine.put("/game/a.rbxl");
  machine.put("/game/default.project.json");
  expect(checkedPlace("/game/a.rbxl", machine)).toBe("/game/a.rbxl");
  const failures = ["/game/none.rbxl", "/game/default.project.json", "/game"].map((path) => {
    try {
      return checkedPlace(path, machine);
    } catch (error) {
      if (!(error instanceof StudioBridgeError)) throw error;
      return [error.message, error.hint.includes("--headless")];
    }
  });
  expect(failures).toEqual([
    ["Place file not found: /game/none.rbxl", false],
    ["/game/default.project.json is not a place file.", true],
    ["/game is not a place file.", true],
  ]);
});
