/**
 * A Luau VM with the engine booted in it: registers its buffers, answers its calls, tells it events. Synchronous; owns
 * no timer and no socket.
 */
import type { EngineSources, HeadlessAssets } from "../assets.ts";
import {
  HOST_EVENTS,
  HOST_OPS,
  type HostEvent,
  type HostOp,
  REPLY_FAILED,
  REPLY_TOO_LARGE,
} from "../bytes/host-ops.ts";
import { type ExecutionControl, Interrupt } from "./interrupt.ts";
import { CONTROL } from "./layout.ts";
import { encodeLineHits, readLineHits } from "./line-hits.ts";
import { OUT_OF_MEMORY } from "./errors.ts";
import { type KeptVm, LuauVm } from "./luau-vm.ts";
import { bufferDataAt, Mailbox, type MailboxMessage } from "./mailbox.ts";
import { decodeUtf8, encodeUtf8 } from "./memory.ts";
import { MemoryGuard } from "./memory-guard.ts";
import { decodeSnapshot, encodeSnapshot, numberOf, type VmSnapshot } from "./snapshot.ts";
import { type Clock, RewindableClock, systemClock } from "./system-imports.ts";
import { checkEnvironmentLayout, markSafeEnvironment, thawTable } from "./tables.ts";

const BOOTSTRAP = "Kernel/Bootstrap";

/** The answer to a call of the engine: a number, bytes, both or nothing. */
interface HostReply {
  readonly number?: number;
  readonly text?: string | Uint8Array;
}

export type HostOpHandlers = Readonly<
  Record<
    Exclude<HostOp, "takeReply" | "loadChunk" | "readLineHits" | "markSafeEnvironment" | "thawTable">,
    HostOpHandler
  >
>;
type HostOpHandler = (message: MailboxMessage) => HostReply | undefined;

interface EngineVmOptions {
  readonly assets: HeadlessAssets;
  readonly handlers: HostOpHandlers;
  /** The clocks that the VM sees; default: those of the system. */
  readonly clock?: Clock;
  /** The memory that scripts may use. The VM itself may use a little more. */
  readonly memoryLimitMb: number;
  /** Seconds that one resumption may take when no script has set another budget. */
  readonly budgetSeconds: number;
  /** `cancelMark` in it cancels what runs; reset when the VM is idle again. */
  readonly cancelFlag: Int32Array;
  readonly cancelMark: number;
  /** Called repeatedly while the VM works. */
  readonly onPoll?: () => void;
}

interface Reply {
  readonly number: number;
  readonly bytes: Uint8Array;
}

/** An engine at rest, for the same VM in the same process. */
export interface KeptEngine {
  readonly vm: KeptVm;
  readonly mailboxAt: number;
  readonly mailboxBytes: number;
  readonly controlAt: number;
  readonly elapsedMs: number;
}

/** Steps of the garbage collector, a few microseconds each, between two looks at the clock. */
const GC_STEPS = 16;

export class EngineVm {
  readonly #vm: LuauVm;
  readonly #mailbox: Mailbox;
  readonly #sources: EngineSources;
  readonly #handlers: HostOpHandlers;
  /** Set once the VM is up. */
  #interrupt: Interrupt | undefined;
  readonly #memoryGuard: MemoryGuard;
  readonly #clock: RewindableClock;
  readonly #dispatch: number;
  #controlAt = 0;
  #waitingReply: Reply | undefined;

