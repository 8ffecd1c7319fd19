/**
 * What a warm command loads: no package but citty, of the runtime only modules that load quickly, no other command, and
 * few files of the binary.
 */
import { expect, test } from "bun:test";
import { dirname, join } from "node:path";
import { bundleOptionsAsync } from "../../build.ts";

const src = join(import.meta.dir, "..", "..", "src");
const transpiler = new Bun.Transpiler({ loader: "ts" });

/** Adds every file of ours that `file` loads before it does anything; gives what else is loaded, with the file that asks. */
async function visitAsync(file: string, seen: Set<string>): Promise<{ [name: string]: string }> {
  if (seen.has(file) || !file.endsWith(".ts")) return {};
  seen.add(file);
  const found: { [name: string]: string } = {};
  for (const { kind, path } of transpiler.scanImports(await Bun.file(join(src, file)).text())) {
    if (kind !== "import-statement") continue;
    if (path.startsWith(".")) Object.assign(found, await visitAsync(join(dirname(file), path), seen));
    else found[path] ??= file;
  }
  return found;
}

async function loadedFromElsewhereAsync(files: readonly string[]): Promise<{ [name: string]: string }> {
  const seen = new Set<string>();
  const found = {};
  for (const file of files) Object.assign(found, await visitAsync(file, seen));
  expect(seen.size).toBeGreaterThan(50);
  return found;
}

test("a command that asks Studio something starts with our own code, citty and two small modules (docs/design/start-up.md)", async () => {
  const found = await loadedFromElsewhereAsync([
    "main.ts",
    "cli/index.ts",
    "cli/tree.ts",
    "commands/script/exec.ts",
    "bridge/index.ts",
  ]);
  expect(Object.keys(found).sort()).toEqual(["citty", "node:os", "node:path"]);
});

test("citty loads while the project file and the key are read, not before", async () => {
  const found = await loadedFromElsewhereAsync(["main.ts", "cli/index.ts"]);
  expect(Object.keys(found).sort()).toEqual(["node:os", "node:path"]);
});

test("a command does not load the files of others", async () => {
  const files = new Set<string>();
  await visitAsync("cli/index.ts", files);
  expect([...files].filter((file) => file.startsWith("commands/"))).toEqual(["commands/index.ts"]);
});

/** The files of the bundle that load with those that hold `sources`, as their paths from the repository's root. */
function loadedOutputs({ outputs }: Bun.BuildMetafile, sources: readonly string[]): Set<string> {
  const loaded = new Set<string>();
  const load = (name: string): void => {
    if (loaded.has(name)) return;
    loaded.add(name);
    for (const { kind, path } of outputs[name]?.imports ?? [])
      if (kind === "import-statement" && path in outputs) load(path);
  };
  for (const [name, { inputs }] of Object.entries(outputs))
    if (sources.some((source) => source in inputs)) load(name);
  return loaded;
}

async function bundleAsync() {
  const options = await bundleOptionsAsync({ pluginBuildId: "", target: undefined });
  const { metafile, outputs } = await Bun.build(options);
  if (metafile === undefined) throw new Error("The bundler has written no list of its files.");
  return { metafile, outputs };
}

test("the modules that every command loads are in few files of the binary, without zod, and threads load no command line", async () => {
  const { metafile, outputs } = await bundleAsync();
  // A Luau program that a module imports as text is not a file of its own.
  expect(outputs.map(({ path }) => path).filter((path) => path.endsWith(".luau"))).toEqual([]);
  const sourcesOf = (names: ReadonlySet<string>) =>
    [...names].flatMap((name) => Object.keys(metafile.outputs[name]?.inputs ?? {}));
  const ofExec = loadedOutputs(metafile, [
    "src/main.ts",
    "src/cli/index.ts",
    "src/commands/script/exec.ts",
    "src/bridge/index.ts",
  ]);
  expect(ofExec.size).toBeLessThanOrEqual(24);
  expect(sourcesOf(ofExec)).toContain("src/command-kit/dispatch.ts");
  expect(sourcesOf(ofExec).filter((source) => source.includes("/zod/"))).toEqual([]);
  for (const thread of ["src/headless/process/worker.ts", "src/scripts/search-worker.ts"]) {
    const ofThread = sourcesOf(loadedOutputs(metafile, [thread]));
    expect(ofThread).toContain(thread);
    expect(ofThread).not.toContain("src/cli/index.ts");
  }
});

test("the MCP SDK is in the binary, Ajv is not", async () => {
  const { metafile } = await bundleAsync();
  const packages = Object.keys(metafile.inputs).flatMap((file) => file.split("node_modules/").slice(-1));
  expect(packages.filter((file) => file.startsWith("@modelcontextprotocol/sdk/"))).not.toEqual([]);
  expect(packages.filter((file) => /^(ajv|ajv-formats|fast-uri)\//.test(file))).toEqual([]);
});
