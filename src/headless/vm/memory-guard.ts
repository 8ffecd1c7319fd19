/**
 * Limits the memory of a VM's scripts: a script that uses too much gets an error, and the VM goes on. The VM has a
 * reserve beyond the limit, in which the engine cleans up. Only when the reserve is used up too is the VM lost.
 */
import type { LuauVm } from "./luau-vm.ts";

/** What the VM may have beyond the limit of its scripts: so much, and a share of the limit. */
const RESERVE_MB = 64;
const RESERVE_SHARE = 0.2;
const BYTES_PER_MB = 2 ** 20;
const PAGES_PER_MB = 16;

/** Where the build of Luau that scripts/build-luau.ts accepts keeps these fields of `lua_State` and `global_State`. */
const OFFSETS = { stateGlobal: 16, gcState: 21, gcThreshold: 36, totalBytes: 40 } as const;
const GC_PAUSE = 0;

/** A collection that must free less than this share of the limit comes again too soon to be worth it. */
const WORTH = 0.1;
/** How much garbage there may be meanwhile. */
const RELIEF_BYTES = (RESERVE_MB / 4) * BYTES_PER_MB;
/**
 * The share of what is in use after which the collector begins again, from a memory to which the VM returns. By itself it would
 * begin with twice as much in use.
 */
const POSTPONED_SHARE = 0.5;
/** How long the engine may take to let go of what a stopped script has left. */
const RELIEF_MS = 2_000;

export class MemoryGuard {
  readonly message: string;
  readonly #vm: LuauVm;
  readonly #limitBytes: number;
  /** A script was stopped, and what it has left is not cleared up yet. */
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

  /** Much has been used, so that it must be looked at often. */
  get isTight(): boolean {
    return this.#vm.memory.sizeBytes > this.#limitBytes;
  }

  /** Whether what runs in that Luau state is to be stopped now. Once it is, the engine may use the reserve. */
  exceeds(state: number): boolean {
    if (!this.isTight || this.#isRelieving || this.#usedBytes <= this.#limitBytes) return false;
    this.#collect(state);
    if (this.#usedBytes <= this.#limitBytes * (1 - WORTH)) return false;
    this.#isRelieving = true;
    return true;
  }

  /**
   * To be called often while anything runs. While the engine clears up after a stopped script, garbage is collected before
   * it fills the reserve. By itself the collector would wait until twice as much is in use.
   */
  relieve(state: number): void {
    if (this.#isRelieving && this.#usedBytes > this.#collectAtBytes) this.#collect(state);
  }

  /** Called when nothing runs. False when what a stopped script has left cannot be cleared up. */
  settle(): boolean {
    if (!this.#isRelieving) return true;
    this.#collect(this.#vm.state);
    this.#isRelieving = this.#usedBytes > this.#limitBytes;
    const nowMs = performance.now();
    this.#reliefEndsAtMs = this.#isRelieving ? Math.min(this.#reliefEndsAtMs, nowMs + RELIEF_MS) : Infinity;
    return nowMs < this.#reliefEndsAtMs;
  }

  /**
   * Called before a memory is kept to which the VM returns again and again: what begins from it would else do the rest of the
   * collector's cycle each time. The next cycle begins when so much more is in use.
   */
  postponeCollection(): void {
    this.#endCycle(this.#vm.state);
    this.#vm.memory.writeU32(this.#global + OFFSETS.gcThreshold, this.#usedBytes * (1 + POSTPONED_SHARE));
  }

  get #usedBytes(): number {
    return this.#vm.memory.readU32(this.#global + OFFSETS.totalBytes);
  }

  get #global(): number {
    return this.#vm.memory.readU32(this.#vm.state + OFFSETS.stateGlobal);
  }

  /** Ends the cycle of the garbage collector that is under way, and makes a whole one. */
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
