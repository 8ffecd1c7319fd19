/** Starts the VM's thread, in the compiled binary and from source, before it is known what it will run. */
import { join } from "node:path";
import { loadLuauAsync } from "../assets.ts";

/** Where the build puts the entry point src/headless/process/worker.ts inside the binary. */
const COMPILED_WORKER = "headless/process/worker.js";

export interface VmThread {
  /** Unpacks the engine while it waits for its first message. */
  readonly worker: Worker;
  /** Compiled meanwhile, on a thread of the runtime. */
  readonly luau: Promise<WebAssembly.Module>;
}

export function startVmThread(): VmThread {
  const isCompiled = Bun.main.startsWith("/$bunfs/") || Bun.main.includes("~BUN");
  const file = isCompiled ? COMPILED_WORKER : "worker.ts";
  return { worker: new Worker(join(import.meta.dir, file)), luau: loadLuauAsync() };
}
