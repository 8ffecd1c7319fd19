/**
 * Runs one headless Studio in this process until it is told to end: sockets here on the main thread, the VM in a worker,
 * so that a busy VM neither blocks a socket nor a signal.
 */
import { isOneCommandsOwn } from "../../protocol/launch-id.ts";
import { words } from "../../protocol/words.ts";
import {
  type Pairing,
  PAIRING_MODULE,
  pairingSource,
  type PluginNode,
  withPairing,
} from "../../studio/plugin-tree.ts";
import { Caveats } from "./caveats.ts";
import { Farewell } from "./farewell.ts";
import { lockDataFolderAsync } from "../data/data-lock.ts";
import { type DataChoice, MEMORY } from "../data/data-choice.ts";
import type { FramePipe } from "./frame-pipe.ts";
import { GracefulEnd } from "./graceful-end.ts";
import { HostProof } from "./host-proof.ts";
import type { HeadlessHost } from "./host.ts";
import { LOG_TYPE } from "../bytes/host-ops.ts";
import { Network } from "./network.ts";
import { PARENT_PORT } from "./parent-socket.ts";
import { PlaceOrders } from "./place-orders.ts";
import { PlaceReader } from "./place-reader.ts";
import { PlaceRequests } from "./place-requests.ts";
import type { PlaceSaver } from "./place-saver.ts";
import { encodePluginTree, encodeSavedPlugin } from "./plugin-tree-text.ts";
import { refusalError } from "./refusal.ts";
import { ScriptCancel } from "./script-cancel.ts";
import {
  type FromWorker,
  type HostCall,
  SHARED,
  type StudioStart,
  type ToWorker,
} from "./worker-messages.ts";
import { startVmThread, type VmThread } from "./vm-thread.ts";
import { permissionSettings, refusesChanges } from "../permission.ts";
import { headlessVariants } from "../variants.ts";
import { OUT_OF_MEMORY } from "../vm/errors.ts";
import type { WorldChoice } from "../window/world-choice.ts";
import type { ScreenChoice } from "../window/screen.ts";

export interface HeadlessOptions {
  /** The bridge host that the plugin dials: a port and the key, or the process at the other end of a pipe. */
  readonly bridge: { readonly port: number; readonly pairing: Pairing } | { readonly parent: FramePipe };
  readonly launchId: string;
  readonly placeName?: string;
  /** The place's id at Roblox, for a place that counts as published. */
  readonly placeId?: number;
  /** The place in the form of readPlaceAsync; undefined for a new place. */
  readonly place?: Uint8Array;
  /** Saves the place when asked to, and at the end. An error at the end is logged, and the exit code is then 1. */
  readonly saver?: PlaceSaver;
  /** Default: the plugin of this build. */
  readonly pluginTree?: PluginNode;
  /** The choice of data stores; without it, scripts that use data stores get an error. */
  readonly data?: DataChoice;
  readonly world?: WorldChoice;
  /** True if changes of data stay in this process and are not written to the folder. */
  readonly keepsNoData?: boolean;
  /** The memory that the scripts of each DataModel may use. */
  readonly memoryLimitMb?: number;
  /** The screen of the edited place and of each client. */
  readonly screen?: ScreenChoice;
  /** Ends the Studio with exit code 0. A Studio with a parent also ends with its parent. */
  readonly signal?: AbortSignal;
  /** Called when the engine runs and the plugin has been started. */
  readonly onReady?: () => void;
  /** Called for every error of the Output; `type` is a value of Enum.MessageType. */
  readonly onLog?: (type: number, text: string) => void;
}

export { startVmThread };
export type { VmThread };

/** `ended` means that the Studio was told to end. For the other codes, the reason is logged. */
export const EXIT_CODE = { ended: 0, failed: 1, outOfMemory: 3 } as const;

/**
 * Runs until the Studio ends. Resolves with a value of EXIT_CODE, or with the exit code that the engine asked for. Throws FILE_ERROR
 * if the folder of its data cannot be used.
 */
export async function runHeadlessStudioAsync(
  options: HeadlessOptions,
  thread: VmThread = startVmThread(),
): Promise<number> {
  const folder = writtenFolder(options);
  await using _lock = folder === undefined ? undefined : await lockDataFolderAsync(folder);
  return await runStudioAsync(options, thread);
}

async function runStudioAsync(options: HeadlessOptions, thread: VmThread): Promise<number> {
  using studio = new RunningStudio(options, thread);
  return await studio.ended;
}

