/**
 * Limits the memory of a VM's scripts: a script that uses too much gets an error, and the VM goes on. The VM has a
 * reserve beyond the limit, in which the engine cleans up. Only when the reserve is used up too is the VM lost.
 */
import type { LuauVm } from "./luau-vm.ts";

/** The memory that the VM may use beyond the limit of its scripts: this much, and a share of the limit. */
const RESERVE_MB = 64;
const RESERVE_SHARE = 0.2;
const BYTES_PER_MB = 2 ** 20;
const PAGES_PER_MB = 16;

/** Where the build of Luau that scripts/build-luau.ts accepts keeps these fields of `lua_State` and `global_State`. */
const OFFSETS = { stateGlobal: 16, gcState: 21, gcThreshold: 36, totalBytes: 40 } as const;
const GC_PAUSE = 0;

/** A collection that frees less than this share of the limit is not worth its time, because the next one would follow too soon. */
const WORTH = 0.1;
/** The garbage that may collect while the engine cleans up after a stopped script. */
const RELIEF_BYTES = (RESERVE_MB / 4) * BYTES_PER_MB;
/**
 * The share of what is in use after which the collector begins again, from a memory to which the VM returns. By itself it would
 * begin with twice as much in use.
 */
const POSTPONED_SHARE = 0.5;
/** Time for the engine to clean up after a stopped script. */
const RELIEF_MS = 2_000;

export class MemoryGuard {
  readonly message: string;
  readonly #vm: LuauVm;
  readonly #limitBytes: number;
  /** True if a script was stopped and the engine still cleans up after it. */
  #isRelieving = false;
  #reliefEndsAtMs = Infinity;
  #collectAtBytes = 0;

  constructor(vm: LuauVm, limitMb: number) {
    this.#vm = vm;
    this.#limitBytes = limitMb * BYTES_PER_MB;
    this.message = `not enough memory: scripts may use ${limitMb} MB (--memory MB sets another limit)`;
  }

  /** The most that the memory of a VM may grow to, in pages. */
  static maxPages(limitMb: number): number {
    return Math.ceil(limitMb * (1 + RESERVE_SHARE) + RESERVE_MB) * PAGES_PER_MB;
  }

  /** True if much memory is in use, so that it has to be checked often. */
  get isTight(): boolean {
    return this.#vm.memory.sizeBytes > this.#limitBytes;
  }

  /** True if the script in this Luau state has to be stopped now. The engine may then use the reserve. */
  exceeds(state: number): boolean {
    if (!this.isTight || this.#isRelieving || this.#usedBytes <= this.#limitBytes) return false;
    this.#collect(state);
    if (this.#usedBytes <= this.#limitBytes * (1 - WORTH)) return false;
    this.#isRelieving = true;
    return true;
  }

  /**
   * Collects garbage while the engine cleans up after a stopped script, before the garbage fills the reserve; by default, the
   * collector would wait until twice as much memory is in use. Call it often while anything runs.
   */
  relieve(state: number): void {
    if (this.#isRelieving && this.#usedBytes > this.#collectAtBytes) this.#collect(state);
  }

  /** Called when nothing runs. Returns false if the engine could not clean up after a stopped script. */
  settle(): boolean {
    if (!this.#isRelieving) return true;
    this.#collect(this.#vm.state);
    this.#isRelieving = this.#usedBytes > this.#limitBytes;
    const nowMs = performance.now();
    this.#reliefEndsAtMs = this.#isRelieving ? Math.min(this.#reliefEndsAtMs, nowMs + RELIEF_MS) : Infinity;
    return nowMs < this.#reliefEndsAtMs;
  }

  /**
   * Called before a memory is kept to which the VM returns repeatedly. It ends the collector's cycle, because otherwise the rest of the
   * same cycle would run after each return. The next cycle begins when POSTPONED_SHARE more memory is in use.
   */
  postponeCollection(): void {
    this.#endCycle(this.#vm.state);
    this.#vm.memory.writeU32(this.#global + OFFSETS.gcThreshold, this.#usedBytes * (1 + POSTPONED_SHARE));
  }

  /** Collects all garbage before a memory is saved. What is allocated afterwards then takes its place, so that less memory is in use. */
  collectAll(): void {
    // What a first collection finds unreachable by weak references is freed by a second one.
    this.#collect(this.#vm.state);
    this.#collect(this.#vm.state);
    this.postponeCollection();
  }

  get #usedBytes(): number {
    return this.#vm.memory.readU32(this.#global + OFFSETS.totalBytes);
  }

  get #global(): number {
    return this.#vm.memory.readU32(this.#vm.state + OFFSETS.stateGlobal);
  }

  /** Ends the present cycle of the garbage collector, and runs a complete one. */
  #collect(state: number): void {
    this.#endCycle(state);
    this.#vm.exports.collect_step(state);
    this.#endCycle(state);
    this.#collectAtBytes = this.#usedBytes + RELIEF_BYTES;
  }

  #endCycle(state: number): void {
    const { memory, exports } = this.#vm;
    while (memory.bytes[this.#global + OFFSETS.gcState] !== GC_PAUSE) exports.collect_step(state);
  }
}
