/** Compiles Luau sources to find out on which of their lines statements begin, without running them. */
import { loadLuauAsync } from "../assets.ts";
import type { ChunkHits } from "./line-hits.ts";
import { LuauVm } from "./luau-vm.ts";

/** 256 MB: much more than one source takes. */
const MAX_PAGES = 4096;

/** One for each source; undefined for a source that does not compile. */
export async function readLinesAsync(
  sources: readonly Uint8Array[],
): Promise<readonly (ChunkHits | undefined)[]> {
  const vm = compilingVm(await loadLuauAsync());
  return sources.map((source) => vm.linesOf(source));
}

/** A VM in which nothing runs. */
export const compilingVm = (luau: WebAssembly.Module): LuauVm =>
  new LuauVm(luau, {
    maxPages: MAX_PAGES,
    hostFunctions: {},
    onRing: () => 0,
    onPrint: () => {},
    onGrown: () => {},
  });
