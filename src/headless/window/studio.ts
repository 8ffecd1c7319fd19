/**
 * One DataModel of a headless Studio on the calling thread: the engine's VM, its timer, its settings. The host provides
 * sockets, HTTP and the process; the window connects it with other DataModels.
 */
import { pictureHandlers } from "../bytes/picture-handlers.ts";
import type { HeadlessAssets } from "../assets.ts";
import { type ClassData, openClassData } from "../../roblox/class-data.ts";
import { fileHandlers } from "../bytes/file-handlers.ts";
import { dataHandlers } from "../data/data-handlers.ts";
import type { LocalData } from "../data/local-data.ts";
import { encodingHandlers } from "../bytes/encoding-handlers.ts";
import { fontHandlers } from "../fonts/font-handlers.ts";
import { isOfType } from "../process/frame-text.ts";
import type { HeadlessHost } from "../process/host.ts";
import { noteKind } from "../process/note-tally.ts";
import type { HostEvent } from "../bytes/host-ops.ts";
import { EngineVm, type HostOpHandlers, type KeptEngine } from "../vm/engine-vm.ts";
import { LuauVmDeadError } from "../vm/errors.ts";
import { fixtureHandlers, FixtureState } from "./fixtures.ts";
import { type ScriptsUsed, UsedScripts } from "./used-scripts.ts";
import { decodeUtf8 } from "../vm/memory.ts";
import { type ScreenChoice, screenText } from "./screen.ts";
import { type WindowCalls, windowHandlers } from "./window-calls.ts";
import { USUAL_WORLD, type WorldChoice, worldHandlers } from "./world-choice.ts";

/** A longer timer would fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;
/** The time between two frames, which run only while a thread waits for them. */
const FRAME_MS = 1000 / 60;
/** Times of the engine and of the host may differ by so much. */
const TOLERANCE_MS = 2;
const DEFAULT_MEMORY_LIMIT_MB = 512;
/** As in Studio, where the collector goes on with every frame, so that weak tables are cleared where nothing is allocated. */
const GC_BUDGET_MS = 0.5;
/** UNVERIFIED: the default of settings().Studio.ScriptTimeoutLength is 10 seconds. It is not documented. */
const DEFAULT_BUDGET_SECONDS = 10;

export interface HeadlessStudioOptions {
  readonly assets: HeadlessAssets;
  readonly host: HeadlessHost;
  /** What the DataModel asks of the window it is part of; without one it can start no test. */
  readonly window?: WindowCalls;
  /** Plugin settings as JSON texts by key, which all DataModels of a Studio share. */
  readonly settings?: Map<string, string>;
  /** What data stores contain, which all DataModels of a Studio share; without it they refuse every script. */
  readonly data?: LocalData;
  readonly world?: WorldChoice;
  /** Names of `variants.ts`: what is different from a usual headless Studio. */
  readonly variants?: readonly string[];
  /** The place's id at Roblox; 0 for one that is not published. */
  readonly placeId?: number;
  /** The screen of the edited place and of each client; what it leaves out is as usual. */
  readonly screen?: ScreenChoice;
  /** What has come of the fixtures, which all DataModels of a Studio share. */
  readonly fixtureState?: FixtureState;
  readonly memoryLimitMb?: number;
  readonly scriptTimeoutSeconds?: number;
  /** Shared between threads: `cancelMark` in it cancels the script that runs. */
  readonly cancelFlag?: Int32Array;
  /** 1 where it isn't given. */
  readonly cancelMark?: number;
  /** Answers the event savePlace; the bytes are those of files/engine-bytes.ts. */
  readonly onPlaceSaved?: (place: Uint8Array) => void;
  /** The place could not be opened whole. */
  readonly onPlaceFailed?: (reason: string) => void;
  /** Answers the event askUnsaved. */
  readonly onUnsavedTold?: (isUnsaved: boolean) => void;
  /** Told when the VM starts and stops working. */
  readonly onBusy?: (isBusy: boolean) => void;
  /** Called again and again while the VM works. */
  readonly onPoll?: () => void;
  /** The VM is gone while no caller was there to be told by an error. */
  readonly onDead?: (reason: string) => void;
}

