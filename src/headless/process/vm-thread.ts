/** Starts the VM's thread early, before it is known which script will run. */
import { startOwnWorker } from "../../util/own-worker.ts";
import { loadLuauAsync } from "../assets.ts";

export interface VmThread {
  /** The worker unpacks the engine while it waits for its first message. */
  readonly worker: Worker;
  /** The module of the VM, which a thread of the runtime compiles meanwhile. */
  readonly luau: Promise<WebAssembly.Module>;
}

export function startVmThread(): VmThread {
  return { worker: startOwnWorker("headless/process/worker.ts"), luau: loadLuauAsync() };
}
