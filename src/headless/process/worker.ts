/**
 * The thread that runs the VMs of a headless Studio. It owns no socket; it forwards the engine's requests to the main
 * thread.
 */
import { StudioBridgeError } from "../../protocol/errors.ts";
import { words } from "../../protocol/words.ts";
import { expectLongRun } from "../../util/long-run.ts";
import { loadClassText, loadFontText, loadOutlines, loadSnapshot } from "../assets.ts";
import { type DataChoice, MEMORY } from "../data/data-choice.ts";
import { openDataFolder } from "../data/data-folder.ts";
import { LocalData } from "../data/local-data.ts";
import type { HeadlessHost } from "./host.ts";
import { refusalOf } from "./refusal.ts";
import { LOG_TYPE } from "../bytes/host-ops.ts";
import { CallQueue } from "./call-queue.ts";
import { isOfType } from "./frame-text.ts";
import { NoteTally } from "./note-tally.ts";
import {
  type FromWorker,
  type HostCall,
  type OrderAnswer,
  type PromptOrder,
  SHARED,
  type StudioStart,
  type ToWorker,
} from "./worker-messages.ts";
import { type ClockOrder, type HeldClock, secondsIn } from "../window/held-clock.ts";
import { joinedUse } from "../window/used-scripts.ts";
import { StudioWindow } from "../window/window.ts";

const NOT_CONNECTED = `${words.logPrefix} ${words.notConnected}`;

declare const self: {
  onmessage: ((event: { readonly data: ToWorker }) => void) | null;
  postMessage(message: FromWorker): void;
};

expectLongRun();
// The engine is unpacked before the first message arrives, because that takes some time.
const snapshot = loadSnapshot();
const classText = loadClassText();
const queue = new CallQueue((calls) => self.postMessage({ kind: "calls", calls }));
/** What the engine has noted since the main thread was told. */
const notes = new NoteTally();
let studio: StudioWindow | undefined;
/** How often the Studio has returned to the kept state. */
let life = 0;
/** The id of the order to return when the next script has completed. */
let returnOrder: number | undefined;

/** The first message starts the Studio. All events follow from requests of the engine, so that none comes earlier. */
self.onmessage = ({ data }) => {
  if (data.kind === "start") start(data.start);
  else if (data.kind === "close") close();
  else if (data.kind === "order") follow(data);
  else if ((data.life ?? life) === life) studio?.dispatch(data.event, data.number, data.payload);
};

/** Sends a message after all calls that came before it. */
function post(message: FromWorker): void {
  queue.flush();
  self.postMessage(message);
}

function close(): void {
  const closed = (): void => post({ kind: "closed" });
  if (studio === undefined) closed();
  else studio.close(closed);
}

const ENDED: OrderAnswer = { fault: "it has ended" };

function follow({ id, order, detail }: Extract<ToWorker, { readonly kind: "order" }>): void {
  const answer = (given: OrderAnswer): void => post({ kind: "done", id, answer: given });
  const followed = (fault?: string): void =>
    answer(fault === undefined ? { used: joinedUse([]) } : { fault });
  if (order === "returnAfterScript") returnOrder = id;
  else if (studio === undefined) answer(ENDED);
  else if (order === "frame") studio.afterFrame(followed);
  else if (order === "hold" || order === "advance" || order === "release")
    moveClock(studio.clock, order, detail, followed);
  else answer(answerTo(order));
}

function moveClock(
  clock: HeldClock,
  order: ClockOrder,
  detail: string,
  followed: (fault?: string) => void,
): void {
  try {
    if (order === "advance") return clock.advance(secondsIn(detail), followed);
    if (order === "hold") clock.hold(detail);
    else clock.release();
    followed();
  } catch (error) {
    followed(error instanceof Error ? error.message : String(error));
  }
}

/** Returns when the VM is idle again, if that was ordered. It does so without the main thread, because each message takes time. */
function scriptCompleted(): void {
  const id = returnOrder;
  returnOrder = undefined;
  if (id !== undefined) queueMicrotask(() => post({ kind: "done", id, answer: answerTo("return") }));
}

