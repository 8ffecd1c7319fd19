/** Starts the VM's thread early, before the script to run is known. */
import { startOwnWorker } from "../../util/own-worker.ts";
import { loadLuauAsync } from "../assets.ts";

export interface VmThread {
  /** Unpacks the engine while it waits for its first message. */
  readonly worker: Worker;
  /** Compiled meanwhile, on a thread of the runtime. */
  readonly luau: Promise<WebAssembly.Module>;
}

export function startVmThread(): VmThread {
  return { worker: startOwnWorker("headless/process/worker.ts"), luau: loadLuauAsync() };
}
