/** The command that updates an sb fits how it was installed. */
import { expect, test } from "bun:test";
import { installationOf } from "../../../src/doctor/installation.ts";

const HOME = "https://example.invalid/studio-bridge";

test.each([
  [
    "/home/u/project/node_modules/@studio-bridge/linux-x64/sb",
    "linux",
    "npm install studio-bridge@latest, where it was installed",
  ],
  [
    "/home/u/p/node_modules/.bun/@studio-bridge+linux-x64@1.0.0/node_modules/@studio-bridge/linux-x64/sb",
    "linux",
    "npm install studio-bridge@latest, where it was installed",
  ],
  ["/opt/homebrew/Cellar/studio-bridge/1.0.0/bin/sb", "darwin", "brew upgrade studio-bridge"],
  ["C:\\Users\\u\\scoop\\apps\\studio-bridge\\1.0.0\\sb.exe", "win32", "scoop update studio-bridge"],
  ["/home/u/.rokit/tool-storage/o/studio-bridge/1.0.0/sb", "linux", "rokit update sb"],
  ["/home/u/.local/share/mise/installs/github-o-studio-bridge/1.0.0/sb", "linux", "mise upgrade"],
  ["/home/u/studio-bridge/dist/sb", "linux", "npm run build, after git pull"],
  ["/home/u/studio-bridge/dist/windows-x86_64/sb.exe", "win32", "npm run build, after git pull"],
  ["/home/u/.local/bin/sb", "linux", `curl -fsSL ${HOME}/releases/latest/download/install.sh | sh`],
  [
    "C:\\Users\\u\\AppData\\Local\\Programs\\studio-bridge\\sb.exe",
    "win32",
    `irm ${HOME}/releases/latest/download/install.ps1 | iex`,
  ],
] as const)("%s", (path, platform, update) => {
  expect(installationOf(path, platform, HOME).update).toBe(update);
});

test("while the project has no home, no address is made up", () => {
  expect(installationOf("/home/u/.local/bin/sb", "linux", "").update).toBe(
    "install.sh --from-source, in a checkout of the project",
  );
});
