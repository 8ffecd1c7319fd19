/** Rojo projects of a test: written to a folder, read by the product, and shown as lines. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { openClassData } from "../../../../src/roblox/class-data.ts";
import { type FileValue, type Model, NO_PARENT } from "../../../../src/roblox/model.ts";
import type { RojoNode } from "../../../../src/roblox/rojo/node.ts";
import {
  readRojoProjectAsync,
  readRojoTreeAsync,
  type RojoTree,
} from "../../../../src/roblox/rojo/project.ts";
import { FileSchema } from "../../../../src/roblox/schema.ts";
import { assets } from "../../../headless/run-spec.ts";

export const schema = new FileSchema(openClassData(assets.classData()));

/** Content by path. Objects are written as JSON; a path that ends in `/` is a folder. */
export type Files = Readonly<Record<string, unknown>>;

export async function writeFilesAsync(folder: string, files: Files): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name);
    await mkdir(name.endsWith("/") ? path : dirname(path), { recursive: true });
    const isRaw = typeof content === "string" || content instanceof Uint8Array;
    if (!name.endsWith("/")) await writeFile(path, isRaw ? content : JSON.stringify(content));
  }
}

export async function readFilesAsync(files: Files, project = "default.project.json") {
  const folder = await mkdtemp(join(tmpdir(), "sb-rojo-"));
  try {
    await writeFilesAsync(folder, files);
    return await readRojoProjectAsync(join(folder, project), schema);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Reads the project of `files` in a fresh folder, and hands it over while that folder exists. */
export async function withTreeAsync<Result>(
  files: Files,
  use: (tree: RojoTree, folder: string) => Result | Promise<Result>,
  project = "default.project.json",
): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), "sb-rojo-"));
  try {
    await writeFilesAsync(folder, files);
    return await use(await readRojoTreeAsync(join(folder, project), schema), folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The node at a path of names below the root. */
export function nodeAt(root: RojoNode, ...names: string[]): RojoNode {
  return names.reduce((node, name) => {
    const child = node.children.find((candidate) => candidate.name === name);
    if (child === undefined) throw new Error(`no ${name} in ${node.name}`);
    return child;
  }, root);
}

/** The tree as lines: path, class, and properties other than Name. */
export async function linesAsync(files: Files, project?: string): Promise<string[]> {
  return linesOf((await readFilesAsync(files, project)).model);
}

function linesOf(model: Model): string[] {
  const facts = new Map<number, { name: string; className: string; rest: string }>();
  for (const { className, members, columns } of model.classes) {
    for (const [row, id] of members.entries()) {
      const entries = [...columns].flatMap(([property, { values, rows }]) => {
        const value = values[(rows[row] ?? 0) - 1];
        return value === undefined ? [] : [[property, value] as const];
      });
      const name = entries.find(([property]) => property === "Name")?.[1].value;
      const rest = entries
        .filter(([property]) => property !== "Name")
        .map(([property, value]) => ` ${property}=${show(value)}`);
      facts.set(id, { name: String(name), className, rest: rest.join("") });
    }
  }
  const pathOf = (id: number): string =>
    id === NO_PARENT ? "" : `${pathOf(model.parents[id] ?? NO_PARENT)}/${facts.get(id)?.name}`;
  return model.parents.map((_, id) => `${pathOf(id)} ${facts.get(id)?.className}${facts.get(id)?.rest}`);
}

const show = ({ type, value }: FileValue): string =>
  `${type} ${typeof value === "bigint" ? value : JSON.stringify(value)}`;

export const library = (files: Files, project: Files = {}): Files => ({
  ...files,
  "default.project.json": { name: "Lib", tree: { $path: "src" }, ...project },
});
