/** The files that the checks read, by path, so that a test can plant a fault without touching the disk. */
import { join } from "node:path";

const root = join(import.meta.dir, "..", "..");

/** Text by path, with slashes. */
export type Sources = ReadonlyMap<string, string>;

/** Every file below `folder` that `pattern` names, by its path from there. */
export async function readSourcesAsync(folder: string, pattern: string): Promise<Sources> {
  const cwd = join(root, folder);
  const paths = [...new Bun.Glob(pattern).scanSync({ cwd })].map((path) => path.replaceAll("\\", "/")).sort();
  const texts = paths.map(async (path) => [path, await Bun.file(join(cwd, path)).text()] as const);
  return new Map(await Promise.all(texts));
}
