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
import { Farewell } from "./farewell.ts";
import { lockDataFolderAsync } from "../data/data-lock.ts";
import { type DataChoice, MEMORY } from "../data/data-choice.ts";
import type { FramePipe } from "./frame-pipe.ts";
import { GracefulEnd } from "./graceful-end.ts";
import type { HeadlessHost } from "./host.ts";
import { LOG_TYPE } from "../bytes/host-ops.ts";
import { Network } from "./network.ts";
import { PARENT_PORT } from "./parent-socket.ts";
import { encodePluginTree, encodeSavedPlugin } from "./plugin-tree-text.ts";
import { refusalError } from "./refusal.ts";
import { ScriptCancel } from "./script-cancel.ts";
import {
  type FromWorker,
  type HostCall,
  type OrderAnswer,
  PLACE_ORDERS,
  SHARED,
  type StudioStart,
  type ToWorker,
} from "./worker-messages.ts";
import { startVmThread, type VmThread } from "./vm-thread.ts";
import { headlessVariants } from "../variants.ts";
import { OUT_OF_MEMORY } from "../vm/errors.ts";

export interface HeadlessOptions {
  /** The bridge host that the plugin dials: a port and the key, or the process at the other end of a pipe. */
  readonly bridge: { readonly port: number; readonly pairing: Pairing } | { readonly parent: FramePipe };
  readonly launchId: string;
  readonly placeName?: string;
  /** The place in the form of readPlaceAsync; undefined for a new place. */
  readonly place?: Uint8Array;
  /** Saves the place when the Studio is told to end. An error of it is logged, and the exit code is then 1. */
  readonly savePlaceAsync?: (place: Uint8Array) => Promise<void>;
  /** Default: the plugin of this build. */
  readonly pluginTree?: PluginNode;
  /** The choice of data stores; without it, scripts that use data stores get an error. */
  readonly data?: DataChoice;
  /** True if changes of data stay in this process and are not written to the folder. */
  readonly keepsNoData?: boolean;
  /** The memory that the scripts of each DataModel may use. */
  readonly memoryLimitMb?: number;
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

function runStudioAsync(options: HeadlessOptions, { worker, luau }: VmThread): Promise<number> {
  const { promise: ended, resolve: end, reject: refuse } = Promise.withResolvers<number>();
  const shared = new SharedArrayBuffer(SHARED.cells * Int32Array.BYTES_PER_ELEMENT);
  const cancel = new ScriptCancel(shared);
  const farewell = new Farewell(!isOneCommandsOwn(options));
  const post = (message: ToWorker): void => worker.postMessage(message);
  const network = new Network({
    tell: (event, number, payload, life) =>
      post({ kind: "event", event, number, payload, ...(life === undefined ? {} : { life }) }),
    onFrame: (id, text) => {
      cancel.seeIncoming(text);
      farewell.seeIncoming(id, text);
    },
    onClosed: () => cancel.linkLost(),
    parent: "parent" in options.bridge ? options.bridge.parent : undefined,
  });
  const host = hostOf(options, network, { cancel, farewell }, end);
  const fail = (reason: string): void => {
    host.log(LOG_TYPE.error, `Headless Studio ended: ${reason}`);
    for (const { socketId, text } of farewell.frames(reason, cancel.unanswered))
      network.sendSocket(socketId, text);
    end(reason === OUT_OF_MEMORY ? EXIT_CODE.outOfMemory : EXIT_CODE.failed);
  };

  worker.onmessage = ({ data }: { data: FromWorker }) => {
    if (data.kind === "calls") for (const call of data.calls) callHost(host, call);
    else if (data.kind === "dead") fail(data.reason);
    else if (data.kind === "refused") refuse(refusalError(data.refusal));
    else if (data.kind === "closed") end(EXIT_CODE.ended);
    else if (data.kind === "done") answered(data.id, data.answer);
    else if (data.kind === "placeSaved") void leaving.saveAsync(data.place);
    else options.onReady?.();
  };
  worker.onerror = ({ message }) => fail(message);
  const leaving = new GracefulEnd({
    askForPlace: () => post({ kind: "event", event: "savePlace", number: 0, payload: "" }),
    savePlaceAsync: options.savePlaceAsync,
    askForGoodbye: () => post({ kind: "close" }),
    ended: (reason) => {
      if (reason !== undefined) host.log(LOG_TYPE.error, reason);
      end(reason === undefined ? EXIT_CODE.ended : EXIT_CODE.failed);
    },
  });
  let isKept = false;
  let lastOrder = 0;
  const followed = new Map<number, (answer: OrderAnswer) => void>();
  const answered = (id: number, answer: OrderAnswer): void => {
    followed.get(id)?.(answer);
    followed.delete(id);
  };
  const followAsync = async (word: string): Promise<OrderAnswer> => {
    const order = PLACE_ORDERS.find((each) => each === word);
    if (order === undefined) return { fault: `unknown order ${word}` };
    const isLater = order === "returnAfterScript";
    if ((order === "return" || isLater) && !isKept) return { fault: "nothing was kept" };
    if (order === "return" && !network.returnToKept()) return OTHER_CONNECTION;
    const { promise, resolve } = Promise.withResolvers<OrderAnswer>();
    const id = ++lastOrder;
    followed.set(id, resolve);
    post({ kind: "order", id, order });
    const answer = await promise;
    if ("fault" in answer) return answer;
    if (isLater && !network.returnToKept()) return OTHER_CONNECTION;
    if (order === "keep") {
      network.keep();
      isKept = true;
    }
    return answer;
  };
  if ("parent" in options.bridge)
    options.bridge.parent.onOrderAsync = async (order) => JSON.stringify(await followAsync(order));
  const start = startOf(options, shared);
  const started = luau.then(
    (module) => post({ kind: "start", start: { ...start, luau: module } }),
    (error: unknown) => fail(String(error)),
  );
  const leave = (): void => void started.then(() => leaving.begin());
  if (options.signal?.aborted === true) end(EXIT_CODE.ended);
  options.signal?.addEventListener("abort", leave, { once: true });
  void network.parentGone.then(leave);

  return ended.finally(() => {
    leaving[Symbol.dispose]();
    network.closeAll();
    worker.terminate();
  });
}

const OTHER_CONNECTION: OrderAnswer = { fault: "the plugin has another connection by now" };

function startOf(options: HeadlessOptions, shared: SharedArrayBuffer): Omit<StudioStart, "luau"> {
  const { launchId, place, data, memoryLimitMb } = options;
  return {
    settings: { [words.launchIdSetting]: JSON.stringify(launchId) },
    plugin: pluginOf(options),
    shared,
    variants: headlessVariants(),
    ...(place === undefined ? {} : { place }),
    ...(data === undefined ? {} : { data, isDataWritten: writtenFolder(options) !== undefined }),
    ...(memoryLimitMb === undefined ? {} : { memoryLimitMb }),
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
  { cancel, farewell }: { readonly cancel: ScriptCancel; readonly farewell: Farewell },
  end: (exitCode: number) => void,
): HeadlessHost {
  return {
    log: (type, text) => onLog?.(type, text),
    openSocket: (id, url, headers) => network.openSocket(id, url, headers),
    sendSocket: (id, text) => {
      cancel.seeOutgoing(text);
      farewell.seeOutgoing(text);
      network.sendSocket(id, text);
    },
    closeSocket: (id) => network.closeSocket(id),
    requestHttp: (id, request) => network.requestHttp(id, request),
    exit: end,
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
  }
}
