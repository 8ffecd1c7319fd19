/** Whether Studio runs, from what the system's own list says. */
import { expect, test } from "bun:test";
import { isStudioRunningAsync } from "../../../src/studio/studio-process.ts";

const windows = '"RobloxStudioBeta.exe","4242","Console","1","512,000 K"\r\n';
const windowsNone = "INFO: No tasks are running which match the specified criteria.\r\n";
const mac = "/sbin/launchd\n/Applications/RobloxStudio.app/Contents/MacOS/RobloxStudio -task EditPlace\n";
const macNone = "/sbin/launchd\n/Applications/Roblox.app/Contents/MacOS/RobloxPlayer\n";
const wine = "Z:\\home\\me\\RobloxStudioBeta.exe -ide\n";

test.each([
  ["win32", windows, true],
  ["win32", windowsNone, false],
  ["darwin", mac, true],
  ["darwin", macNone, false],
  ["linux", wine, true],
  ["linux", "/usr/bin/bash\n", false],
] as const)("on %s %j: %p", async (platform, listing, expected) => {
  expect(await isStudioRunningAsync(async () => listing, platform)).toBe(expected);
});

test("is no when it cannot be found out", async () => {
  const fails = () => Promise.reject(new Error("no such program"));
  expect(await isStudioRunningAsync(fails, "linux")).toBe(false);
  expect(await isStudioRunningAsync(async () => mac, "sunos")).toBe(false);
});
