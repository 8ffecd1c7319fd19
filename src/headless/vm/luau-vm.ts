/**
 * One Luau VM: instance, loading of chunks, protected calls, host functions. Plain synchronous calls over the wasm's own
 * glue; knows nothing of the engine or of the mailbox.
 */
import { beforeTooManyErrors, readCompilerError } from "./compiler-error.ts";
import { CompilerError, describeCrash, LuauLoadError, LuauVmDeadError, OUT_OF_MEMORY } from "./errors.ts";
import { type LuauExports, luauExportsOf } from "./exports.ts";
import { type ChunkHits, readLineHits } from "./line-hits.ts";
import { encodeUtf8, LuauMemory } from "./memory.ts";
import {
  chunkId,
  hostIndex,
  hostReference,
  parseArguments,
  parseFirstResult,
  parseValue,
} from "./serialized.ts";
import { numberOf, trimmed, type VmSnapshot } from "./snapshot.ts";
import { calendarImports, type Clock, systemClock, wasiImports } from "./system-imports.ts";

const ENVIRONMENT_ID = 1;
const LUA_OK = 0;
/** What a C `longjmp` throws through JavaScript frames. */
const LONGJMP = Number.POSITIVE_INFINITY;
const VALUE_TYPES = ["string", "number", "nil", "jfunction", "ltable", "lfunction", ""] as const;
const SOURCE_TRANSACTION = 0;
const NAME_TRANSACTION = 1;

/** `lua_State.top` and the size of a value on the stack, in the build of Luau that scripts/build-luau.ts accepts. */
const STATE_TOP_AT = 8;
const VALUE_BYTES = 16;

type ValueType = (typeof VALUE_TYPES)[number];

/**
 * A function that Luau calls with string arguments. It may return a function that pushes values on that Luau state
 * and returns how many. What it throws becomes a Luau error.
 */
type HostFunction = (args: readonly string[]) => ((state: number) => number) | undefined;

interface LuauVmOptions {
  /** Limit of the linear memory in pages of 64 KiB. */
  readonly maxPages: number;
  /** Globals by name; the first chunk is expected to take them away. */
  readonly hostFunctions: Readonly<Record<string, HostFunction>>;
  /** Called by `newproxy(0)`, the cheap way to the host; returns how many values it has pushed on that state. */
  readonly onRing: (state: number) => number;
  /** Where the C library's own standard output goes. */
  readonly onPrint: (text: string) => void;
  /** The linear memory has grown. */
  readonly onGrown: () => void;
  /** Default: the system's. */
  readonly clock?: Clock | undefined;
  /** Continues a VM that was saved; it must come from the same wasm and have the same host functions. */
  readonly snapshot?: VmSnapshot;
}

/** A VM at rest, for the same VM in the same process. */
export interface KeptVm {
  /** The memory below the stack. */
  readonly low: Uint8Array;
  /** The memory from the stack pointer on. The stack grows down from there, so that the 1 MB below it has no content. */
  readonly high: Uint8Array;
  readonly stackPointer: number;
}

export class LuauVm {
  readonly memory: LuauMemory;
  readonly exports: LuauExports;
  /** The main Luau state. */
  readonly state: number;
  #deadReason: string | undefined;
  #globalsReference = 0;
  readonly #types = new Map<ValueType, number>();
  readonly #hostFunctions: readonly HostFunction[];
  readonly #transactions = new Map<number, Uint8Array>();
  #serialized = "";
  #pushArguments: ((state: number) => number) | undefined;
  #pushResults: ((state: number) => number) | undefined;

