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

export interface Interrupt {
  /** Ends what a timeout or a cancel began; called when control is back with the host. */
  settle(): void;
  /** The VM has returned to an earlier state, in which the budgets of its resumptions are counted from there. */
  returned(): void;
  /** The memory has grown: looks at it soon. */
  memoryGrew(): void;
}

export function installInterrupt(
  vm: LuauVm,
  control: ExecutionControl,
  { cancelFlag, cancelMark, onStop, onPoll, memory }: StopOptions,
): Interrupt {
  let generation = -1;
  let deadlineMs = Number.POSITIVE_INFINITY;
  let stopMessage: string | undefined;
  let isTelling = false;

  const tell = (state: number): void => {
    isTelling = true;
    try {
      onStop(state);
    } finally {
      isTelling = false;
    }
  };

  const poll = (state: number, gcPhase: number): void => {
    onPoll();
    if (memory.isTight) countdown.value = TIGHT_POLL_EVERY;
    // The phase is negative outside of garbage collection. During a collection, a script is stopped only at the next interrupt.
    if (gcPhase >= 0) {
      if (stopMessage !== undefined) countdown.value = 1;
      return;
    }
    memory.relieve(state);
    // The main state runs only engine code between scripts.
    if (state === vm.state || isTelling || control.shielded()) return;
    const nowMs = performance.now();
    if (control.generation() !== generation) {
      generation = control.generation();
      deadlineMs = nowMs + control.budgetSeconds() * 1000;
      // A cancel is for the resumption that it stopped, not for what runs next.
      if (stopMessage === words.scriptCancelled) Atomics.store(cancelFlag, 0, 0);
      stopMessage = undefined;
      if (!memory.isTight) countdown.value = POLL_EVERY;
    }
    const wasRunning = stopMessage === undefined;
    if (Atomics.load(cancelFlag, 0) === cancelMark) stopMessage = words.scriptCancelled;
    else if (nowMs > deadlineMs) stopMessage ??= words.scriptExhausted;
    if (stopMessage === undefined) {
      // An error like any other, so that the script's own end can tell where it was.
      if (memory.exceeds(state)) raise(state, memory.message);
      return;
    }
    if (wasRunning) tell(state);
    // From here on every interrupt raises, so that a script that catches the error doesn't get away.
    countdown.value = 1;
    raise(state, stopMessage);
  };

  const raise = (state: number, message: string): void => {
    vm.pushString(state, message);
    vm.exports.lua_error(state);
  };

  const helper = new WebAssembly.Instance(new WebAssembly.Module(countingInterrupt(POLL_EVERY)), {
    e: { f: poll },
  });
  const countdown = helper.exports["c"] as WebAssembly.Global;
  const table = vm.exports.__indirect_function_table;
  const index = table.grow(1, helper.exports["g"]);
  const global = vm.memory.readU32(vm.state + OFFSETS.stateGlobal);
  // A VM that was saved had its interrupt at the same place of the table.
  const before = vm.memory.readU32(global + OFFSETS.globalInterrupt);
  if (before !== 0 && before !== index) throw new Error("luau.wasm: unknown memory layout");
  vm.memory.writeU32(global + OFFSETS.globalInterrupt, index);

  const settle = (): void => {
    Atomics.store(cancelFlag, 0, 0);
    if (stopMessage === undefined) return;
    stopMessage = undefined;
    deadlineMs = Number.POSITIVE_INFINITY;
    countdown.value = POLL_EVERY;
  };

  return {
    settle,
    returned: () => {
      settle();
      generation = -1;
    },
    memoryGrew: () => {
      if (memory.isTight) countdown.value = 1;
    },
  };
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
