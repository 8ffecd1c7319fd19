/**
 * A file in Studio's folder of local plugins, for `sb build --plugin`. It is replaced only while it is what sb has built there;
 * the state folder keeps the hashes of these files.
 */
import { mkdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { StudioBridgeError } from "../protocol/errors.ts";
import { invalidInput } from "../protocol/messages.ts";
import { nameFault, nameKey } from "../roblox/rojo/names.ts";
import { pluginPath } from "../studio/installed-plugin.ts";
import { locatePluginsFolderAsync } from "../studio/locate-studio.ts";
import { type Machine, thisMachine } from "../studio/machine.ts";
import { gitBlobHash } from "../util/git-blob-hash.ts";
import { parsedJson } from "../util/parsed-json.ts";
import { visibleOnOneLine } from "../util/visible-controls.ts";
import { writeWholeFileAsync } from "../util/whole-file.ts";

const PRIVATE_FOLDER = 0o700;
const PLUGIN_FILE = /\.rbxmx?$/i;

/** The path of a plugin; its folder is there afterwards. Throws INVALID_INPUT for what is no plain name, STUDIO_NOT_FOUND. */
export async function localPluginFileAsync(name: string, machine = thisMachine()): Promise<string> {
  const file = PLUGIN_FILE.test(name) ? name : `${name}.rbxm`;
  const fault = nameFault(file) ?? (file.startsWith(".") ? "begins with a dot" : undefined);
  const shown = `--plugin: ${visibleOnOneLine(name)}`;
  if (fault !== undefined)
    throw invalidInput(`${shown} ${fault}.`, "Name a file without a folder, such as my-plugin.rbxm.");
  const folder = await locatePluginsFolderAsync(machine);
  const path = join(folder, file);
  if (nameKey(path) === nameKey(pluginPath(folder, machine)))
    throw invalidInput(`${shown} is the plugin of studio-bridge itself.`, "Choose another name.");
  return path;
}

/** Throws FILE_ERROR for a file that sb has not built, or that was changed since. */
export async function checkLocalPluginAsync(
  path: string,
  content: Uint8Array,
  machine = thisMachine(),
): Promise<void> {
  const present = await readFile(path).catch((error: unknown) => {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  });
  if (present === undefined || Buffer.compare(present, content) === 0) return;
  const known = (await builtPluginsAsync(machine)).get(path);
  if (known === gitBlobHash(present)) return;
  const shown = visibleOnOneLine(path);
  throw new StudioBridgeError(
    "FILE_ERROR",
    known === undefined
      ? `${shown} is not a file that sb has built, so it stays.`
      : `${shown} was changed after sb had built it, so it stays.`,
    { data: { path }, hint: "Choose another name, or move that file away." },
  );
}

/** Writes the plugin, and notes that sb has built it. */
export async function writeLocalPluginAsync(
  path: string,
  content: Uint8Array,
  machine = thisMachine(),
): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const built = await builtPluginsAsync(machine);
  await writeWholeFileAsync(path, content);
  const all = Object.fromEntries([...built, [path, gitBlobHash(content)]]);
  await mkdir(machine.stateFolder, { recursive: true, mode: PRIVATE_FOLDER });
  await writeWholeFileAsync(notesFile(machine), Buffer.from(JSON.stringify(all)));
}

const notesFile = ({ stateFolder }: Pick<Machine, "stateFolder">): string =>
  join(stateFolder, "built-plugins.json");

async function builtPluginsAsync(machine: Machine): Promise<ReadonlyMap<string, string>> {
  const text = await readFile(notesFile(machine), "utf8").catch(() => "");
  const entries = Object.entries(Object(parsedJson(text)));
  return new Map(entries.flatMap(([path, hash]) => (typeof hash === "string" ? [[path, hash]] : [])));
}