export class HeadlessStudio {
  readonly #vm: EngineVm;
  readonly #used = new UsedScripts();
  readonly #onBusy: (isBusy: boolean) => void;
  readonly #onDead: (reason: string) => void;
  #timer: NodeJS.Timeout | undefined;
  /** The time at which the engine wants to run next. */
  #dueMs = Infinity;
  /** To be called when the frame that was due at `frameMs` has run. */
  #afterFrame: { readonly frameMs: number; readonly done: () => void }[] = [];
  #closed = false;
  #clockTold = Infinity;

  constructor(options: HeadlessStudioOptions) {
    this.#onBusy = options.onBusy ?? (() => {});
    this.#onDead = options.onDead ?? (() => {});
    this.#vm = new EngineVm({
      assets: options.assets,
      handlers: {
        ...classDataHandlers(options.assets.classData),
        ...settingHandlers(options.settings ?? new Map()),
        variants: () => ({ text: (options.variants ?? []).join(" ") }),
        placeId: () => ({ text: String(options.placeId ?? 0) }),
        ...fontHandlers(options.assets.fontData, options.screen?.fontsFolder),
        ...pictureHandlers(options.assets.outlineData, options.world?.fixtures),
        screen: () => ({ text: screenText(options.screen ?? {}) }),
        ...hostHandlers(options.host, () => this.#vm.isExhausted),
        ...encodingHandlers,
        ...dataHandlers(options.data),
        ...worldHandlers(options.world ?? USUAL_WORLD),
        ...fixtureHandlers(options.world?.fixtures, options.fixtureState ?? new FixtureState()),
        ...fileHandlers(options.assets.classData),
        placeSaved: ({ first }) => void options.onPlaceSaved?.(new Uint8Array(first)),
        placeFailed: ({ first }) => void options.onPlaceFailed?.(decodeUtf8(first)),
        unsavedTold: ({ number }) => void options.onUnsavedTold?.(number !== 0),
        ...windowHandlers(options.window),
        clockTold: ({ number }) => void (this.#clockTold = number < 0 ? Infinity : number),
        scriptUsed: ({ number, first }) => void this.#used.add(decodeUtf8(first), number !== 0),
      },
      memoryLimitMb: options.memoryLimitMb ?? DEFAULT_MEMORY_LIMIT_MB,
      budgetSeconds: options.scriptTimeoutSeconds ?? DEFAULT_BUDGET_SECONDS,
      cancelFlag: options.cancelFlag ?? new Int32Array(1),
      cancelMark: options.cancelMark ?? 1,
      onPoll: options.onPoll ?? (() => {}),
    });
    this.dispatch("start", randomSeed());
  }

  /** Runs a chunk with the globals of a script until it first yields; its errors go to the log. */
  runSource(chunkName: string, source: string): void {
    this.dispatch("runSource", 0, `${chunkName}\0${source}`);
  }

  /** Tells the engine an event, then keeps it running at its own pace. Throws LuauVmDeadError when the VM is gone. */
  dispatch(event: HostEvent, number?: number, payload?: string | Uint8Array): void {
    if (this.#closed) return;
    this.#onBusy(true);
    try {
      this.#schedule(this.#vm.dispatch(event, number, payload));
    } finally {
      this.#onBusy(false);
    }
  }

  /** Notes from now on which scripts are used. */
  noteScripts(): void {
    this.dispatch("noteScripts");
  }

  /** What was used since the notes began, or since the last call. */
  takeUsed(): ScriptsUsed {
    return this.#used.take();
  }

  /** This DataModel as it is now. To be called between two events. */
  keep(): KeptEngine {
    return this.#vm.keep();
  }

  /** Returns to what `keep` gave, and runs on from there. */
  returnTo(kept: KeptEngine): void {
    this.#vm.returnTo(kept);
    this.dispatch("returned", randomSeed());
  }

  /** Calls `done` when the next frame has run; at once if none is due, because no thread waits for it. */
  afterFrame(done: () => void): void {
    if (this.#dueMs > performance.now() + FRAME_MS + TOLERANCE_MS) done();
    else this.#afterFrame.push({ frameMs: this.#dueMs, done });
  }

  /** Seconds of the held clock until the next frame that a thread waits for; Infinity for none. */
  clockDueSeconds(): number {
    this.#clockTold = Infinity;
    this.dispatch("tellClock");
    return this.#clockTold;
  }

  /** Moves the held clock by so much, or by some frames; gives the seconds that it has moved. */
  moveClock(seconds: number): number {
    this.#clockTold = seconds;
    this.dispatch("moveClockFar", seconds);
    return this.#clockTold;
  }

  /** True while a thread waits for time to pass. */
  get hasTimer(): boolean {
    return this.#timer !== undefined;
  }

  get memoryBytes(): number {
    return this.#vm.memoryBytes;
  }

  [Symbol.dispose](): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#setDue(Infinity);
  }

  /** A frame that was due has run as soon as the engine is due later. A timer may end too early, so that it proves nothing. */
  #setDue(dueMs: number): void {
    this.#dueMs = dueMs;
    const hasRun = ({ frameMs }: { readonly frameMs: number }): boolean => frameMs + TOLERANCE_MS < dueMs;
    const ended = this.#afterFrame.filter(hasRun);
    this.#afterFrame = this.#afterFrame.filter((each) => !hasRun(each));
    for (const { done } of ended) done();
  }

