/** Paths as people type them become paths from `game`. */
import { expect, test } from "bun:test";
import { wirePath } from "../../../src/tree/instance-path.ts";

test.each([
  ["Workspace.SpawnLocation", "game.Workspace.SpawnLocation"],
  ["game.Workspace", "game.Workspace"],
  ["game", "game"],
  ['game["Work.space"]', 'game["Work.space"]'],
  ['["Work.space"].Part', 'game["Work.space"].Part'],
  ["gameplay.Thing", "game.gameplay.Thing"],
  ["Workspace.game", "game.Workspace.game"],
])("%s → %s", (expression, path) => {
  expect(wirePath(expression)).toBe(path);
});
