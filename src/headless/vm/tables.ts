/** The one field of a Luau table that Luau itself can't set: whether imports may be cached for functions in it. */
import type { LuauMemory } from "./memory.ts";

/** `Table.safeenv` in the build of Luau that scripts/build-luau.ts accepts. */
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

/** Throws unless the flag is set for `safe` and clear for `unsafe`: the layout is not the known one. */
export function checkEnvironmentLayout(memory: LuauMemory, safe: string, unsafe: string): void {
  const flags = [safe, unsafe].map((address) => memory.bytes[tableAt(address) + SAFE_ENVIRONMENT_AT]);
  if (flags[0] !== 1 || flags[1] !== 0) throw new Error("luau.wasm: unknown table layout");
}
