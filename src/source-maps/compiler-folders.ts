/** The folders that `tsconfig.json` names: where the sources of a TypeScript project are, and where the compiler puts its files. */
import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { parseJsonc, valueOf } from "../util/jsonc.ts";

export interface CompilerFolders {
  /** Absolute. */
  readonly rootDirs: readonly string[];
  readonly outDir: string | undefined;
}

interface Options {
  readonly rootDir?: string;
  readonly rootDirs?: readonly string[];
  readonly outDir?: string;
}

/** The folder of the outermost settings, as settings that others extend name it. */
const CONFIG_DIR = "${configDir}";

/** Settings that cannot be read name no folders. */
export function compilerFoldersOf(folder: string): CompilerFolders {
  const { rootDir, rootDirs, outDir } = optionsIn(join(folder, "tsconfig.json"), folder, []);
  return { rootDirs: rootDirs ?? (rootDir === undefined ? [] : [rootDir]), outDir };
}

/** The options of a file and of all files that it extends; its own count before theirs, and later ones before earlier ones. */
function optionsIn(file: string, folder: string, around: readonly string[]): Options {
  if (around.includes(file)) return {};
  const { extends: extended, compilerOptions } = settingsIn(file);
  const whole = (path: unknown): string | undefined =>
    typeof path === "string" ? resolve(dirname(file), path.replaceAll(CONFIG_DIR, folder)) : undefined;
  const { rootDir, rootDirs, outDir } = Object(compilerOptions);
  const [root, out] = [whole(rootDir), whole(outDir)];
  const roots = Array.isArray(rootDirs) ? rootDirs.flatMap((each) => whole(each) ?? []) : undefined;
  const bases = (Array.isArray(extended) ? extended : [extended]).flatMap((each) => {
    const base = typeof each === "string" ? baseFile(each, dirname(file)) : undefined;
    return base === undefined ? [] : [optionsIn(base, folder, [...around, file])];
  });
  return bases
    .concat({
      ...(root === undefined ? {} : { rootDir: root }),
      ...(roots === undefined ? {} : { rootDirs: roots }),
      ...(out === undefined ? {} : { outDir: out }),
    })
    .reduce((all, each) => ({ ...all, ...each }), {});
}

function settingsIn(file: string): { readonly extends?: unknown; readonly compilerOptions?: unknown } {
  try {
    const root = parseJsonc(readFileSync(file, "utf8"));
    return Object(root === undefined ? undefined : valueOf(root));
  } catch {
    return {};
  }
}

/** The file that `extends` names: by its path, or in a package. */
function baseFile(name: string, from: string): string | undefined {
  const isPath = name.startsWith(".") || isAbsolute(name);
  const starts = isPath
    ? [resolve(from, name)]
    : foldersFrom(from).map((each) => join(each, "node_modules", name));
  return starts.flatMap((start) => [start, `${start}.json`, join(start, "tsconfig.json")]).find(isFile);
}

const foldersFrom = (folder: string): string[] =>
  dirname(folder) === folder ? [folder] : [folder, ...foldersFrom(dirname(folder))];

const isFile = (path: string): boolean => existsSync(path) && statSync(path).isFile();
