/**
 * Stops scripts that run too long, use too much memory or are cancelled from outside. Luau calls the interrupt at loops and calls; a tiny wasm
 * function counts those and asks JavaScript only every so often.
 */
import { words } from "../../protocol/words.ts";
import type { LuauVm } from "./luau-vm.ts";
import type { MemoryGuard } from "./memory-guard.ts";

const POLL_EVERY = 20_000;
/** When memory is tight: a script may ask for megabytes between two interrupts. */
const TIGHT_POLL_EVERY = 8;
/** `lua_State.global` and `global_State.cb.interrupt` in the build of Luau that scripts/build-luau.ts accepts. */
const OFFSETS = { stateGlobal: 16, globalInterrupt: 676 } as const;

/** What the engine's scheduler writes, read at each poll: see Kernel/Host.luau. */
export interface ExecutionControl {
  /** Grows by one at each resumption that starts a new time budget. */
  generation(): number;
  /** Seconds for one resumption. */
  budgetSeconds(): number;
  /** True while engine code that must not be torn apart runs. */
  shielded(): boolean;
}

/** Several VMs may share the flag: only its own mark in it stops what runs in this one. */
interface Cancel {
  readonly cancelFlag: Int32Array;
  readonly cancelMark: number;
}

export interface StopOptions extends Cancel {
  /** Called before the script in this Luau state is stopped, while its stack still exists. */
  readonly onStop: (state: number) => void;
  /** Called at each poll. */
  readonly onPoll: () => void;
  readonly memory: MemoryGuard;
}

/** The interrupt of one VM. It begins with its making. */
export class Interrupt {
  readonly #vm: LuauVm;
  readonly #control: ExecutionControl;
  readonly #options: StopOptions;
  /** How many interrupts are left until the next poll. */
  readonly #countdown: WebAssembly.Global;
  #generation = -1;
  #deadlineMs = Number.POSITIVE_INFINITY;
  #stopMessage: string | undefined;
  #isTelling = false;

