/**
 * Operations on tables that Luau itself lacks: let imports be cached for functions with this environment, and undo a
 * freeze.
 */
import type { LuauMemory } from "./memory.ts";

/** `Table.readonly` and `Table.safeenv` in the build of Luau that scripts/build-luau.ts accepts. */
const READ_ONLY_AT = 4;
const SAFE_ENVIRONMENT_AT = 5;

function tableAt(address: string): number {
  const at = Number.parseInt(address.replace(/^table: 0x/, ""), 16);
  if (!Number.isInteger(at)) throw new Error(`not the address of a table: ${address}`);
  return at;
}

/** Lets Luau cache the imports of chunks whose environment is this table, from what `tostring(table)` says. */
export function markSafeEnvironment(memory: LuauMemory, address: string): void {
  memory.bytes[tableAt(address) + SAFE_ENVIRONMENT_AT] = 1;
}

/** Makes a frozen table writable, from what `tostring(table)` says. Throws when it is not frozen. */
export function thawTable(memory: LuauMemory, address: string): void {
  const flagAt = tableAt(address) + READ_ONLY_AT;
  if (memory.bytes[flagAt] !== 1) throw new Error("luau.wasm: unknown table layout");
  memory.bytes[flagAt] = 0;
}

/** Throws unless the flag is set for `safe` and clear for `unsafe`: the layout is not the known one. */
export function checkEnvironmentLayout(memory: LuauMemory, safe: string, unsafe: string): void {
  const flags = [safe, unsafe].map((address) => memory.bytes[tableAt(address) + SAFE_ENVIRONMENT_AT]);
  if (flags[0] !== 1 || flags[1] !== 0) throw new Error("luau.wasm: unknown table layout");
}
