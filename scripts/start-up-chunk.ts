/**
 * Puts the modules that nearly every command loads into one file of the binary. Bun's splitting makes a file for each set
 * of entries that share a module, so that `sb exec` would load 49 files, each found, read and linked by itself. Modules
 * that the same entries import share a file. So this plugin gives every file that is loaded after the command line an
 * import of all of them, which costs nothing: they are loaded by then.
 */
import type { BunPlugin } from "bun";
import { dirname, join } from "node:path";

const src = join(import.meta.dir, "..", "src");
const transpiler = new Bun.Transpiler({ loader: "ts" });

/** What a command that asks Studio something loads before its own file. */
const startUp = ["cli/index.ts", "bridge/index.ts"];
/** What processes and threads begin with that have no command line. */
const withoutCommandLine = [
  "headless/process/worker.ts",
  "command-kit/sessions/headless-child.ts",
  "scripts/search-worker.ts",
];

const CHUNK = "start-up-chunk";

/** An import of a TypeScript file. Other files, such as Luau programs, are left to the imports that say how to read them. */
interface Import {
  /** It is loaded where the code asks for it, by `import()` or `require()`. */
  readonly isLazy: boolean;
  readonly path: string;
}

async function importsOfAsync(file: string): Promise<Import[]> {
  return transpiler
    .scanImports(await Bun.file(file).text())
    .filter(({ path }) => path.startsWith(".") && path.endsWith(".ts"))
    .map(({ kind, path }) => ({ isLazy: kind !== "import-statement", path: join(dirname(file), path) }));
}

/** Adds the files that load with `file`; `withLazy`: also those that it may load later. */
async function visitAsync(file: string, withLazy: boolean, seen: Set<string>): Promise<Set<string>> {
  if (seen.has(file)) return seen;
  seen.add(file);
  for (const { isLazy, path } of await importsOfAsync(file))
    if (withLazy || !isLazy) await visitAsync(path, withLazy, seen);
  return seen;
}

async function reachedAsync(files: readonly string[], withLazy: boolean): Promise<Set<string>> {
  const seen = new Set<string>();
  for (const file of files) await visitAsync(join(src, file), withLazy, seen);
  return seen;
}

/** The files that are loaded lazily, and only by processes that have loaded the command line. */
async function entriesAsync(): Promise<Set<string>> {
  const entries = new Set<string>();
  for (const file of await reachedAsync(startUp, true))
    for (const { isLazy, path } of await importsOfAsync(file)) if (isLazy) entries.add(path);
  for (const file of startUp) entries.add(join(src, file));
  return entries.difference(await reachedAsync(withoutCommandLine, true));
}

export async function startUpChunkAsync(): Promise<BunPlugin> {
  const modules = await reachedAsync(startUp, false);
  const entries = await entriesAsync();
  return {
    name: CHUNK,
    setup(build) {
      build.onResolve({ filter: new RegExp(`^${CHUNK}$`) }, () => ({ path: CHUNK, namespace: CHUNK }));
      build.onLoad({ filter: /.*/, namespace: CHUNK }, () => ({
        contents: [...modules].map((file) => `import ${JSON.stringify(file)};`).join("\n"),
        loader: "ts",
      }));
      build.onLoad({ filter: /\.ts$/ }, async ({ path }) => {
        const text = await Bun.file(path).text();
        // On the first line, so that the source map keeps the numbers of lines.
        return { contents: entries.has(path) ? `import "${CHUNK}"; ${text}` : text, loader: "ts" };
      });
    },
  };
}