  constructor(vm: LuauVm, control: ExecutionControl, options: StopOptions) {
    this.#vm = vm;
    this.#control = control;
    this.#options = options;
    const helper = new WebAssembly.Instance(new WebAssembly.Module(countingInterrupt(POLL_EVERY)), {
      e: { f: (state: number, gcPhase: number) => this.#poll(state, gcPhase) },
    });
    const countdown = helper.exports["c"];
    if (!(countdown instanceof WebAssembly.Global)) throw new Error("the interrupt has no countdown");
    this.#countdown = countdown;
    const table = vm.exports.__indirect_function_table;
    const index = table.grow(1, helper.exports["g"]);
    const global = vm.memory.readU32(vm.state + OFFSETS.stateGlobal);
    // A VM that was saved had its interrupt at the same place of the table.
    const before = vm.memory.readU32(global + OFFSETS.globalInterrupt);
    if (before !== 0 && before !== index) throw new Error("luau.wasm: unknown memory layout");
    vm.memory.writeU32(global + OFFSETS.globalInterrupt, index);
  }

  /** Ends what a timeout or a cancel began; called when control is back with the host. */
  settle(): void {
    Atomics.store(this.#options.cancelFlag, 0, 0);
    if (this.#stopMessage === undefined) return;
    this.#stopMessage = undefined;
    this.#deadlineMs = Number.POSITIVE_INFINITY;
    this.#countdown.value = POLL_EVERY;
  }

  /** The VM has returned to an earlier state, in which the budgets of its resumptions are counted from there. */
  returned(): void {
    this.settle();
    this.#generation = -1;
  }

  /** The memory has grown: looks at it soon. */
  memoryGrew(): void {
    if (this.#options.memory.isTight) this.#countdown.value = 1;
  }

  #poll(state: number, gcPhase: number): void {
    const { memory, onPoll } = this.#options;
    onPoll();
    if (memory.isTight) this.#countdown.value = TIGHT_POLL_EVERY;
    // The phase is negative outside of garbage collection. During a collection, a script is stopped only at the next interrupt.
    if (gcPhase >= 0) {
      if (this.#stopMessage !== undefined) this.#countdown.value = 1;
      return;
    }
    memory.relieve(state);
    // The main state runs only engine code between scripts.
    if (state === this.#vm.state || this.#isTelling || this.#control.shielded()) return;
    const nowMs = performance.now();
    if (this.#control.generation() !== this.#generation) this.#beginBudget(nowMs);
    this.#stopIfNeeded(state, nowMs);
  }

  /** A new resumption has begun, with a time budget of its own. */
  #beginBudget(nowMs: number): void {
    const { cancelFlag, memory } = this.#options;
    this.#generation = this.#control.generation();
    this.#deadlineMs = nowMs + this.#control.budgetSeconds() * 1000;
    // A cancel is for the resumption that it stopped, not for what runs next.
    if (this.#stopMessage === words.scriptCancelled) Atomics.store(cancelFlag, 0, 0);
    this.#stopMessage = undefined;
    if (!memory.isTight) this.#countdown.value = POLL_EVERY;
  }

  #stopIfNeeded(state: number, nowMs: number): void {
    const { cancelFlag, cancelMark, memory } = this.#options;
    const wasRunning = this.#stopMessage === undefined;
    if (Atomics.load(cancelFlag, 0) === cancelMark) this.#stopMessage = words.scriptCancelled;
    else if (nowMs > this.#deadlineMs) this.#stopMessage ??= words.scriptExhausted;
    if (this.#stopMessage === undefined) {
      // An error like any other, so that the script's own end can tell where it was.
      if (memory.exceeds(state)) this.#raise(state, memory.message);
      return;
    }
    if (wasRunning) this.#tell(state);
    // From here on every interrupt raises, so that a script that catches the error doesn't get away.
    this.#countdown.value = 1;
    this.#raise(state, this.#stopMessage);
  }

  #tell(state: number): void {
    this.#isTelling = true;
    try {
      this.#options.onStop(state);
    } finally {
      this.#isTelling = false;
    }
  }

  #raise(state: number, message: string): void {
    this.#vm.pushString(state, message);
    this.#vm.exports.lua_error(state);
  }
}

/** A wasm module: `g(L, gc)` counts the global `c` down and calls the import `e.f(L, gc)` when it reaches zero. */
function countingInterrupt(every: number): Uint8Array<ArrayBuffer> {
  const code = [
    ...[0, 0x23, 0, 0x41, 1, 0x6b, 0x24, 0], // c = c - 1
    ...[0x23, 0, 0x45, 0x04, 0x40], // if c == 0
    ...[0x41, ...signedLeb(every), 0x24, 0], // c = every
    ...[0x20, 0, 0x20, 1, 0x10, 0], // f(L, gc)
    ...[0x0b, 0x0b],
  ];
  return Uint8Array.from([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...[1, 6, 1, 0x60, 2, 0x7f, 0x7f, 0], // type (i32, i32) -> ()
    ...[2, 7, 1, 1, 0x65, 1, 0x66, 0, 0], // import e.f
    ...[3, 2, 1, 0], // one function
    ...[6, 6, 1, 0x7f, 1, 0x41, 1, 0x0b], // mutable global, initially 1
    ...[7, 9, 2, 1, 0x67, 0, 1, 1, 0x63, 3, 0], // exports g, c
    ...[10, code.length + 2, 1, code.length, ...code],
  ]);
}

function signedLeb(value: number): number[] {
  const bytes: number[] = [];
  for (let rest = value; ; rest >>= 7) {
    const low = rest & 127;
    const isLast = rest >> 7 === 0 && (low & 64) === 0;
    bytes.push(isLast ? low : low | 128);
    if (isLast) return bytes;
  }
}
