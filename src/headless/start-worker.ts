/** Finds and starts the VM's thread, in the compiled binary and from source. */
import { join } from "node:path";

/** Where the build puts the entry point src/headless/worker.ts inside the binary. */
const COMPILED_WORKER = "headless/worker.js";

export function startWorker(): Worker {
  const isCompiled = Bun.main.startsWith("/$bunfs/") || Bun.main.includes("~BUN");
  return new Worker(isCompiled ? join(import.meta.dir, COMPILED_WORKER) : join(import.meta.dir, "worker.ts"));
}
