/** Whether Studio runs, from what the system's own list says. */
import { expect, test } from "bun:test";
import { isStudioProcessAsync, isStudioRunningAsync } from "../../../src/studio/studio-process.ts";
import { linux, mac, TreeMachine, windows, wsl } from "./tree-machine.ts";

const tasks = '"RobloxStudioBeta.exe","4242","Console","1","512,000 K"\r\n';
const noTasks = "INFO: No tasks are running which match the specified criteria.\r\n";
const macStudio =
  "/sbin/launchd\n/Applications/RobloxStudio.app/Contents/MacOS/RobloxStudio -task EditPlace\n";
const macPlayer = "/sbin/launchd\n/Applications/Roblox.app/Contents/MacOS/RobloxPlayer\n";
const wine = "Z:\\home\\me\\RobloxStudioBeta.exe -ide\n";
const spaced = "C:\\Program Files (x86)\\Roblox\\RobloxStudioBeta.exe\n";
const others =
  'grep -r RobloxStudio .\nsh -c echo "RobloxStudio"\nvi /home/ada/RobloxStudio/a.txt\n/opt/NoRobloxStudio\n';

test.each([
  ["Windows", windows, { tasklist: tasks }, true],
  ["Windows", windows, { tasklist: noTasks }, false],
  ["macOS", mac, { ps: macStudio }, true],
  ["macOS", mac, { ps: macPlayer }, false],
  ["Linux", linux, { ps: wine }, true],
  ["Linux", linux, { ps: spaced }, true],
  ["Linux", linux, { ps: others }, false],
  ["Linux", linux, { ps: "/usr/bin/bash\n" }, false],
  ["WSL", wsl, { ps: "/usr/bin/bash\n", "tasklist.exe": tasks }, true],
  ["WSL", wsl, { ps: "/usr/bin/bash\n", "tasklist.exe": noTasks }, false],
] as const)("on %s with %j: %p", async (_, create, answers, expected) => {
  const machine = create();
  using _machine = machine;
  for (const [program, answer] of Object.entries(answers)) machine.answers.set(program, answer);
  expect(await isStudioRunningAsync(machine)).toBe(expected);
});

test("is no when it cannot be found out", async () => {
  using machine = linux();
  using other = new TreeMachine({ platform: "sunos", home: "/home/ada" });
  expect([await isStudioRunningAsync(machine), await isStudioRunningAsync(other)]).toEqual([false, false]);
});

test("a process counts as Studio only while it is one", async () => {
  using machine = linux();
  machine.answers.set("ps", "/usr/bin/vinegar run --task EditFile\n");
  expect(await isStudioProcessAsync(4242, machine)).toBe(true);
  machine.answers.set("ps", "/usr/bin/editor notes.txt\n");
  expect(await isStudioProcessAsync(4242, machine)).toBe(false);
});
