/**
 * Copies the engine's modules into one flat folder for the analyzer. The engine's own `require` resolves paths in its own
 * way (`./init`, a module beside a folder of its name), which luau-lsp does not follow; in the copy every path is plain.
 * Lines keep their numbers, so that what the analyzer says about a copy holds for the original.
 */
import { mkdir, rm } from "node:fs/promises";
import { join, posix } from "node:path";
import { readEngineAsync } from "../engine-sources.ts";

const SEPARATOR = "__";

/** "Classes/Humanoid" is "Classes__Humanoid.luau" in the flat folder. */
const flatName = (module: string): string => module.replaceAll("/", SEPARATOR);

function withFlatRequires(source: string, module: string): string {
  return source.replaceAll(/\brequire\("(\.[^"]+)"/g, (_, path: string) => {
    const target = posix.normalize(posix.join(posix.dirname(module), path));
    return `require("./${flatName(target)}"`;
  });
}

export async function writeFlatEngineAsync(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  for (const [module, source] of Object.entries(await readEngineAsync()))
    await Bun.write(join(folder, `${flatName(module)}.luau`), withFlatRequires(source, module));
}

/** The module that a file of the flat folder is a copy of, as a path below the engine's folder. */
export function originalOf(flatFile: string): string {
  return flatFile.replaceAll(SEPARATOR, "/");
}
