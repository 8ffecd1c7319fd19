import { expect, test } from "bun:test";
import { homedir } from "node:os";
import { join } from "node:path";
import { stateFile, stateFolder } from "../../../src/util/state-folder.ts";

test.each([
  ["linux", {}, "/home/me", "/home/me/.local/state/studio-bridge"],
  ["linux", { XDG_STATE_HOME: "/state/" }, "/home/me", "/state/studio-bridge"],
  ["linux", { XDG_STATE_HOME: "relative" }, "/", "/.local/state/studio-bridge"],
  ["darwin", {}, "/Users/me", "/Users/me/Library/Application Support/studio-bridge"],
  ["win32", {}, "C:\\Users\\me", "C:\\Users\\me\\AppData\\Local\\studio-bridge"],
  ["win32", { LOCALAPPDATA: "D:\\Local\\" }, "C:\\Users\\me", "D:\\Local\\studio-bridge"],
  ["win32", { XDG_STATE_HOME: "D:/state" }, "C:\\Users\\me", "D:\\state\\studio-bridge"],
] as const)("on %s with %o and the home %s, the state folder is %s", (platform, env, home, folder) => {
  expect(stateFolder(env, platform, home)).toBe(folder);
});

test("the home is the one that the system names", () => {
  const relative = stateFolder({}, "linux").slice(homedir().length);
  expect(relative).toBe("/.local/state/studio-bridge");
  expect(stateFile("key", { XDG_STATE_HOME: import.meta.dir })).toBe(
    join(import.meta.dir, "studio-bridge", "key"),
  );
});