function answerTo(order: PromptOrder): OrderAnswer {
  try {
    const used = studio?.follow(order);
    if (order === "return") life += 1;
    return used === undefined ? ENDED : { used };
  } catch (error) {
    return { fault: error instanceof Error ? error.message : String(error) };
  }
}

function start({
  luau,
  settings,
  plugin,
  place,
  data,
  isDataWritten,
  world,
  variants,
  placeId,
  watchesPlace,
  memoryLimitMb,
  screen,
  shared,
}: StudioStart): void {
  const cells = new Int32Array(shared);
  try {
    studio = new StudioWindow({
      assets: {
        luau,
        engine: { snapshot },
        classData: () => classText,
        fontData: loadFontText,
        outlineData: loadOutlines,
      },
      host: forwardingHost(),
      settings: new Map(Object.entries(settings)),
      plugin,
      variants,
      ...(placeId === undefined ? {} : { placeId }),
      ...(place === undefined ? {} : { place }),
      watchesPlace,
      onPlaceSaved: (saved) => post({ kind: "placeSaved", place: saved }),
      onPlaceFailed: (reason) => post({ kind: "refused", refusal: refusalOf(placeNotOpened(reason)) }),
      onUnsavedTold: (isUnsaved) => post({ kind: "unsavedTold", isUnsaved }),
      ...(data === undefined ? {} : { data: openData(data, isDataWritten === true) }),
      ...(world === undefined ? {} : { world }),
      ...(memoryLimitMb === undefined ? {} : { memoryLimitMb }),
      ...(screen === undefined ? {} : { screen }),
      cancelFlag: cells.subarray(SHARED.cancel, SHARED.cancel + 1),
      onBusy: (mark) => {
        Atomics.store(cells, SHARED.busy, mark);
        if (mark !== 0) return;
        tellNotes();
        queue.flush();
      },
      onPoll: () => queue.flushOld(),
      onDead,
    });
    post({ kind: "ready" });
  } catch (error) {
    if (error instanceof StudioBridgeError) post({ kind: "refused", refusal: refusalOf(error) });
    else onDead(error instanceof Error ? error.message : String(error));
  }
}

/** A defect of the engine: readers of files have found nothing wrong with the place. */
const placeNotOpened = (reason: string): StudioBridgeError =>
  new StudioBridgeError("INTERNAL_ERROR", `Headless Studio could not open the place: ${reason}`);

function openData({ place, isThrottled }: DataChoice, isWritten: boolean): LocalData {
  if (place === MEMORY) return new LocalData(undefined, { isThrottled });
  return openDataFolder(place, { isWritten, isThrottled });
}

function forwardingHost(): HeadlessHost {
  const forward = (...call: HostCall): void => queue.add(call);
  return {
    log: (type, text) => {
      // Only lines are forwarded that may explain why the Studio ends or has no host: a script may print very many others.
      if (type === LOG_TYPE.error || text.startsWith(NOT_CONNECTED)) forward("log", type, text);
    },
    openSocket: (...args) => forward("openSocket", ...args),
    sendSocket: (...args) => {
      // First, so that the notes of a script are known when its end is.
      tellNotes();
      forward("sendSocket", ...args);
      if (returnOrder !== undefined && isOfType(args[1], "scriptComplete")) scriptCompleted();
    },
    closeSocket: (...args) => forward("closeSocket", ...args),
    requestHttp: (...args) => forward("requestHttp", ...args),
    exit: (...args) => forward("exit", ...args),
    noted: (note) => notes.add(note),
    testStarted: () => {
      tellNotes();
      forward("testStarted");
    },
  };
}

function tellNotes(): void {
  for (const note of notes.take()) queue.add(["noted", note]);
}

function onDead(reason: string): void {
  // This message comes first, because the last frames need the open sockets.
  post({ kind: "dead", reason });
  studio?.[Symbol.dispose]();
  studio = undefined;
}
