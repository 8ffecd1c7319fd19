/** Finding Studio and its plugins folder in folder trees like those of each platform. */
import { describe, expect, test } from "bun:test";
import { StudioBridgeError } from "../../../src/protocol/errors.ts";
import { locatePluginsFolderAsync, locateStudioAsync } from "../../../src/studio/locate-studio.ts";
import type { Machine } from "../../../src/studio/machine.ts";
import { linux, mac, windows, wsl } from "./tree-machine.ts";

const local = "C:\\Users\\Ada\\AppData\\Local\\Roblox";
const flatpak = "/home/ada/.var/app/org.vinegarhq.Vinegar/data/vinegar";
const native = "/home/ada/.local/share/vinegar";
const inPrefix = "prefixes/studio/drive_c/users/steamuser/AppData/Local/Roblox";
const program = (name: string) => `versions/version-${name}/RobloxStudioBeta.exe`;

async function failureAsync(promise: Promise<unknown>): Promise<StudioBridgeError> {
  const error: unknown = await promise.catch((thrown: unknown) => thrown);
  if (error instanceof StudioBridgeError) return error;
  throw new Error(`expected a StudioBridgeError, got ${String(error)}`);
}

describe("on Windows", () => {
  test("the newest version that has the program is chosen", async () => {
    using machine = windows();
    machine.put(`${local}\\Versions\\version-aaa\\RobloxStudioBeta.exe`, 9);
    machine.put(`${local}\\Versions\\version-bbb\\RobloxStudioBeta.exe`, 2);
    machine.put(`${local}\\Versions\\version-ccc\\RobloxPlayerBeta.exe`, 1);
    expect(await locateStudioAsync(machine)).toEqual({
      kind: "native",
      executable: `${local}\\Versions\\version-bbb\\RobloxStudioBeta.exe`,
    });
    expect(await locatePluginsFolderAsync(machine)).toBe(`${local}\\Plugins`);
  });

  test("an installation for all users counts", async () => {
    using machine = windows({ "ProgramFiles(x86)": "D:\\Programs" });
    const executable = "D:\\Programs\\Roblox\\Versions\\version-aaa\\RobloxStudioBeta.exe";
    machine.put(executable);
    expect(await locateStudioAsync(machine)).toEqual({ kind: "native", executable });
    expect(await locatePluginsFolderAsync(machine)).toBe(`${local}\\Plugins`);
  });

  test("the registry tells where else it is", async () => {
    using machine = windows();
    machine.put("E:\\Studio\\RobloxStudioBeta.exe");
    machine.answers.set(
      "reg",
      "\r\nHKEY_CURRENT_USER\\Software\\Roblox\\RobloxStudio\r\n    ContentFolder    REG_SZ    E:\\Studio\\content\\\r\n\r\n",
    );
    expect(await locateStudioAsync(machine)).toEqual({
      kind: "native",
      executable: "E:\\Studio\\RobloxStudioBeta.exe",
    });
  });
});

describe("on macOS", () => {
  test.each(["RobloxStudio", "RobloxStudioBeta"])("the program may be called %s", async (name) => {
    using machine = mac();
    const executable = `/Applications/RobloxStudio.app/Contents/MacOS/${name}`;
    machine.put(executable);
    expect(await locateStudioAsync(machine)).toEqual({ kind: "native", executable });
    expect(await locatePluginsFolderAsync(machine)).toBe("/Users/ada/Documents/Roblox/Plugins");
  });

  test("it may be in the user's own Applications", async () => {
    using machine = mac();
    const executable = "/Users/ada/Applications/RobloxStudio.app/Contents/MacOS/RobloxStudio";
    machine.put(executable);
    expect(await locateStudioAsync(machine)).toEqual({ kind: "native", executable });
  });
});

describe("on Linux", () => {
  test("Vinegar from Flatpak", async () => {
    using machine = linux();
    machine.put(`${flatpak}/${program("aaa")}`, 5);
    machine.put(`${flatpak}/${program("bbb")}`, 4);
    machine.folder(`${flatpak}/${inPrefix}`);
    expect(await locateStudioAsync(machine)).toEqual({
      kind: "vinegar-flatpak",
      executable: `${flatpak}/${program("bbb")}`,
    });
    expect(await locatePluginsFolderAsync(machine)).toBe(`${flatpak}/${inPrefix}/Plugins`);
  });

  test("native Vinegar, where XDG_DATA_HOME says", async () => {
    using machine = linux({ XDG_DATA_HOME: "/data" });
    machine.put(`/data/vinegar/${program("aaa")}`);
    machine.folder(`/data/vinegar/${inPrefix}`);
    expect(await locateStudioAsync(machine)).toEqual({
      kind: "vinegar",
      executable: `/data/vinegar/${program("aaa")}`,
    });
    expect(await locatePluginsFolderAsync(machine)).toBe(`/data/vinegar/${inPrefix}/Plugins`);
  });

  test("Wine, where WINEPREFIX says", async () => {
    using machine = linux({ WINEPREFIX: "/wine" });
    const roblox = "/wine/drive_c/users/ada/AppData/Local/Roblox";
    machine.put(`${roblox}/Versions/version-aaa/RobloxStudioBeta.exe`);
    expect(await locateStudioAsync(machine)).toEqual({
      kind: "wine",
      executable: `${roblox}/Versions/version-aaa/RobloxStudioBeta.exe`,
    });
    expect(await locatePluginsFolderAsync(machine)).toBe(`${roblox}/Plugins`);
  });

  test("the plugins folder is the one of the Studio that was found", async () => {
    using machine = linux();
    machine.folder(`${flatpak}/${inPrefix}/Plugins`);
    machine.put(`${native}/${program("aaa")}`);
    machine.folder(`${native}/${inPrefix}`);
    expect(await locatePluginsFolderAsync(machine)).toBe(`${native}/${inPrefix}/Plugins`);
  });

  test("only Wine makes Wine's folders", async () => {
    using machine = linux();
    machine.put(`${flatpak}/${program("aaa")}`);
    expect((await failureAsync(locatePluginsFolderAsync(machine))).message).toBe(
      "Could not find Roblox Studio plugins folder. Is Studio installed?",
    );
  });
});

