/** Starting Studio: the words for each platform, the place that is opened, and what is cleaned up afterwards. */
import { describe, expect, test } from "bun:test";
import {
  adoptLaunchAsync,
  isLaunchAliveAsync,
  noteOf,
  pendingLaunchesAsync,
  readLaunchNotes,
  withLaunchFacts,
  writeLaunchNote,
} from "../../../src/studio/launch-notes.ts";
import type { StudioKind } from "../../../src/studio/studio-paths.ts";
import { startStudioAsync } from "../../../src/studio/start-studio.ts";
import { studioCommandAsync } from "../../../src/studio/studio-command.ts";
import { sessionInfo } from "../command-kit/sessions/sessions-fixture.ts";
import { linux, mac, windows, wsl } from "./tree-machine.ts";
import type { TreeMachine } from "./tree-machine.ts";

const place = "/home/ada/My Game.rbxl";
const open = (path: string) => ["--task", "EditFile", "--localPlaceFile", path];
const wineExe =
  "/home/ada/.wine/drive_c/users/ada/AppData/Local/Roblox/Versions/version-a/RobloxStudioBeta.exe";

describe("the command", () => {
  test.each<[StudioKind, string, string[], Record<string, string>]>([
    ["native", "/opt/RobloxStudio", ["/opt/RobloxStudio", ...open(place)], {}],
    ["wsl", "/mnt/c/Studio.exe", ["/mnt/c/Studio.exe", ...open("\\\\wsl$\\My Game.rbxl")], {}],
    [
      "wine",
      wineExe,
      ["wine", wineExe, ...open("Z:\\home\\ada\\My Game.rbxl")],
      { WINEPREFIX: "/home/ada/.wine" },
    ],
    ["vinegar", "/x.exe", ["vinegar", "run", ...open("Z:\\home\\ada\\My Game.rbxl")], {}],
    [
      "vinegar-flatpak",
      "/x.exe",
      [
        "flatpak",
        "run",
        "--filesystem=/home/ada",
        "--command=vinegar",
        "org.vinegarhq.Vinegar",
        "run",
        ...open("Z:\\home\\ada\\My Game.rbxl"),
      ],
      {},
    ],
  ])("for %s", async (kind, executable, command, env) => {
    using machine = linux();
    machine.answers.set("wslpath", "\\\\wsl$\\My Game.rbxl\n");
    expect(await studioCommandAsync({ kind, executable }, place, machine)).toEqual({ command, env });
  });
});

const studio = { kind: "native", executable: "/opt/RobloxStudio" } as const;
const empty = { place: undefined, inPlace: false, isAwaited: true, patienceMs: 30_000 } as const;
const unawaited = { ...empty, isAwaited: false } as const;
const openedFile = (machine: TreeMachine) => machine.started.at(-1)?.command.at(-1) ?? "";

describe("the place", () => {
  test("is opened as a copy of the same name", async () => {
    using machine = mac();
    machine.put(place, 0, "content");
    const { note } = await startStudioAsync(studio, { ...empty, place }, machine);
    const copy = `/Users/ada/state/places/${note.launchId}/My Game.rbxl`;
    expect(openedFile(machine)).toBe(copy);
    expect(new TextDecoder().decode(machine.files.read(copy))).toBe("content");
    expect(readLaunchNotes(machine)).toEqual([note]);
    expect(note).toMatchObject({ kind: "managed", pid: 4242, placeFile: copy });
  });

  test("is an empty one where none is named", async () => {
    using machine = mac();
    await startStudioAsync(studio, empty, machine);
    expect(openedFile(machine)).toEndWith("/Empty.rbxlx");
    expect(new TextDecoder().decode(machine.files.read(openedFile(machine)))).toStartWith("<roblox ");
  });

  test("is the file itself where that is asked for", async () => {
    using machine = mac();
    machine.put(place);
    await startStudioAsync(studio, { ...empty, place, inPlace: true }, machine);
    expect(openedFile(machine)).toBe(place);
    expect(machine.files.names("/Users/ada/state/places")).toEqual([]);
  });

  test("is copied to Windows for a Studio beside WSL", async () => {
    using machine = wsl();
    machine.put(place);
    machine.answers.set("wslpath", "C:\\place\n").set("ps", "").set("tasklist.exe", "");
    const executable = "/mnt/c/Users/Ada/AppData/Local/Roblox/Versions/version-a/RobloxStudioBeta.exe";
    const { note } = await startStudioAsync({ kind: "wsl", executable }, { ...empty, place }, machine);
    expect(note.placeFile).toBe(
      `/mnt/c/Users/Ada/AppData/Local/Temp/studio-bridge/${note.launchId}/My Game.rbxl`,
    );
  });

  test("that a running Studio has locked is refused, a stale lock is taken away", async () => {
    using machine = mac();
    machine.put(place);
    machine.put(`${place}.lock`);
    machine.answers.set("ps", "/Applications/RobloxStudio.app/Contents/MacOS/RobloxStudio\n");
    const start = () => startStudioAsync(studio, { ...empty, place, inPlace: true }, machine);
    await expect(start()).rejects.toThrow(`${place} seems to be open in a Studio already.`);
    expect(machine.started).toEqual([]);
    machine.answers.set("ps", "/sbin/launchd\n");
    await start();
    expect(machine.files.kind(`${place}.lock`)).toBeUndefined();
  });
});

