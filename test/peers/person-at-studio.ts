/**
 * A window of headless Studio on this thread that is connected to the compiled `sb`, with a person who reads and presses its panel. The
 * Studio that `sb headless` starts has the same plugin, but no person.
 */
import { LOG_TYPE } from "../../src/headless/bytes/host-ops.ts";
import type { HeadlessHost } from "../../src/headless/process/host.ts";
import { Network } from "../../src/headless/process/network.ts";
import { encodePluginTree } from "../../src/headless/process/plugin-tree-text.ts";
import { StudioWindow } from "../../src/headless/window/window.ts";
import { machinePairingAsync } from "../../src/studio/machine-pairing.ts";
import { withPairing } from "../../src/studio/plugin-tree.ts";
import { type Sandbox, untilAsync } from "../harness.ts";
import { PLACE_NAME, readPluginTreeAsync, savedAssetsAsync } from "../unit/plugin/plugin-studio.ts";
import { PanelHand } from "./panel-hand.ts";

export class PersonAtStudio implements Disposable {
  readonly log: string[] = [];
  readonly hand: PanelHand;
  readonly studio: StudioWindow;
  readonly #network: Network;

  private constructor(studio: StudioWindow, network: Network, log: string[]) {
    this.studio = studio;
    this.log = log;
    this.#network = network;
    this.hand = new PanelHand(this);
  }

  /** Connected to the bridge host of the sandbox, with its panel open. */
  static async openAsync(box: Sandbox): Promise<PersonAtStudio> {
    // The first command makes the key of this world, and its host.
    const before = (await box.sessionsAsync()).length;
    const tree = await withKeyOfAsync(box);
    const log: string[] = [];
    const network = new Network({
      tell: (event, number, payload) => window.dispatch(event, number, payload),
      takeFrame: () => false,
      onClosed: () => {},
    });
    const window = new StudioWindow({
      assets: await savedAssetsAsync(),
      host: hostOf(network, log),
      settings: new Map(),
      plugin: encodePluginTree(PLACE_NAME, tree),
      cancelFlag: new Int32Array(1),
      onBusy: () => {},
      onDead: (reason) => void log.push(reason),
    });
    const person = new PersonAtStudio(window, network, log);
    await untilAsync("the Studio with a person is connected", async () =>
      (await box.sessionsAsync()).length > before ? true : undefined,
    );
    await person.hand.openAsync();
    return person;
  }

  [Symbol.dispose](): void {
    this.#network.closeAll();
    this.studio[Symbol.dispose]();
  }
}

async function withKeyOfAsync(box: Sandbox) {
  using _inside = box.enter();
  return withPairing(await readPluginTreeAsync(), { ...(await machinePairingAsync()), port: box.port });
}

function hostOf(network: Network, log: string[]): HeadlessHost {
  return {
    log: (type, text) => void log.push(type === LOG_TYPE.output ? text : `${type}: ${text}`),
    openSocket: (id, url, headers) => network.openSocket(id, url, headers),
    sendSocket: (id, text) => network.sendSocket(id, text),
    closeSocket: (id) => network.closeSocket(id),
    requestHttp: (id, request) => network.requestHttp(id, request),
    exit: () => undefined,
    noted: () => undefined,
    testStarted: () => undefined,
  };
}
