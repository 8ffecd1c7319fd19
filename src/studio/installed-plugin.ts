/** The plugin's file in Studio's plugins folder: what is in it, put there, taken away. Its caller chose the folder. */
import { cannotWrite } from "./studio-errors.ts";
import { pathsOf } from "./machine.ts";
import type { Machine } from "./machine.ts";
import { packPlugin, unpackPlugin } from "./plugin-package.ts";
import { withPairing } from "./plugin-tree.ts";
import type { Pairing, PluginNode } from "./plugin-tree.ts";
import { StudioBridgeError } from "../protocol/errors.ts";

const FILE_NAME = "StudioBridgePlugin.rbxm";

/** What a file of the plugin's name turned out to be. `foreign`: not made by studio-bridge. */
export type InstalledPlugin =
  | { readonly kind: "none" }
  | { readonly kind: "foreign" }
  | {
      readonly kind: "ours";
      readonly version: string;
      readonly buildId: string;
      /** Empty for a copy that was never paired. */
      readonly keyId: string;
      readonly port: number | undefined;
    };

export interface PluginInstallation {
  readonly outcome: "installed" | "updated" | "unchanged";
  readonly path: string;
  /** Where a stranger's file of the plugin's name went. */
  readonly backup: string | undefined;
  /** The plugins folder was not there and was made. */
  readonly isFolderNew: boolean;
}

export function pluginPath(folder: string, machine: Machine): string {
  return pathsOf(machine).join(folder, FILE_NAME);
}

/** Throws FILE_ERROR when the file is there and cannot be read. */
export function readInstalledPlugin(folder: string, machine: Machine): InstalledPlugin {
  const path = pluginPath(folder, machine);
  const content = readFile(path, machine);
  return content === undefined ? { kind: "none" } : describePlugin(content);
}

/** Writes the paired plugin unless the very same is there. Throws FILE_ERROR. */
export function installPlugin(
  tree: PluginNode,
  pairing: Pairing,
  { folder, machine, force }: { readonly folder: string; readonly machine: Machine; readonly force: boolean },
): PluginInstallation {
  const { files } = machine;
  const path = pluginPath(folder, machine);
  const wanted = packPlugin(withPairing(tree, pairing));
  const present = readFile(path, machine);
  const isSame = present !== undefined && Buffer.from(present).equals(wanted);
  if (isSame && !force) return { outcome: "unchanged", path, backup: undefined, isFolderNew: false };
  const isForeign = present !== undefined && describePlugin(present).kind === "foreign";
  const isFolderNew = files.kind(folder) === undefined;
  try {
    files.makeFolder(folder);
    const backup = isForeign ? setAside(path, machine) : undefined;
    files.writePrivate(path, wanted);
    const outcome = present === undefined || isForeign ? "installed" : "updated";
    return { outcome, path, backup, isFolderNew };
  } catch (error) {
    throw cannotWrite(path, error);
  }
}

/** Removes our file and no other; false when there was none. Throws FILE_ERROR, also for a stranger's file. */
export function uninstallPlugin(folder: string, machine: Machine): boolean {
  const path = pluginPath(folder, machine);
  const { kind } = readInstalledPlugin(folder, machine);
  if (kind === "none") return false;
  if (kind === "foreign")
    throw new StudioBridgeError("FILE_ERROR", `${path} is not studio-bridge's plugin, so it stays.`, {
      hint: "Delete it yourself if you don't need it.",
      data: { path },
    });
  try {
    machine.files.remove(path);
    return true;
  } catch (error) {
    throw cannotWrite(path, error);
  }
}

function readFile(path: string, { files }: Machine): Uint8Array | undefined {
  try {
    return files.read(path);
  } catch (error) {
    throw cannotWrite(path, error);
  }
}

function describePlugin(content: Uint8Array): InstalledPlugin {
  const tree = unpacked(content);
  const build = tree && moduleSource(tree, "Build");
  const pairing = tree && moduleSource(tree, "Pairing");
  if (tree?.name !== "StudioBridge" || build === undefined || pairing === undefined)
    return { kind: "foreign" };
  const port = /\bport = (\d+)/.exec(pairing)?.[1];
  return {
    kind: "ours",
    version: /\bversion = "([^"]*)"/.exec(build)?.[1] ?? "",
    buildId: /\bid = "([^"]*)"/.exec(build)?.[1] ?? "",
    keyId: /\bkeyId = "([0-9a-f]{16})"/.exec(pairing)?.[1] ?? "",
    port: port === undefined ? undefined : Number(port),
  };
}

/** Undefined for a file that is not a packed plugin of ours. */
function unpacked(content: Uint8Array): PluginNode | undefined {
  try {
    return unpackPlugin(content);
  } catch {
    return undefined;
  }
}

function moduleSource({ children }: PluginNode, name: string): string | undefined {
  return children.find((child) => child.className === "ModuleScript" && child.name === name)?.source;
}

/** Studio does not load a file with this ending. */
function setAside(path: string, { files }: Machine): string {
  let backup = `${path}.bak`;
  for (let count = 2; files.kind(backup) !== undefined; count += 1) backup = `${path}.bak${count}`;
  files.rename(path, backup);
  return backup;
}
