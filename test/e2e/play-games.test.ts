/** Small games as developers write them, played: what their servers and clients make of each other. */
import { expect, test } from "bun:test";
import { join } from "node:path";
import type { Outcome } from "../harness.ts";
import { sandbox } from "../sandbox.ts";

const box = sandbox();

const GAMES = join(import.meta.dir, "..", "fixtures", "games");

/** Runs the script that lies in the game's folder under the game's name. */
const playAsync = (game: string, ...words: string[]): Promise<Outcome> => {
  const folder = join(GAMES, game);
  return box.sbAsync(["run", "--headless", "--place", folder, ...words, join(folder, `${game}.luau`)]);
};

/** The order of lines is certain within one DataModel only. */
const linesOf = (stderr: string, mark: string): string[] =>
  stderr.split("\n").filter((line) => line.startsWith(mark));

test("a game of rounds: maps come and go, teams, winners, a client that shows it all", async () => {
  const { exitCode, stdout, stderr } = await playAsync("rounds", "--context", "server");
  expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: "Playing 2\n" });
  // The client may hear of the last map's end and winner when the script has ended.
  expect(linesOf(stderr, "[client 1]").slice(0, 4)).toEqual([
    "[client 1] map Desert 100 Playing",
    "[client 1] map gone Desert",
    "[client 1] winner true 1 Desert 1 Round 1: 1",
    "[client 1] map Desert 200 Playing",
  ]);
  expect(stderr).not.toContain("Stack Begin");
});

test("a shop: remote functions with tables, tools in the Backpack and their scripts, a client that cheats", async () => {
  const { exitCode, stdout, stderr } = await playAsync("shop", "--context", "server");
  expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: "Sword Torch 20\nnil nil\n" });
  expect(stderr.split("\n")).toEqual([
    "[client 1] starts with 50 Torch",
    "[client 1] coins 20",
    "[client 1] swing Sword Player1 5",
    "[client 1] true Sword Backpack nil 1, 0, 0",
    "[client 1] 2 nil 5",
    "[client 1] again: owned",
    "[client 1] false too expensive 980",
    "[client 1] false itemName must be a string",
    "[client 1] false tables cannot be cyclic",
    "[client 1] has true 1",
    "[client 1] coins 1000000",
    "[client 1] cheats 1000000",
    "",
  ]);
});

test("a leaderboard for three players, one of whom fails: the ranking is the value of the test", async () => {
  const { exitCode, stdout, stderr } = await playAsync("coins");
  expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: "Player3 Player2 Player1 3 3 1\n" });
  const where = `${join(GAMES, "coins", "client", "Collector.client.luau")}:15`;
  expect(stderr.split("\n")).toEqual([
    "[client 1] Players.Player1.PlayerScripts.Collector:15: this player's code is broken",
    `[client 1]   ${where}`,
    '[client 1]   15 |   error("this player\'s code is broken")',
    `[client 1]      |   ${"^".repeat(37)}`,
    "[client 1] Stack Begin",
    `[client 1] Script 'Players.Player1.PlayerScripts.Collector', Line 15 (${where})`,
    "[client 1] Stack End",
    "[server] left Player1 0 true",
    "[server] left Player2 2 true",
    "[server] left Player3 3 true",
    "",
  ]);
});

test("a game of lives: a character dies, appears again with its interface, and in the end no more", async () => {
  const { exitCode, stdout, stderr } = await playAsync("lives", "--context", "server");
  expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: "0 Dead 4\n" });
  expect(linesOf(stderr, "[server]")).toEqual([
    "[server] poisons at 0, 24, 0",
    "[server] Player1 has 2 left",
    "[server] poisons at 0, 24, 0",
    "[server] Player1 has 1 left",
    "[server] poisons at 0, 24, 0",
    "[server] Player1 has 0 left",
  ]);
  expect(linesOf(stderr, "[client 1]")).toEqual(
    ["2", "1", "0"].flatMap((left) => [
      "[client 1] a new heart in PlayerGui",
      "[client 1] died true",
      `[client 1] lives ${left}`,
    ]),
  );
});
