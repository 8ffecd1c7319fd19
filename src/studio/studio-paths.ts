/**
 * Where Studio and its plugins live, per platform, as path patterns in which `*` stands for one unknown part of a name.
 * Pure knowledge, from Roblox's page on Studio's command line and from other tools: nothing here looks at a disk.
 */
import { isWsl, pathsOf } from "./machine.ts";
import type { Machine } from "./machine.ts";

/** How Studio is started there. */
export type StudioKind = "native" | "wine" | "vinegar" | "vinegar-flatpak" | "wsl";

export interface StudioPaths {
  readonly kind: StudioKind;
  readonly executables: readonly string[];
  readonly pluginsFolder: string;
}

/** The program on Windows, in Wine and in WSL. */
export const WINDOWS_EXECUTABLE = "RobloxStudioBeta.exe";
const WINDOWS_PROGRAM = ["Versions", "version-*", WINDOWS_EXECUTABLE] as const;
const MAC_PROGRAMS = ["RobloxStudio", "RobloxStudioBeta"] as const;

/** In the order in which they are preferred. */
export function studioPaths(machine: Machine): StudioPaths[] {
  if (machine.platform === "win32") return [windowsPaths(machine)];
  if (machine.platform === "darwin") return [macPaths(machine)];
  return isWsl(machine) ? [...wslPaths(), ...linuxPaths(machine)] : linuxPaths(machine);
}

/** The program inside an install folder or a macOS bundle that its user names. */
export function programsIn(folder: string, machine: Machine): string[] {
  const { join } = pathsOf(machine);
  return [
    join(folder, WINDOWS_EXECUTABLE),
    join(folder, ...WINDOWS_PROGRAM),
    ...MAC_PROGRAMS.map((name) => join(folder, "Contents", "MacOS", name)),
  ];
}

function windowsPaths(machine: Machine): StudioPaths {
  const { join } = pathsOf(machine);
  const local = machine.env["LOCALAPPDATA"] ?? join(machine.home, "AppData", "Local");
  const shared = machine.env["ProgramFiles(x86)"] ?? "C:\\Program Files (x86)";
  return {
    kind: "native",
    executables: [local, shared].map((folder) => join(folder, "Roblox", ...WINDOWS_PROGRAM)),
    pluginsFolder: join(local, "Roblox", "Plugins"),
  };
}

function macPaths(machine: Machine): StudioPaths {
  const { join } = pathsOf(machine);
  const folders = ["/Applications", join(machine.home, "Applications")];
  return {
    kind: "native",
    executables: folders.flatMap((folder) =>
      MAC_PROGRAMS.map((name) => join(folder, "RobloxStudio.app", "Contents", "MacOS", name)),
    ),
    pluginsFolder: join(machine.home, "Documents", "Roblox", "Plugins"),
  };
}

/**
 * UNVERIFIED: a Studio on Windows reaches a host inside of WSL at 127.0.0.1, because WSL forwards it by default. If it does not,
 * use sb.exe on Windows without WSL.
 */
function wslPaths(): StudioPaths[] {
  const roblox = "/mnt/c/Users/*/AppData/Local/Roblox";
  const executables = [`${roblox}/${WINDOWS_PROGRAM.join("/")}`];
  return [{ kind: "wsl", executables, pluginsFolder: `${roblox}/Plugins` }];
}

function linuxPaths(machine: Machine): StudioPaths[] {
  const { env, home } = machine;
  const { join } = pathsOf(machine);
  const dataHome = env["XDG_DATA_HOME"] ?? join(home, ".local", "share");
  const flatpakData = join(home, ".var", "app", "org.vinegarhq.Vinegar", "data");
  const wine = robloxFolder(machine, env["WINEPREFIX"] ?? join(home, ".wine"));
  return [
    vinegarPaths(machine, "vinegar-flatpak", join(flatpakData, "vinegar")),
    vinegarPaths(machine, "vinegar", join(dataHome, "vinegar")),
    {
      kind: "wine",
      executables: [join(wine, ...WINDOWS_PROGRAM)],
      pluginsFolder: join(wine, "Plugins"),
    },
  ];
}

/** UNVERIFIED: Vinegar has these folders, as its issues 617 and 853 say. SB_STUDIO_PATH and SB_PLUGINS_DIR can name others. */
function vinegarPaths(machine: Machine, kind: StudioKind, data: string): StudioPaths {
  const { join } = pathsOf(machine);
  return {
    kind,
    executables: [join(data, "versions", "version-*", WINDOWS_EXECUTABLE)],
    pluginsFolder: join(robloxFolder(machine, join(data, "prefixes", "studio")), "Plugins"),
  };
}

function robloxFolder(machine: Machine, winePrefix: string): string {
  return pathsOf(machine).join(winePrefix, "drive_c", "users", "*", "AppData", "Local", "Roblox");
}