  constructor(module: WebAssembly.Module, options: LuauVmOptions) {
    this.memory = new LuauMemory(options.maxPages);
    const { clock = systemClock } = options;
    const instance = new WebAssembly.Instance(module, {
      env: {
        ring_host: options.onRing,
        ...this.#glueImports(),
        ...this.#runtimeImports(options.onGrown),
        ...calendarImports(this.memory, clock),
      },
      wasi_snapshot_preview1: wasiImports(this.memory, clock, options.onPrint),
    });
    this.exports = luauExportsOf(instance);
    this.memory.attach(this.exports.memory);
    this.exports.emscripten_stack_init();
    this.#hostFunctions = Object.values(options.hostFunctions);
    if (options.snapshot !== undefined) {
      this.state = this.#restore(options.snapshot);
      return;
    }
    this.exports.__wasm_call_ctors();
    for (const type of VALUE_TYPES) this.#types.set(type, this.#allocateCString(encodeUtf8(type)));
    this.state = this.exports.makeLuaState(ENVIRONMENT_ID);
    Object.keys(options.hostFunctions).forEach((name, index) => this.#defineHostFunction(name, index));
  }

  /** This VM at rest; `numbers` are kept with it for their owner. */
  snapshot(numbers: Readonly<Record<string, number>>): VmSnapshot {
    const own: Record<string, number> = {
      state: this.state,
      stackPointer: this.exports.emscripten_stack_get_current(),
      globalsReference: this.#globalsReference,
    };
    for (const [type, pointer] of this.#types) own[`type:${type}`] = pointer;
    return { numbers: { ...own, ...numbers }, memory: this.memory.bytes };
  }

  #restore(snapshot: VmSnapshot): number {
    if (snapshot.memory.length > this.memory.sizeBytes && !this.memory.grow(snapshot.memory.length)) {
      throw this.kill(OUT_OF_MEMORY);
    }
    this.memory.bytes.set(snapshot.memory);
    this.exports._emscripten_stack_restore(numberOf(snapshot, "stackPointer"));
    this.#globalsReference = numberOf(snapshot, "globalsReference");
    for (const type of VALUE_TYPES) this.#types.set(type, numberOf(snapshot, `type:${type}`));
    return numberOf(snapshot, "state");
  }

  /** This VM at rest, kept in this process so that the VM can return to it. */
  keep(): KeptVm {
    const { bytes } = this.memory;
    const stackPointer = this.exports.emscripten_stack_get_current();
    return {
      low: bytes.slice(0, this.exports.emscripten_stack_get_end()),
      high: bytes.slice(stackPointer, trimmed(bytes)),
      stackPointer,
    };
  }

  /** Returns to what `keep` gave. Whatever happened since is undone, also a death. */
  returnTo(kept: KeptVm): void {
    const { bytes } = this.memory;
    const { low, high, stackPointer } = kept;
    bytes.set(low);
    bytes.set(high, stackPointer);
    bytes.fill(0, stackPointer + high.length);
    this.exports._emscripten_stack_restore(stackPointer);
    this.#transactions.clear();
    this.#pushArguments = undefined;
    this.#pushResults = undefined;
    this.#deadReason = undefined;
    this.memory.isExhausted = false;
  }

  /** Why the VM is dead, or undefined while it lives. */
  get deadReason(): string | undefined {
    return this.#deadReason;
  }

  /** Compiles a chunk and returns a reference to its function; throws LuauLoadError. */
  load(source: Uint8Array, chunkName: string): number {
    const status = this.pushChunk(this.state, source, chunkName);
    const value = this.#popSerialized();
    if (status !== LUA_OK) throw new LuauLoadError(value);
    return Number(value);
  }

  /** Compiles a chunk and pushes its function, or the error text, on `state`; 0 when it is the function. */
  pushChunk(state: number, source: Uint8Array, chunkName: string): number {
    const stackPointer = this.exports.emscripten_stack_get_current();
    this.#transactions.set(SOURCE_TRANSACTION, source);
    this.#transactions.set(NAME_TRANSACTION, encodeUtf8(chunkName));
    try {
      return this.exports.luauLoad(state, SOURCE_TRANSACTION, NAME_TRANSACTION);
    } catch (error) {
      if (!(error instanceof CompilerError)) throw error;
      this.exports._emscripten_stack_restore(stackPointer);
      const shorter = beforeTooManyErrors(source, error);
      // What is left without an error is no chunk either: the caller takes what was pushed last.
      if (shorter !== undefined && this.pushChunk(state, shorter, chunkName) !== LUA_OK) return 1;
      this.pushString(state, `${chunkId(chunkName)}:${error.line + 1}: ${error.message}`);
      return 1;
    }
  }

  /** As pushChunk, with counters that readLineHits reads. */
  pushCountedChunk(state: number, source: Uint8Array, chunkName: string): number {
    this.exports.coverage_level.value = 1;
    try {
      return this.pushChunk(state, source, chunkName);
    } finally {
      this.exports.coverage_level.value = 0;
    }
  }

  /** The lines and functions of a chunk that does not run, with no hits; undefined where it does not compile. */
  linesOf(source: Uint8Array): ChunkHits | undefined {
    const status = this.pushCountedChunk(this.state, source, "=chunk");
    const chunkAt = this.memory.readU32(this.memory.readU32(this.state + STATE_TOP_AT) - VALUE_BYTES);
    const lines = status === LUA_OK ? readLineHits(this.memory, chunkAt, false) : undefined;
    const value = this.#popSerialized();
    if (lines !== undefined) this.unreference(Number(value));
    return lines;
  }

  /** Calls a referenced function on the main state without arguments; returns its first result as text. */
  call(reference: number): string {
    return this.#call(reference, undefined);
  }

  /** Calls a referenced function with the VM's table of globals as its only argument. */
  callWithGlobals(reference: number): string {
    return this.#call(reference, (state) => {
      this.#pushTyped(state, "ltable", encodeUtf8(String(this.#globalsReference)));
      return 1;
    });
  }

  /** Calls a referenced function on top of what runs in `state`, inside an interrupt. An error of it counts for nothing. */
  callInside(state: number, reference: number): void {
    const outer = this.#serialized;
    this.#pushArguments = undefined;
    try {
      this.exports.luaPcall(state, reference, 0);
    } catch (error) {
      throw this.kill(describeCrash(error));
    }
    this.#serialized = outer;
  }

  unreference(reference: number): void {
    this.exports.luaUnref(this.state, reference);
  }

  pushString(state: number, text: string): void {
    this.#pushTyped(state, "string", encodeUtf8(text));
  }

  /** Marks the VM dead; every later call throws LuauVmDeadError with this reason. */
  kill(reason: string): LuauVmDeadError {
    this.#deadReason ??= reason;
    return new LuauVmDeadError(this.#deadReason);
  }

  #call(reference: number, pushArguments: ((state: number) => number) | undefined): string {
    if (this.#deadReason !== undefined) throw new LuauVmDeadError(this.#deadReason);
    this.#pushArguments = pushArguments;
    this.#serialized = "[]";
    let status: number;
    try {
      status = this.exports.luaPcall(this.state, reference, 0);
    } catch (error) {
      throw this.kill(describeCrash(error));
    }
    const first = parseFirstResult(this.#serialized);
    if (this.memory.isExhausted) throw this.kill(OUT_OF_MEMORY);
    if (status !== LUA_OK) throw this.kill(`engine failure: ${first}`);
    return first;
  }

  #popSerialized(): string {
    this.exports.getLuaValue(this.state, -1);
    return parseValue(this.#serialized);
  }

  #defineHostFunction(name: string, index: number): void {
    const namePointer = this.#allocateCString(encodeUtf8(name));
    const valuePointer = this.#allocateCString(encodeUtf8(String(hostReference(index))));
    this.exports.pushGlobalToLua(this.state, namePointer, this.#type("jfunction"), valuePointer);
    this.exports.free(namePointer);
    this.exports.free(valuePointer);
  }

  #pushTyped(state: number, type: ValueType, value: Uint8Array): void {
    const pointer = this.#allocateCString(value);
    this.exports.pushValueToLuaWrapper(state, this.#type(type), pointer, this.#type(""));
    this.exports.free(pointer);
  }

  #type(type: ValueType): number {
    return this.#types.get(type) ?? 0;
  }

  #allocateCString(bytes: Uint8Array): number {
    const pointer = this.exports.malloc(bytes.length + 1);
    if (pointer === 0) throw this.kill(OUT_OF_MEMORY);
    this.memory.writeCString(pointer, bytes);
    return pointer;
  }

  /** The wasm's own bridge to JavaScript: values cross as JSON text or as numbered transactions. */
  #glueImports() {
    const keepSerialized = (text: number): number => {
      this.#serialized = this.memory.readCString(text);
      return 0;
    };
    return {
      ensureInterop: () => {},
      setEnvFromJS: (_state: number, _environment: number, _globals: number, reference: number) => {
        this.#globalsReference = reference;
      },
      acceptStringTransaction: (_environment: number, key: number) => {
        const bytes = this.#transactions.get(key) ?? new Uint8Array();
        this.#transactions.delete(key);
        return this.#allocateCString(bytes);
      },
      pushTransactionString: (_environment: number, text: number) => keepSerialized(text),
      sendValueToJS: (_environment: number, text: number) => keepSerialized(text),
      setMultretData: (_state: number, _environment: number, text: number) => {
        keepSerialized(text);
      },
      pushArgs: (state: number) => {
        const push = this.#pushArguments;
        this.#pushArguments = undefined;
        return push?.(state) ?? 0;
      },
      pushRetData: (state: number) => {
        const push = this.#pushResults;
        this.#pushResults = undefined;
        return push?.(state) ?? 0;
      },
      __asyncjs__callJSFunction: (state: number, _environment: number, reference: number, args: number) =>
        this.#callHost(state, this.memory.readCString(reference), this.memory.readCString(args)),
      getJSProperty: () => 0,
      setJSProperty: () => 0,
      getJSIteratorNext: () => 0,
      prepareJSKeyList: () => 0,
      releaseJSKeyList: () => {},
    };
  }

  #runtimeImports(onGrown: () => void) {
    return {
      invoke_vii: (index: number, first: number, second: number) => {
        const stackPointer = this.exports.emscripten_stack_get_current();
        try {
          this.exports.__indirect_function_table.get(index)(first, second);
        } catch (error) {
          this.exports._emscripten_stack_restore(stackPointer);
          if (error !== LONGJMP) throw error;
          this.exports.setThrew(1, 0);
        }
      },
      _emscripten_throw_longjmp: () => {
        throw LONGJMP;
      },
      __cxa_throw: (exception: number, type: number) => {
        throw readCompilerError(this.memory, exception, type);
      },
      _abort_js: () => {
        throw this.kill("the VM aborted");
      },
      emscripten_resize_heap: (sizeBytes: number) => {
        const isGrown = this.memory.grow(sizeBytes >>> 0);
        if (isGrown) onGrown();
        return isGrown ? 1 : 0;
      },
    };
  }

  #callHost(state: number, reference: string, args: string): number {
    try {
      const hostFunction = this.#hostFunctions[hostIndex(Number(reference))];
      if (hostFunction === undefined) throw new Error(`no host function ${reference}`);
      this.#pushResults = hostFunction(parseArguments(args));
      return 0;
    } catch (error) {
      if (error instanceof LuauVmDeadError || error === LONGJMP) throw error;
      this.pushString(state, error instanceof Error ? error.message : String(error));
      return -1;
    }
  }
}
