/** Compiles `build/luau.wasm`. */
import { raiseLimits } from "./wasm-limits.ts";

const MAX_TABLE = 4096;

const compiled = new WeakMap<Uint8Array, Map<number, WebAssembly.Module>>();

/** The wasm compiled for VMs of at most `maxPages`; once per process, however many VMs it runs. */
export function compileLuau(wasm: Uint8Array, maxPages: number): WebAssembly.Module {
  const modules = compiled.get(wasm) ?? new Map<number, WebAssembly.Module>();
  compiled.set(wasm, modules);
  const module =
    modules.get(maxPages) ?? new WebAssembly.Module(raiseLimits(wasm, { maxPages, maxTable: MAX_TABLE }));
  modules.set(maxPages, module);
  return module;
}
