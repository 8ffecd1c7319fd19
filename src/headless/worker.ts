/** The thread that runs the VM of a headless Studio. It owns no socket: what the engine asks for goes to the main thread. */
import { loadAssetsAsync } from "./assets.ts";
import type { HeadlessHost } from "./host.ts";
import { HeadlessStudio } from "./studio.ts";
import {
  type FromWorker,
  type HostCall,
  SHARED,
  type StudioStart,
  type ToWorker,
} from "./worker-messages.ts";

declare const self: {
  onmessage: ((event: { readonly data: ToWorker }) => void) | null;
  postMessage(message: FromWorker): void;
};

let studio: HeadlessStudio | undefined;

/** The first message starts the Studio; events can only follow from what the engine then asked for. */
self.onmessage = ({ data }) => {
  if (data.kind === "start") void startAsync(data.start);
  else guard(() => studio?.dispatch(data.event, data.number, data.payload));
};

async function startAsync(start: StudioStart): Promise<void> {
  const assets = await loadAssetsAsync();
  const cells = new Int32Array(start.shared);
  guard(() => {
    studio = new HeadlessStudio({
      assets,
      host: forwardingHost(),
      settings: start.settings,
      ...(start.memoryLimitMb === undefined ? {} : { memoryLimitMb: start.memoryLimitMb }),
      cancelFlag: cells.subarray(SHARED.cancel, SHARED.cancel + 1),
      onBusy: (isBusy) => Atomics.store(cells, SHARED.busy, isBusy ? 1 : 0),
      onDead,
    });
    studio.dispatch("loadPlugin", 0, start.plugin);
    self.postMessage({ kind: "ready" });
  });
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

function guard(act: () => void): void {
  try {
    act();
  } catch (error) {
    onDead(error instanceof Error ? error.message : String(error));
  }
}

function onDead(reason: string): void {
  studio?.[Symbol.dispose]();
  studio = undefined;
  self.postMessage({ kind: "dead", reason });
}
