/** Finds Studio and its plugins folder on this machine. It only looks; what it found is used elsewhere. */
import { isWsl, pathsOf } from "./machine.ts";
import type { Machine } from "./machine.ts";
import { matchingPaths } from "./path-pattern.ts";
import { pluginsFolderNotFound, studioNotFound } from "./studio-errors.ts";
import { programsIn, studioPaths, WINDOWS_EXECUTABLE } from "./studio-paths.ts";
import type { StudioKind, StudioPaths } from "./studio-paths.ts";

/** A folder of Studio, or its program. */
export const STUDIO_VARIABLE = "SB_STUDIO_PATH";
export const PLUGINS_VARIABLE = "SB_PLUGINS_DIR";

const REGISTRY_TIMEOUT_MS = 2_000;

export interface StudioInstall {
  readonly kind: StudioKind;
  /** As this machine writes it, also where Studio is a Windows program. */
  readonly executable: string;
}

/** The newest Studio. Throws STUDIO_NOT_FOUND, which names what was searched. */
export async function locateStudioAsync(machine: Machine): Promise<StudioInstall> {
  const chosen = machine.env[STUDIO_VARIABLE];
  if (chosen !== undefined && chosen !== "") return chosenStudio(chosen, machine);
  const layouts = studioPaths(machine);
  const found = newestStudio(layouts, machine) ?? (await registeredStudioAsync(machine));
  if (found !== undefined) return found;
  throw studioNotFound(layouts.flatMap(({ executables }) => executables));
}

/** The folder, which may not exist yet. Throws STUDIO_NOT_FOUND, which names what was searched. */
export async function locatePluginsFolderAsync(machine: Machine): Promise<string> {
  const chosen = machine.env[PLUGINS_VARIABLE];
  if (chosen !== undefined && chosen !== "") return pathsOf(machine).resolve(chosen);
  const layouts = studioPaths(machine);
  const found = layouts.map((layout) => existingPluginsFolder(layout, machine));
  const studio = await locateStudioAsync(machine).catch(() => undefined);
  const ofStudio = layouts.findIndex(({ kind }) => kind === studio?.kind);
  const best = found[ofStudio] ?? found.find((folder) => folder !== undefined);
  if (best !== undefined) return best;
  const pattern = layouts[ofStudio]?.pluginsFolder;
  // A fresh Studio on Windows and macOS has no such folder yet, so we may make it. Under Wine only Wine may make its
  // folders.
  if (pattern !== undefined && !pattern.includes("*")) return pattern;
  throw pluginsFolderNotFound(layouts.map(({ pluginsFolder }) => pluginsFolder));
}

function chosenStudio(path: string, machine: Machine): StudioInstall {
  const full = pathsOf(machine).resolve(path);
  const kind = machine.files.kind(full);
  const searched = kind === "folder" ? programsIn(full, machine) : [full];
  const executable = newest(
    kind === "folder" ? searched.flatMap((pattern) => matchingPaths(pattern, machine)) : kind ? [full] : [],
    machine,
  );
  if (executable === undefined) throw studioNotFound(searched, STUDIO_VARIABLE);
  return { kind: kindOf(executable, machine), executable };
}

/** A program that its user named is started in the way that its place asks for. */
function kindOf(executable: string, machine: Machine): StudioKind {
  const known = studioPaths(machine).find(({ executables }) =>
    executables.some((pattern) => matchingPaths(pattern, machine).includes(executable)),
  );
  if (known !== undefined) return known.kind;
  if (machine.platform !== "linux" || !executable.toLowerCase().endsWith(".exe")) return "native";
  return isWsl(machine) ? "wsl" : "wine";
}

function newestStudio(layouts: readonly StudioPaths[], machine: Machine): StudioInstall | undefined {
  for (const { kind, executables } of layouts) {
    const executable = newest(
      executables.flatMap((pattern) => matchingPaths(pattern, machine)),
      machine,
    );
    if (executable !== undefined) return { kind, executable };
  }
  return undefined;
}

function newest(paths: readonly string[], { files }: Machine): string | undefined {
  return paths
    .filter((path) => files.kind(path) === "file")
    .toSorted((left, right) => files.modifiedAtMs(right) - files.modifiedAtMs(left))[0];
}

/** UNVERIFIED: Studio's installer stores the content folder, a child of the install folder, under this key, where other tools read it. */
async function registeredStudioAsync(machine: Machine): Promise<StudioInstall | undefined> {
  if (machine.platform !== "win32") return undefined;
  const query = ["reg", "query", "HKCU\\Software\\Roblox\\RobloxStudio", "/v", "ContentFolder"];
  const answer = await machine.runAsync(query, REGISTRY_TIMEOUT_MS).catch(() => "");
  const content = /ContentFolder\s+REG_SZ\s+(.+)/.exec(answer)?.[1]?.trim();
  if (content === undefined) return undefined;
  const { dirname, join } = pathsOf(machine);
  // The noted path may end in a separator, which names the same folder.
  const executable = join(dirname(content.replace(/[\\/]+$/, "")), WINDOWS_EXECUTABLE);
  return machine.files.kind(executable) === "file" ? { kind: "native", executable } : undefined;
}

/** The folder itself, or its place in an existing Roblox folder; the one used last where several users share it. */
function existingPluginsFolder({ pluginsFolder }: StudioPaths, machine: Machine): string | undefined {
  const { dirname, basename, join } = pathsOf(machine);
  const byUse = (paths: readonly string[]) =>
    paths.toSorted((left, right) => machine.files.modifiedAtMs(right) - machine.files.modifiedAtMs(left))[0];
  const existing = byUse(matchingPaths(pluginsFolder, machine));
  if (existing !== undefined) return existing;
  const roblox = byUse(matchingPaths(dirname(pluginsFolder), machine));
  return roblox === undefined ? undefined : join(roblox, basename(pluginsFolder));
}
