/** Reads the engine's Luau sources, by module path without extension. */
import { dirname, join } from "node:path";
import type { EngineSources } from "../src/headless/assets.ts";

const SOURCES = join(dirname(import.meta.dir), "src/headless/engine");
const EXTENSION = ".luau";

/** The engine's modules as they are in the working tree. */
export async function readEngineAsync(): Promise<EngineSources> {
  const files = [...new Bun.Glob(`**/*${EXTENSION}`).scanSync(SOURCES)].sort();
  const modules = files.map(async (file) => {
    const path = file.replaceAll("\\", "/").slice(0, -EXTENSION.length);
    return [path, await Bun.file(join(SOURCES, file)).text()] as const;
  });
  return Object.fromEntries(await Promise.all(modules));
}
