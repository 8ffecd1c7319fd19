/** The exports and imports of `build/luau.wasm` as types, with the one cast from what WebAssembly says of them. */

export interface LuauExports {
  readonly memory: WebAssembly.Memory;
  readonly __indirect_function_table: WebAssembly.Table;
  /** 1 while chunks are compiled with counters of their statements, else 0. */
  readonly coverage_level: WebAssembly.Global<"i32">;
  __wasm_call_ctors(): void;
  emscripten_stack_init(): void;
  emscripten_stack_get_current(): number;
  /** The lowest address of the stack. */
  emscripten_stack_get_end(): number;
  _emscripten_stack_restore(stackPointer: number): void;
  setThrew(threw: number, value: number): void;
  malloc(sizeBytes: number): number;
  free(pointer: number): void;
  makeLuaState(environmentId: number): number;
  luauLoad(state: number, sourceTransaction: number, nameTransaction: number): number;
  luaPcall(state: number, reference: number, argumentsTransaction: number): number;
  luaUnref(state: number, reference: number): void;
  getLuaValue(state: number, index: number): number;
  pushGlobalToLua(state: number, name: number, type: number, value: number): void;
  pushValueToLuaWrapper(state: number, type: number, value: number, context: number): void;
  lua_error(state: number): never;
  collect_step(state: number): void;
}

export function luauExportsOf(instance: WebAssembly.Instance): LuauExports {
  return instance.exports as unknown as LuauExports;
}