/** A Studio while it runs: the sockets of this thread, and the worker that runs its VM. */
class RunningStudio implements Disposable {
  /** Resolves with the exit code. */
  readonly ended: Promise<number>;
  readonly #end: (exitCode: number) => void;
  readonly #refuse: (error: Error) => void;
  readonly #options: HeadlessOptions;
  readonly #worker: Worker;
  readonly #cancel: ScriptCancel;
  readonly #proof: HostProof;
  readonly #farewell: Farewell;
  readonly #network: Network;
  readonly #orders: PlaceOrders;
  readonly #host: HeadlessHost;
  readonly #reader: PlaceReader;
  readonly #requests: PlaceRequests | undefined;
  readonly #caveats: Caveats;
  readonly #leaving: GracefulEnd;
  /** Settled as soon as the worker has been told to start. */
  readonly #started: Promise<void>;

  constructor(options: HeadlessOptions, { worker, luau }: VmThread) {
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    [this.ended, this.#end, this.#refuse] = [promise, resolve, reject];
    [this.#options, this.#worker] = [options, worker];
    const shared = new SharedArrayBuffer(SHARED.cells * Int32Array.BYTES_PER_ELEMENT);
    this.#cancel = new ScriptCancel(shared);
    this.#proof = new HostProof(pairingOf(options).key);
    this.#farewell = new Farewell(!isOneCommandsOwn(options));
    this.#network = this.#newNetwork();
    this.#orders = new PlaceOrders(this.#network, (message) => this.#post(message));
    const { isTrusted, send } = trustOf(this.#network, this.#proof);
    this.#caveats = new Caveats({ isTrusted, send });
    const watchers = {
      cancel: this.#cancel,
      farewell: this.#farewell,
      proof: this.#proof,
      caveats: this.#caveats,
    };
    this.#host = hostOf(options, this.#network, watchers, this.#end);
    this.#reader = new PlaceReader({
      askForPlace: () => this.#post({ kind: "event", event: "savePlace", number: 0, payload: "" }),
      askUnsaved: () => this.#post({ kind: "event", event: "askUnsaved", number: 0, payload: "" }),
    });
    this.#requests = requestsOf(options.saver, this.#network, this.#proof, this.#reader, () => this.#leave());
    this.#leaving = this.#newEnd();
    worker.onmessage = ({ data }: { data: FromWorker }) => this.#take(data);
    worker.onerror = ({ message }) => this.#fail(message);
    const start = startOf(options, shared);
    this.#started = luau.then(
      (module) => this.#post({ kind: "start", start: { ...start, luau: module } }),
      (error: unknown) => this.#fail(String(error)),
    );
    this.#listen();
  }

  [Symbol.dispose](): void {
    this.#leaving[Symbol.dispose]();
    this.#network.closeAll();
    this.#worker.terminate();
  }

  #newNetwork(): Network {
    const { bridge } = this.#options;
    return new Network({
      tell: (event, number, payload, life) =>
        this.#post({ kind: "event", event, number, payload, ...(life === undefined ? {} : { life }) }),
      takeFrame: (id, text) => {
        if (this.#requests?.take(id, text) === true || this.#caveats.take(id, text)) return true;
        this.#proof.seeIncoming(id, text);
        this.#cancel.seeIncoming(text);
        this.#farewell.seeIncoming(id, text);
        return false;
      },
      onClosed: (id) => {
        this.#proof.closed(id);
        this.#cancel.linkLost();
      },
      parent: "parent" in bridge ? bridge.parent : undefined,
    });
  }

  #newEnd(): GracefulEnd {
    const { saver } = this.#options;
    return new GracefulEnd({
      putAwayAsync: saver && (() => saver.putAwayAtEndAsync()),
      askForGoodbye: () => this.#post({ kind: "close" }),
      ended: (reason) => {
        if (reason !== undefined) this.#host.log(LOG_TYPE.error, reason);
        this.#end(reason === undefined ? EXIT_CODE.ended : EXIT_CODE.failed);
      },
    });
  }

  /** Listens to what ends the Studio, and to the orders of its parent. */
  #listen(): void {
    const { bridge, signal } = this.#options;
    if ("parent" in bridge)
      bridge.parent.onOrderAsync = async (order) => JSON.stringify(await this.#orders.followAsync(order));
    if (signal?.aborted === true) this.#end(EXIT_CODE.ended);
    signal?.addEventListener("abort", () => this.#leave(), { once: true });
    void this.#network.parentGone.then(() => this.#leave());
  }

  #post(message: ToWorker): void {
    this.#worker.postMessage(message);
  }

  #take(message: FromWorker): void {
    if (message.kind === "calls") for (const call of message.calls) callHost(this.#host, call);
    else if (message.kind === "dead") this.#fail(message.reason);
    else if (message.kind === "refused") this.#refuse(refusalError(message.refusal));
    else if (message.kind === "closed") this.#leaving.goodbyeSaid();
    else if (message.kind === "done") this.#orders.answered(message.id, message.answer);
    else if (message.kind === "placeSaved") this.#reader.placeGiven(message.place);
    else if (message.kind === "unsavedTold") this.#reader.unsavedTold(message.isUnsaved);
    else this.#options.onReady?.();
  }

  #fail(reason: string): void {
    this.#host.log(LOG_TYPE.error, `Headless Studio ended: ${reason}`);
    for (const { socketId, text } of this.#farewell.frames(reason, this.#cancel.unanswered))
      this.#network.sendSocket(socketId, text);
    this.#end(reason === OUT_OF_MEMORY ? EXIT_CODE.outOfMemory : EXIT_CODE.failed);
  }

  #leave(): void {
    void this.#started.then(() => this.#leaving.beginAsync());
  }
}