  #schedule(dueSeconds: number): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#setDue(dueSeconds < 0 ? Infinity : performance.now() + dueSeconds * 1000);
    if (dueSeconds < 0 || this.#closed) return;
    // A script may wait for years; the tick then finds nothing to do and waits again.
    const delayMs = Math.min(dueSeconds * 1000, MAX_TIMER_MS);
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#tick();
    }, delayMs);
  }

  #tick(): void {
    try {
      this.dispatch("tick");
      if (!this.#closed) this.#vm.collectGarbage(GC_BUDGET_MS);
    } catch (error) {
      if (!(error instanceof LuauVmDeadError)) throw error;
      this.#onDead(error.message);
    }
  }
}

function randomSeed(): number {
  const [seed = 0] = crypto.getRandomValues(new Int32Array(1));
  return seed;
}

/** Answers about classes and enums out of the text of build/classes.txt, which is read at the first question. */
export function classDataHandlers(
  text: () => string,
): Pick<HostOpHandlers, "classData" | "enumData" | "classNames" | "enumNames"> {
  let opened: ClassData | undefined;
  const data = (): ClassData => (opened ??= openClassData(text()));
  return {
    classData: ({ first }) => ({ text: data().classLine(decodeUtf8(first)) ?? "" }),
    enumData: ({ first }) => ({ text: data().enumItems(decodeUtf8(first)) ?? "" }),
    classNames: () => ({ text: data().classNames().join("\n") }),
    enumNames: () => ({ text: data().enumNames().join("\n") }),
  };
}

function settingHandlers(settings: Map<string, string>): Pick<HostOpHandlers, "getSetting" | "setSetting"> {
  return {
    getSetting: ({ first }) => ({ text: settings.get(decodeUtf8(first)) ?? "" }),
    setSetting: ({ first, second }) => {
      if (second.length === 0) settings.delete(decodeUtf8(first));
      else settings.set(decodeUtf8(first), decodeUtf8(second));
      return undefined;
    },
  };
}

type ProcessOp =
  | "log"
  | "makeGuid"
  | "unixTime"
  | "openSocket"
  | "sendSocket"
  | "closeSocket"
  | "requestHttp"
  | "noted"
  | "exit";

function hostHandlers(host: HeadlessHost, isExhausted: () => boolean): Pick<HostOpHandlers, ProcessOp> {
  return {
    log: ({ number, first }) => void host.log(number, decodeUtf8(first)),
    makeGuid: () => ({ text: crypto.randomUUID() }),
    unixTime: () => ({ number: Date.now() / 1000 }),
    openSocket: ({ number, first, second }) =>
      void host.openSocket(number, decodeUtf8(first), JSON.parse(decodeUtf8(second))),
    sendSocket: ({ number, first }) => {
      const text = decodeUtf8(first);
      // What a VM without memory says of itself misleads: it is about to be ended. What was printed before is true.
      if (!isExhausted() || isOfType(text, "output")) host.sendSocket(number, text);
      return undefined;
    },
    closeSocket: ({ number }) => void host.closeSocket(number),
    requestHttp: ({ number, first, second }) =>
      void host.requestHttp(number, { ...JSON.parse(decodeUtf8(first)), body: new Uint8Array(second) }),
    noted: ({ number, first, second }) =>
      void host.noted({ kind: noteKind(decodeUtf8(first)), name: decodeUtf8(second), count: number }),
    exit: ({ number }) => void host.exit(number),
  };
}
