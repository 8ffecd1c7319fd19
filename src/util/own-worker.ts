/** Starts a thread of this program, in the compiled binary and from source. */
import { join } from "node:path";

const SOURCES = join(import.meta.dir, "..");

/** `file` is the entry point below src, which the build puts into the binary under the same name. */
export function startOwnWorker(file: string): Worker {
  const isCompiled = Bun.main.startsWith("/$bunfs/") || Bun.main.includes("~BUN");
  return new Worker(isCompiled ? join(import.meta.dir, file.replace(/\.ts$/, ".js")) : join(SOURCES, file));
}
