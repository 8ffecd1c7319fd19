/** What a project of roblox-ts says of itself: where its sources are, and what its compiler writes. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { compilerFoldersOf } from "../source-maps/compiler-folders.ts";
import { pathInside, staysInside } from "../util/path-inside.ts";

export interface TypeScriptFacts {
  /** The folder of the sources, and the one that the compiler empties and fills; relative, with slashes. */
  readonly source: string;
  readonly output: string;
  /** Frameworks among the packages of the project, whether they are installed or not. */
  readonly frameworks: readonly ("jest" | "testez")[];
  /** Tests among the sources, relative to the project's folder. */
  readonly testFiles: readonly string[];
}

/** The runtime library, which the compiler writes too. */
const RUNTIME = "include";

const PACKAGES = [
  ["jest", "@rbxts/jest"],
  ["jest", "@rbxts/jest-globals"],
  ["testez", "@rbxts/testez"],
] as const;

/** Undefined for a project without roblox-ts. */
export async function typeScriptFactsAsync(folder: string): Promise<TypeScriptFacts | undefined> {
  const packages = await readFile(join(folder, "package.json"), "utf8").catch(() => "");
  const has = (name: string): boolean => new RegExp(`"${name}"\\s*:`).test(packages);
  if (!has("roblox-ts") && !has("@rbxts/compiler-types")) return undefined;
  const { rootDirs, outDir } = compilerFoldersOf(folder);
  const source = folderIn(folder, rootDirs[0]) ?? "src";
  return {
    source,
    output: folderIn(folder, outDir) ?? "out",
    frameworks: [...new Set(PACKAGES.flatMap(([framework, name]) => (has(name) ? [framework] : [])))],
    testFiles: testFilesBelow(folder, source),
  };
}

/** Whether the compiler or the package manager writes what is in the folder. */
export const isOfCompiler = (folder: string, { output }: TypeScriptFacts): boolean =>
  [output, RUNTIME, "node_modules"].some((own) => isIn(folder, own));

export const isSource = (folder: string, { source }: TypeScriptFacts): boolean => isIn(folder, source);

const isIn = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`);

/** The file that the compiler makes of a source. */
export const compiledFrom = (path: string, { source, output }: TypeScriptFacts): string =>
  `${output}${path.slice(source.length)}`.replace(/\.tsx?$/, ".luau");

/** The folder of the sources whose compiled files are in this folder; undefined for another folder. */
export const sourceOf = (folder: string, { source, output }: TypeScriptFacts): string | undefined =>
  isIn(folder, output) ? `${source}${folder.slice(output.length)}` : undefined;

/** Undefined for what is no folder below the project. */
function folderIn(project: string, folder: string | undefined): string | undefined {
  const path = folder === undefined ? "" : pathInside(project, folder);
  return path !== "" && staysInside(path) ? path : undefined;
}

function testFilesBelow(folder: string, source: string): string[] {
  try {
    const found = new Bun.Glob("**/*.{spec,test}.{ts,tsx}").scanSync({ cwd: join(folder, source) });
    return [...found].map((path) => `${source}/${path.replaceAll("\\", "/")}`).sort();
  } catch {
    return [];
  }
}