describe("afterwards", () => {
  test("a start that fails leaves nothing", async () => {
    using machine = windows();
    machine.start = () => {
      throw Object.assign(new Error("spawn"), { code: "EACCES" });
    };
    const start = startStudioAsync(studio, empty, machine);
    await expect(start).rejects.toThrow("Studio could not be started: permission denied.");
    expect(readLaunchNotes(machine)).toEqual([]);
    expect(machine.files.names("C:\\Users\\Ada\\state\\places")).toEqual([]);
  });

  test("a Studio that ends with a failure is told", async () => {
    using machine = mac();
    machine.exited = Promise.resolve(3);
    const { failed } = await startStudioAsync(studio, empty, machine);
    await expect(failed).rejects.toThrow("Studio ended with exit code 3 before its plugin connected.");
  });

  test("the next start cleans up after those that have ended, and after no other", async () => {
    using machine = mac();
    const ended = await startStudioAsync(studio, empty, machine);
    machine.answers.set("ps", "/bin/zsh\n");
    const next = await startStudioAsync(studio, empty, machine);
    expect(machine.files.names("/Users/ada/state/places")).toEqual([next.note.launchId]);
    expect(readLaunchNotes(machine)).not.toContainEqual(ended.note);
    machine.answers.set("ps", "/Applications/RobloxStudio.app/Contents/MacOS/RobloxStudio\n");
    const third = await startStudioAsync(studio, empty, machine);
    expect(
      readLaunchNotes(machine)
        .map(({ launchId }) => launchId)
        .toSorted(),
    ).toEqual([next.note.launchId, third.note.launchId].toSorted());
  });

  test.each([
    ["/usr/local/bin/sb headless game.rbxl\n", true],
    ["/opt/chrome --headless --disable-gpu\n", false],
    ["", false],
  ])("a headless Studio whose process is %j is alive: %j", async (commandLine, isAlive) => {
    using machine = linux();
    machine.answers.set("ps", commandLine);
    const { note } = await startStudioAsync(studio, empty, machine);
    expect(await isLaunchAliveAsync({ ...note, kind: "headless" }, machine)).toBe(isAlive);
  });

  test("a note that names a folder of another program removes nothing", async () => {
    using machine = mac();
    machine.put("/Users/ada/Documents/thesis.txt");
    const { note } = await startStudioAsync(studio, empty, machine);
    writeLaunchNote({ ...note, copyFolder: "/Users/ada/Documents" }, machine);
    machine.answers.set("ps", "/bin/zsh\n");
    await startStudioAsync(studio, empty, machine);
    expect(machine.files.kind("/Users/ada/Documents/thesis.txt")).toBe("file");
  });

  test("a session is known by its launch id or by its window", async () => {
    using machine = mac();
    const { note } = await startStudioAsync(studio, empty, machine);
    const notes = [{ ...note, instanceId: "window-1" }];
    const mine = sessionInfo({ instanceId: "window-1" });
    const { launchId } = note;
    expect(withLaunchFacts(mine, notes)).toEqual({ ...mine, origin: "managed", launchId });
    const other = sessionInfo({ instanceId: "window-2" });
    expect(withLaunchFacts(other, notes)).toEqual(other);
  });
});

describe("a Studio whose launcher did not wait", () => {
  const running = "/Applications/RobloxStudio.app/Contents/MacOS/RobloxStudio\n";
  const window = (instanceId: string, connectedAt: string) => sessionInfo({ instanceId, connectedAt });
  const before = window("before", "2001-01-01T00:00:00.000Z");
  const after = window("after", new Date(Date.now() + 60_000).toISOString());

  test("is known by the one window that came after it", async () => {
    using machine = mac();
    machine.answers.set("ps", running);
    const { note } = await startStudioAsync(studio, unawaited, machine);
    expect(await pendingLaunchesAsync(machine)).toEqual([note]);
    await adoptLaunchAsync([before, after], machine);
    expect(await pendingLaunchesAsync(machine)).toEqual([]);
    const notes = readLaunchNotes(machine);
    expect([noteOf(after, notes)?.launchId, noteOf(before, notes)]).toEqual([note.launchId, undefined]);
  });

  test("is not guessed at where there is a doubt", async () => {
    using machine = mac();
    machine.answers.set("ps", running);
    await startStudioAsync(studio, unawaited, machine);
    await adoptLaunchAsync([before], machine);
    await adoptLaunchAsync([after, { ...after, instanceId: "another" }], machine);
    expect(await pendingLaunchesAsync(machine)).toHaveLength(1);
    await startStudioAsync(studio, unawaited, machine);
    await adoptLaunchAsync([after], machine);
    expect(await pendingLaunchesAsync(machine)).toHaveLength(2);
  });

  test("is not guessed at by others while its launcher waits, or after it gave up", async () => {
    using machine = mac();
    machine.answers.set("ps", running);
    await startStudioAsync(studio, empty, machine);
    await adoptLaunchAsync([after], machine);
    expect(await pendingLaunchesAsync(machine)).toHaveLength(1);
  });

  test("is forgotten once it has ended", async () => {
    using machine = mac();
    machine.answers.set("ps", running);
    await startStudioAsync(studio, unawaited, machine);
    machine.answers.set("ps", "/bin/zsh\n");
    expect(await pendingLaunchesAsync(machine)).toEqual([]);
  });
});
