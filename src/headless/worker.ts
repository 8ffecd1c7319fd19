/** The thread that runs the VMs of a headless Studio. It owns no socket: what the engine asks for goes to the main thread. */
import { loadAssetsAsync } from "./assets.ts";
import type { HeadlessHost } from "./host.ts";
import {
  type FromWorker,
  type HostCall,
  SHARED,
  type StudioStart,
  type ToWorker,
} from "./worker-messages.ts";
import { StudioWindow } from "./window.ts";

declare const self: {
  onmessage: ((event: { readonly data: ToWorker }) => void) | null;
  postMessage(message: FromWorker): void;
};

let studio: StudioWindow | undefined;

/** The first message starts the Studio; events can only follow from what the engine then asked for. */
self.onmessage = ({ data }) => {
  if (data.kind === "start") void startAsync(data.start);
  else if (data.kind === "close") close();
  else studio?.dispatch(data.event, data.number, data.payload);
};

function close(): void {
  const closed = (): void => self.postMessage({ kind: "closed" });
  if (studio === undefined) closed();
  else studio.close(closed);
}

async function startAsync(start: StudioStart): Promise<void> {
  const assets = await loadAssetsAsync();
  const cells = new Int32Array(start.shared);
  try {
    studio = new StudioWindow({
      assets,
      host: forwardingHost(),
      settings: new Map(Object.entries(start.settings)),
      plugin: start.plugin,
      ...(start.place === undefined ? {} : { place: start.place }),
      onPlaceSaved: (place) => self.postMessage({ kind: "placeSaved", place }),
      ...(start.memoryLimitMb === undefined ? {} : { memoryLimitMb: start.memoryLimitMb }),
      cancelFlag: cells.subarray(SHARED.cancel, SHARED.cancel + 1),
      onBusy: (isBusy) => Atomics.store(cells, SHARED.busy, isBusy ? 1 : 0),
      onDead,
    });
    self.postMessage({ kind: "ready" });
  } catch (error) {
    onDead(error instanceof Error ? error.message : String(error));
  }
}

function forwardingHost(): HeadlessHost {
  const forward = (...call: HostCall): void => self.postMessage({ kind: "call", call });
  return {
    log: (...args) => forward("log", ...args),
    openSocket: (...args) => forward("openSocket", ...args),
    sendSocket: (...args) => forward("sendSocket", ...args),
    closeSocket: (...args) => forward("closeSocket", ...args),
    requestHttp: (...args) => forward("requestHttp", ...args),
    exit: (...args) => forward("exit", ...args),
  };
}

function onDead(reason: string): void {
  // First, while the sockets are open for the last words.
  self.postMessage({ kind: "dead", reason });
  studio?.[Symbol.dispose]();
  studio = undefined;
}
