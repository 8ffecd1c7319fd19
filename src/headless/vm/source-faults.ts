/** Compiles Luau sources to find out which of them the compiler does not take, without running them. */
import { loadLuauAsync } from "../assets.ts";
import { LuauLoadError } from "./errors.ts";
import { compilingVm } from "./source-lines.ts";

export interface CompileFault {
  readonly line: number;
  readonly message: string;
}

/** `source:LINE: MESSAGE` */
const FAULT = /^source:(\d+): ([\s\S]*)$/;

/** One for each source; undefined for a source that compiles. */
export async function readCompileFaultsAsync(
  sources: readonly Uint8Array[],
): Promise<readonly (CompileFault | undefined)[]> {
  const vm = compilingVm(await loadLuauAsync());
  return sources.map((source) => {
    try {
      vm.unreference(vm.load(source, "=source"));
      return undefined;
    } catch (error) {
      if (!(error instanceof LuauLoadError)) throw error;
      const [, line = "1", message = error.message] = FAULT.exec(error.message) ?? [];
      return { line: Number(line), message };
    }
  });
}