describe("in WSL", () => {
  const roblox = "/mnt/c/Users/Ada/AppData/Local/Roblox";

  test("the Windows Studio beside it", async () => {
    using machine = wsl();
    machine.folder("/mnt/c/Users/Public");
    machine.put(`${roblox}/Versions/version-aaa/RobloxStudioBeta.exe`);
    machine.folder(`${roblox}/Plugins`);
    expect(await locateStudioAsync(machine)).toEqual({
      kind: "wsl",
      executable: `${roblox}/Versions/version-aaa/RobloxStudioBeta.exe`,
    });
    expect(await locatePluginsFolderAsync(machine)).toBe(`${roblox}/Plugins`);
  });

  test("of several Windows users, the one who used Studio last", async () => {
    using machine = wsl();
    machine.put("/mnt/c/Users/Bob/AppData/Local/Roblox/Versions/version-b/RobloxStudioBeta.exe", 1);
    machine.put(`${roblox}/Versions/version-a/RobloxStudioBeta.exe`, 8);
    expect((await locateStudioAsync(machine)).executable).toContain("/Bob/");
  });
});

describe("what the user says", () => {
  test("SB_STUDIO_PATH may name a program, an install folder or a bundle", async () => {
    for (const [path, executable] of [
      ["/opt/studio.sh", "/opt/studio.sh"],
      ["/opt/Studio.app", "/opt/Studio.app/Contents/MacOS/RobloxStudio"],
      ["/opt/Roblox", "/opt/Roblox/Versions/version-a/RobloxStudioBeta.exe"],
    ] as const) {
      using machine = mac({ SB_STUDIO_PATH: path });
      machine.put(executable);
      expect(await locateStudioAsync(machine)).toEqual({ kind: "native", executable });
    }
  });

  test("a Windows program on Linux runs under Wine, in WSL as it is", async () => {
    for (const [create, kind] of [
      [linux, "wine"],
      [wsl, "wsl"],
    ] as const) {
      using machine = create({ SB_STUDIO_PATH: "/opt/RobloxStudioBeta.exe" });
      machine.put("/opt/RobloxStudioBeta.exe");
      expect(await locateStudioAsync(machine)).toEqual({ kind, executable: "/opt/RobloxStudioBeta.exe" });
    }
  });

  test("a Studio in a known place is started as that place asks", async () => {
    const executable = `${flatpak}/${program("old")}`;
    using machine = linux({ SB_STUDIO_PATH: executable });
    machine.put(executable, 9);
    machine.put(`${flatpak}/${program("new")}`, 1);
    expect(await locateStudioAsync(machine)).toEqual({ kind: "vinegar-flatpak", executable });
  });

  test("SB_STUDIO_PATH that leads nowhere is an error, whatever else is installed", async () => {
    using machine = mac({ SB_STUDIO_PATH: "/opt/none" });
    machine.put("/Applications/RobloxStudio.app/Contents/MacOS/RobloxStudio");
    const { code, message, hint } = await failureAsync(locateStudioAsync(machine));
    expect({ code, message, hint }).toEqual({
      code: "STUDIO_NOT_FOUND",
      message: "Roblox Studio not found. Is it installed?",
      hint: "SB_STUDIO_PATH names no Studio. Searched:\n  /opt/none",
    });
  });

  test("SB_PLUGINS_DIR is taken as it is", async () => {
    using machine = linux({ SB_PLUGINS_DIR: "/opt/plugins" });
    expect(await locatePluginsFolderAsync(machine)).toBe("/opt/plugins");
  });
});

test.each<[string, () => Machine & Disposable, string[]]>([
  [
    "macOS",
    mac,
    [
      "/Applications/RobloxStudio.app/Contents/MacOS/RobloxStudio",
      "/Applications/RobloxStudio.app/Contents/MacOS/RobloxStudioBeta",
      "/Users/ada/Applications/RobloxStudio.app/Contents/MacOS/RobloxStudio",
      "/Users/ada/Applications/RobloxStudio.app/Contents/MacOS/RobloxStudioBeta",
    ],
  ],
  [
    "Linux",
    linux,
    [
      `${flatpak}/versions/version-*/RobloxStudioBeta.exe`,
      `${native}/versions/version-*/RobloxStudioBeta.exe`,
      "/home/ada/.wine/drive_c/users/*/AppData/Local/Roblox/Versions/version-*/RobloxStudioBeta.exe",
    ],
  ],
])("without Studio on %s the error names every place that was searched", async (_, create, searched) => {
  const machine = create();
  using _machine = machine;
  const { code, message, hint, data } = await failureAsync(locateStudioAsync(machine));
  expect({ code, message, data }).toEqual({
    code: "STUDIO_NOT_FOUND",
    message: "Roblox Studio not found. Is it installed?",
    data: { searched },
  });
  for (const path of searched) expect(hint).toContain(path);
});