  constructor(options: EngineVmOptions) {
    this.#handlers = options.handlers;
    const { engine, luau } = options.assets;
    const snapshot = "snapshot" in engine ? decodeSnapshot(engine.snapshot) : undefined;
    this.#sources = "sources" in engine ? engine.sources : {};
    this.#clock = new RewindableClock(options.clock ?? systemClock);
    this.#vm = new LuauVm(luau, {
      maxPages: MemoryGuard.maxPages(options.memoryLimitMb),
      onPrint: (text) =>
        this.#handlers.log({ op: 0, number: 0, first: encodeUtf8(text), second: new Uint8Array() }),
      clock: this.#clock,
      onRing: (state) => this.#answer(state),
      onGrown: () => this.#interrupt?.memoryGrew(),
      ...(snapshot === undefined ? {} : { snapshot }),
      hostFunctions: {
        __hostRegister: ([what = "", ...args]) => this.#register(what, args),
        __hostLoadModule: ([path = ""]) => this.#loadModule(path),
      },
    });
    this.#mailbox = new Mailbox(this.#vm.memory);
    this.#memoryGuard = new MemoryGuard(this.#vm, options.memoryLimitMb);
    this.#interrupt = new Interrupt(this.#vm, this.#control(options.budgetSeconds), {
      cancelFlag: options.cancelFlag,
      cancelMark: options.cancelMark,
      memory: this.#memoryGuard,
      onPoll: options.onPoll ?? (() => {}),
      onStop: (state) => {
        this.#mailbox.write(HOST_EVENTS.indexOf("scriptStopped"), 0, new Uint8Array());
        this.#vm.callInside(state, this.#dispatch);
      },
    });
    this.#dispatch = snapshot === undefined ? this.#boot() : this.#resume(snapshot);
  }

  /** This VM as it is now, for the `snapshot` of other processes' assets. */
  takeSnapshot(): Uint8Array<ArrayBuffer> {
    this.#memoryGuard.collectAll();
    return encodeSnapshot(
      this.#vm.snapshot({
        dispatch: this.#dispatch,
        mailboxAt: this.#mailbox.at,
        mailboxBytes: this.#mailbox.sizeBytes,
        controlAt: this.#controlAt,
      }),
    );
  }

  /** Keeps the present state of this engine. Call it between two events. */
  keep(): KeptEngine {
    this.#memoryGuard.postponeCollection();
    return {
      vm: this.#vm.keep(),
      mailboxAt: this.#mailbox.at,
      mailboxBytes: this.#mailbox.sizeBytes,
      controlAt: this.#controlAt,
      elapsedMs: this.#clock.elapsedMs(),
    };
  }

  /** Returns to a state that `keep` gave, even after the VM has died. The engine's clock goes on from that moment. */
  returnTo(kept: KeptEngine): void {
    this.#vm.returnTo(kept.vm);
    this.#mailbox.moveTo(kept.mailboxAt, kept.mailboxBytes);
    this.#controlAt = kept.controlAt;
    this.#waitingReply = undefined;
    this.#clock.setBackTo(kept.elapsedMs);
    this.#interrupt?.returned();
    this.#memoryGuard.settle();
  }

  #boot(): number {
    const source = encodeUtf8(this.#sources[BOOTSTRAP] ?? "");
    const bootstrap = this.#vm.load(source, `=[engine]/${BOOTSTRAP}`);
    const dispatch = Number(this.#vm.callWithGlobals(bootstrap));
    this.#vm.unreference(bootstrap);
    return dispatch;
  }

  #resume(snapshot: VmSnapshot): number {
    this.#mailbox.moveTo(numberOf(snapshot, "mailboxAt"), numberOf(snapshot, "mailboxBytes"));
    this.#controlAt = numberOf(snapshot, "controlAt");
    return numberOf(snapshot, "dispatch");
  }

  /** Sends an event to the engine and runs due threads. Returns the seconds until the next thread is due, or -1 for none. */
  dispatch(event: HostEvent, number = 0, payload: string | Uint8Array = ""): number {
    const bytes = typeof payload === "string" ? encodeUtf8(payload) : payload;
    if (!this.#mailbox.fits(bytes.length)) {
      // Room for the header and for a second event of this size without growing again.
      this.#mailbox.write(HOST_EVENTS.indexOf("growMailbox"), bytes.length * 2 + 64, new Uint8Array());
      this.#vm.call(this.#dispatch);
    }
    this.#mailbox.write(HOST_EVENTS.indexOf(event), number, bytes);
    // A cancel that came too late for the last event must not hit this one.
    this.#interrupt?.settle();
    try {
      this.#vm.call(this.#dispatch);
    } finally {
      this.#interrupt?.settle();
    }
    if (!this.#memoryGuard.settle()) throw this.#vm.kill(OUT_OF_MEMORY);
    return this.#mailbox.readNumber();
  }

  /** Collects garbage for about this long. Call it while nothing runs. */
  collectGarbage(budgetMs: number): void {
    const endMs = performance.now() + budgetMs;
    do {
      for (let step = 0; step < GC_STEPS; step += 1) this.#vm.exports.collect_step(this.#vm.state);
    } while (performance.now() < endMs);
  }

  get memoryBytes(): number {
    return this.#vm.memory.sizeBytes;
  }

  /** True once memory has run out; the VM ends with the event that it handles. */
  get isExhausted(): boolean {
    return this.#vm.memory.isExhausted;
  }

  #control(defaultBudgetSeconds: number): ExecutionControl {
    const { memory } = this.#vm;
    return {
      generation: () => memory.readU32(this.#controlAt + CONTROL.generation),
      shielded: () => memory.readU32(this.#controlAt + CONTROL.shield) !== 0,
      budgetSeconds: () =>
        memory.view.getFloat64(this.#controlAt + CONTROL.budget, true) || defaultBudgetSeconds,
    };
  }

  #register(what: string, [address = "", size = ""]: readonly string[]) {
    const { memory } = this.#vm;
    switch (what) {
      case "mailbox":
        this.#mailbox.moveTo(bufferDataAt(memory, address, Number(size)), Number(size));
        return undefined;
      case "control":
        this.#controlAt = bufferDataAt(memory, address, Number(size));
        return undefined;
      case "environments":
        checkEnvironmentLayout(memory, address, size);
        return undefined;
      default:
        throw new Error(`nothing to register as ${what}`);
    }
  }

  #loadModule(path: string): ((state: number) => number) | undefined {
    const source = this.#sources[path];
    if (source === undefined) return undefined;
    return (state) => {
      // On the first line, so that line numbers hold.
      this.#vm.pushChunk(state, encodeUtf8(`local require = ...; ${source}`), `=[engine]/${path}`);
      return 1;
    };
  }

  #answer(state: number): number {
    const message = this.#mailbox.read();
    const op = HOST_OPS[message.op];
    if (op === "loadChunk") {
      const name = decodeUtf8(message.second);
      if (message.number === 1) this.#vm.pushCountedChunk(state, message.first, name);
      else this.#vm.pushChunk(state, message.first, name);
      return 1;
    }
    try {
      this.#reply(this.#replyTo(op, message));
    } catch (error) {
      const reason = encodeUtf8(error instanceof Error ? error.message : String(error));
      this.#mailbox.write(REPLY_FAILED, 0, reason);
    }
    return 0;
  }

  #reply(reply: Reply): void {
    if (this.#mailbox.fits(reply.bytes.length)) {
      this.#mailbox.write(0, reply.number, reply.bytes);
    } else {
      this.#waitingReply = reply;
      this.#mailbox.write(REPLY_TOO_LARGE, reply.bytes.length * 2 + 64, new Uint8Array());
    }
  }

  #replyTo(op: HostOp | undefined, message: MailboxMessage): Reply {
    if (op === undefined) throw new Error(`no host operation ${message.op}`);
    if (op === "takeReply") {
      const reply = this.#waitingReply;
      this.#waitingReply = undefined;
      if (reply === undefined) throw new Error("no reply is waiting");
      return reply;
    }
    if (op === "markSafeEnvironment" || op === "thawTable") {
      const change = op === "thawTable" ? thawTable : markSafeEnvironment;
      change(this.#vm.memory, decodeUtf8(message.first));
      return { number: 0, bytes: new Uint8Array() };
    }
    if (op === "readLineHits") {
      const chunkAt = Number.parseInt(decodeUtf8(message.first).replace(/^function: 0x/, ""), 16);
      const hits = readLineHits(this.#vm.memory, chunkAt, message.number === 1);
      return { number: 0, bytes: encodeLineHits(hits) };
    }
    if (op === "loadChunk") throw new Error("loadChunk has no reply");
    const { number = 0, text = "" } = this.#handlers[op](message) ?? {};
    return { number, bytes: typeof text === "string" ? encodeUtf8(text) : text };
  }
}
