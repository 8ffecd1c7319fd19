/** Packs the engine's Luau sources into `build/engine.bundle`: JSON of module path without extension → source. */
import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";

const ROOT = dirname(import.meta.dir);
const SOURCES = join(ROOT, "src/headless/engine");
const OUTPUT = join(ROOT, "build/engine.bundle");
const EXTENSION = ".luau";

/** The engine's modules as they are in the working tree. */
export async function readEngineAsync(): Promise<Record<string, string>> {
  const files = [...new Bun.Glob(`**/*${EXTENSION}`).scanSync(SOURCES)].sort();
  const modules = files.map(async (file) => {
    const path = file.replaceAll("\\", "/").slice(0, -EXTENSION.length);
    return [path, await Bun.file(join(SOURCES, file)).text()] as const;
  });
  return Object.fromEntries(await Promise.all(modules));
}

/** Makes `build/engine.bundle` current and returns its path. */
export async function buildEngineAsync(): Promise<string> {
  await mkdir(dirname(OUTPUT), { recursive: true });
  await Bun.write(OUTPUT, JSON.stringify(await readEngineAsync()));
  return OUTPUT;
}

if (import.meta.main) await buildEngineAsync();
