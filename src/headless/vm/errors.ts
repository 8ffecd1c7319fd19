/** The ways in which a VM itself can fail. Errors of scripts are not among them, because the engine handles those. */

export const OUT_OF_MEMORY = "out of memory";

/** The VM can't go on: out of memory, a crash inside the wasm, or a failed engine. */
export class LuauVmDeadError extends Error {}

/** A chunk that doesn't compile; the message is Luau's own. */
export class LuauLoadError extends Error {}

/** A chunk that the compiler gave up on by a C++ exception; line and column count from 0. */
export class CompilerError extends Error {
  readonly line: number;
  readonly column: number;

  constructor(message: string, line: number, column: number) {
    super(message);
    this.line = line;
    this.column = column;
  }
}

/** Why a call into the wasm didn't come back. */
export function describeCrash(error: unknown): string {
  if (error instanceof LuauVmDeadError) return error.message;
  if (error instanceof RangeError) return "native stack overflow";
  return `the VM crashed: ${error instanceof Error ? error.message : String(error)}`;
}
