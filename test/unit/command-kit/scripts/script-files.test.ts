/** Which file a line of the log is about, and what is shown of it. */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { ScriptFiles } from "../../../../src/command-kit/scripts/script-files.ts";
import { utf8ByteString } from "../../../../src/util/bytes.ts";
import { plainStyle } from "../../../../src/util/style.ts";

const script = (file: string, source: string) => ({ file, source: utf8ByteString(source) });
const files = new ScriptFiles(
  new Map([
    ["ReplicatedStorage.Mod", script(join(process.cwd(), "src", "Mod.luau"), "local x\nerror('é')\n")],
    ["StarterPlayer.StarterPlayerScripts.Main", script("/elsewhere/Main.client.luau", "boom()")],
    ["StarterGui.Hud.Status", script("/elsewhere/Status.client.luau", "boom()")],
  ]),
);
const where = join("src", "Mod.luau");

test("an error is followed by its file and an excerpt, a frame of a stack by its file", () => {
  expect(files.noteFor("Error", "ReplicatedStorage.Mod:2: é", plainStyle)).toBe(
    `\n  ${where}:2\n  2 | error('é')\n    | ^^^^^^^^^^`,
  );
  expect(files.noteFor("Info", "Script 'ReplicatedStorage.Mod', Line 1 - function f", plainStyle)).toBe(
    ` (${where}:1)`,
  );
});

test("copies of scripts are found where the project has them", () => {
  expect(files.noteFor("Info", "Script 'Players.Player1.PlayerScripts.Main', Line 1", plainStyle)).toBe(
    " (/elsewhere/Main.client.luau:1)",
  );
  expect(files.excerptFor("Players.Player1.PlayerGui.Hud.Status:1: x", plainStyle)[0]).toBe(
    "  /elsewhere/Status.client.luau:1",
  );
});

test("nothing is added to a line that is about no file of the project", () => {
  expect(files.noteFor("Error", "Workspace.Other:2: x", plainStyle)).toBe("");
  expect(files.noteFor("Print", "ReplicatedStorage.Mod:2: é", plainStyle)).toBe("");
  expect(files.noteFor("Error", "no place at all", plainStyle)).toBe("");
});

test("the frames of a traceback have their files behind them", () => {
  expect(files.withFiles("ReplicatedStorage.Mod:2 function f\nuses.luau:3", plainStyle)).toBe(
    `ReplicatedStorage.Mod:2 function f (${where}:2)\nuses.luau:3`,
  );
});