/** Absent for a Studio whose place is never saved; its plugin then refuses these requests. */
function requestsOf(
  saver: PlaceSaver | undefined,
  network: Network,
  proof: HostProof,
  reader: PlaceReader,
  end: () => void,
): PlaceRequests | undefined {
  if (saver === undefined) return undefined;
  saver.attach(reader);
  return new PlaceRequests({
    saver,
    refusesChanges: refusesChanges(),
    ...trustOf(network, proof),
    end,
  });
}

/** For requests that this process answers itself. */
const trustOf = (network: Network, proof: HostProof) => ({
  isTrusted: (id: number): boolean => network.isParent(id) || proof.isProven(id),
  send: (id: number, frame: string): void => network.sendSocket(id, frame),
});

function startOf(options: HeadlessOptions, shared: SharedArrayBuffer): Omit<StudioStart, "luau"> {
  const { launchId, place, placeId, data, world, memoryLimitMb, screen } = options;
  return {
    settings: { [words.launchIdSetting]: JSON.stringify(launchId), ...permissionSettings() },
    plugin: pluginOf(options),
    shared,
    variants: headlessVariants(),
    watchesPlace: options.saver?.keepsUnsaved === true,
    ...(place === undefined ? {} : { place }),
    ...(placeId === undefined ? {} : { placeId }),
    ...(data === undefined ? {} : { data, isDataWritten: writtenFolder(options) !== undefined }),
    ...(world === undefined ? {} : { world }),
    ...(memoryLimitMb === undefined ? {} : { memoryLimitMb }),
    ...(screen === undefined ? {} : { screen }),
  };
}

function writtenFolder({ data, keepsNoData = false }: HeadlessOptions): string | undefined {
  return data === undefined || data.place === MEMORY || keepsNoData ? undefined : data.place;
}

function pluginOf(options: HeadlessOptions): Uint8Array {
  const { placeName = "Place1", pluginTree } = options;
  const pairing = pairingOf(options);
  if (pluginTree !== undefined) return encodePluginTree(placeName, withPairing(pluginTree, pairing));
  return encodeSavedPlugin(placeName, PAIRING_MODULE, pairingSource(pairing));
}

/** The key of the plugin. It needs none for the process that started it. */
function pairingOf({ bridge }: HeadlessOptions): Pairing {
  if ("parent" in bridge) return { keyId: "", key: "", port: PARENT_PORT };
  return { ...bridge.pairing, port: bridge.port };
}

function hostOf(
  { onLog }: HeadlessOptions,
  network: Network,
  {
    cancel,
    farewell,
    proof,
    caveats,
  }: {
    readonly cancel: ScriptCancel;
    readonly farewell: Farewell;
    readonly proof: HostProof;
    readonly caveats: Caveats;
  },
  end: (exitCode: number) => void,
): HeadlessHost {
  return {
    log: (type, text) => onLog?.(type, text),
    openSocket: (id, url, headers) => {
      proof.opened(id, url);
      network.openSocket(id, url, headers);
    },
    sendSocket: (id, text) => {
      proof.seeOutgoing(id, text);
      cancel.seeOutgoing(text);
      farewell.seeOutgoing(text);
      network.sendSocket(id, text);
    },
    closeSocket: (id) => network.closeSocket(id),
    requestHttp: (id, request) => network.requestHttp(id, request),
    exit: end,
    noted: (note) => caveats.add(note),
    testStarted: () => caveats.testStarted(),
  };
}

function callHost(host: HeadlessHost, call: HostCall): void {
  switch (call[0]) {
    case "log":
      return host.log(call[1], call[2]);
    case "openSocket":
      return host.openSocket(call[1], call[2], call[3]);
    case "sendSocket":
      return host.sendSocket(call[1], call[2]);
    case "closeSocket":
      return host.closeSocket(call[1]);
    case "requestHttp":
      return host.requestHttp(call[1], call[2]);
    case "exit":
      return host.exit(call[1]);
    case "noted":
      return host.noted(call[1]);
    case "testStarted":
      return host.testStarted();
  }
}
