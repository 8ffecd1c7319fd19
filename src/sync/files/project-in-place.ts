/**
 * A library's project as a part of a place, for `sb sync --into PATH`: it is read as if a place project, which is in no file, had
 * mounted it at that path.
 */
import { basename, dirname, join } from "node:path";
import { invalidInput } from "../../protocol/messages.ts";
import { type ProjectDisk, readDiskTextAsync, realDisk } from "../../roblox/rojo/disk.ts";
import type { FileSchema } from "../../roblox/schema.ts";
import { parseJsonc, valueOf } from "../../util/jsonc.ts";
import { visibleOnOneLine } from "../../util/visible-controls.ts";

export interface PlacedProject {
  /** Of the place project. Its name tells people where a rule comes from. */
  readonly file: string;
  readonly disk: ProjectDisk;
}

const PREFIX = "--into ";

/** Whether the project is the one that no file has. */
export const isPlaced = (projectFile: string): boolean => basename(projectFile).startsWith(PREFIX);

/** Throws INVALID_INPUT for a path that leads to no child of a service, and for a project that is a place itself. */
export async function placedProjectAsync(
  projectFile: string,
  into: string,
  schema: FileSchema,
): Promise<PlacedProject> {
  const [service = "", ...names] = namesIn(into, schema);
  const rules = await syncbackRulesAsync(projectFile, [service, ...names].join("/"));
  const library: object = { $path: basename(projectFile) };
  const mounted = names.reduceRight(
    (below, name, depth) => ({
      [name]: depth === names.length - 1 ? below : { $className: "Folder", ...below },
    }),
    library,
  );
  const tree = { $className: "DataModel", [service]: mounted };
  const file = join(dirname(projectFile), `${PREFIX}${[service, ...names].join(".")}`);
  return { file, disk: withFile(file, JSON.stringify({ name: "place", tree, ...rules })) };
}

function namesIn(into: string, schema: FileSchema): readonly string[] {
  const names = into.replace(/^game\./, "").split(".");
  const [service = ""] = names;
  if (names.length > 1 && names.every((name) => name !== "") && schema.isService(service)) return names;
  throw invalidInput(
    `--into ${visibleOnOneLine(into)}: expected a service and the names below it.`,
    "For example: --into ReplicatedStorage.MyLibrary, which the library becomes.",
  );
}

/** Those of the library, whose trees begin at its root. */
async function syncbackRulesAsync(projectFile: string, above: string): Promise<object> {
  const project = await projectAsync(projectFile);
  if (Object(project["tree"])["$className"] === "DataModel")
    throw invalidInput(
      `${basename(projectFile)} is a place, which goes into no other one.`,
      "Leave --into out, or name the project of a library.",
    );
  const rules = Object(project["syncbackRules"]);
  const { ignoreTrees } = rules;
  if (project["syncbackRules"] === undefined) return {};
  const trees = Array.isArray(ignoreTrees)
    ? ignoreTrees.map((each) => `${above}/${String(each)}`)
    : ignoreTrees;
  return { syncbackRules: { ...rules, ...(trees === undefined ? {} : { ignoreTrees: trees }) } };
}

/** What is wrong with the file is told by the reader of the whole project. */
async function projectAsync(projectFile: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    const root = parseJsonc(await readDiskTextAsync(realDisk, projectFile));
    return Object(root === undefined ? undefined : valueOf(root));
  } catch {
    return {};
  }
}

/** The real disk with one file more. */
const withFile = (file: string, text: string): ProjectDisk => ({
  ...realDisk,
  kindAsync: async (path) => (path === file ? "file" : realDisk.kindAsync(path)),
  readAsync: async (path) => (path === file ? Buffer.from(text) : realDisk.readAsync(path)),
  realPathAsync: async (path) => (path === file ? path : realDisk.realPathAsync(path)),
});
