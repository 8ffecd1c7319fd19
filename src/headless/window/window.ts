/**
 * One Studio window: the DataModel that is edited and, while a test runs, those of its server and clients, each in a VM
 * of its own. All of them share the calling thread, so they take turns.
 */
import { words } from "../../protocol/words.ts";
import type { HeadlessAssets } from "../assets.ts";
import type { DataModel, DataModelRole } from "./data-model.ts";
import { DataModelHost } from "./data-model-host.ts";
import type { KeptData, LocalData } from "../data/local-data.ts";
import type { HeadlessHost } from "../process/host.ts";
import { LOG_TYPE, type HostEvent } from "../bytes/host-ops.ts";
import { HeldClock } from "./held-clock.ts";
import { FixtureState } from "./fixtures.ts";
import { PlayTest } from "./play-test.ts";
import type { ScreenChoice } from "./screen.ts";
import { HeadlessStudio } from "./studio.ts";
import type { KeptEngine } from "../vm/engine-vm.ts";
import { joinedUse, type ScriptsUsed } from "./used-scripts.ts";
import type { WindowCalls } from "./window-calls.ts";
import { type PromptOrder, vmMark } from "../process/worker-messages.ts";
import type { WorldChoice } from "./world-choice.ts";

interface StudioWindowOptions {
  readonly assets: HeadlessAssets;
  readonly host: HeadlessHost;
  readonly settings: Map<string, string>;
  /** As plugin-tree-text.ts writes it. */
  readonly plugin: Uint8Array;
  /** As encodePlace of files/engine-bytes.ts writes it; without one, the place is new. */
  readonly place?: Uint8Array;
  /** Notes whether the place changes. */
  readonly watchesPlace?: boolean;
  /** Answers the event savePlace. */
  readonly onPlaceSaved?: (place: Uint8Array) => void;
  /** The place could not be opened whole. */
  readonly onPlaceFailed?: (reason: string) => void;
  /** Answers the event askUnsaved. */
  readonly onUnsavedTold?: (isUnsaved: boolean) => void;
  /** What data stores contain; without it they refuse every script. */
  readonly data?: LocalData;
  readonly world?: WorldChoice;
  /** What is different from a usual headless Studio. */
  readonly variants?: readonly string[];
  readonly placeId?: number;
  readonly memoryLimitMb?: number;
  /** The screen of the edited place and of each client. */
  readonly screen?: ScreenChoice;
  readonly cancelFlag: Int32Array;
  /** Told the mark of the VM that starts to work, and 0 when it stops. */
  readonly onBusy: (mark: number) => void;
  /** Called again and again while a VM works. */
  readonly onPoll?: () => void;
  /** The edited DataModel, and the window with it, is gone. */
  readonly onDead: (reason: string) => void;
}

const EDIT_ID = 0;
const TEST_CHANGES = "a play test has begun, changed or ended";

/** Something that a DataModel is about to be told. */
interface Told {
  readonly id: number;
  readonly event: HostEvent;
  readonly number: number | undefined;
  readonly payload: string | Uint8Array | undefined;
}

/** All DataModels at one moment, and what was on its way between them. */
interface KeptWindow {
  readonly engines: ReadonlyMap<number, KeptEngine>;
  readonly test: PlayTest | undefined;
  readonly onItsWay: readonly Told[];
  readonly data: KeptData | undefined;
  readonly fixtures: ReadonlyMap<string, string>;
}

export class StudioWindow implements Disposable {
  readonly #options: StudioWindowOptions;
  readonly #models = new Map<number, HeadlessStudio>();
  readonly #edit: DataModel;
  readonly #fixtures = new FixtureState();
  #lastId = EDIT_ID - 1;
  #test: PlayTest | undefined;
  #onClosed: (() => void) | undefined;
  #kept: KeptWindow | undefined;
  /** In the order in which it arrives. */
  #onItsWay = new Set<Told>();
  readonly clock = new HeldClock({
    models: () => [...this.#models.values()],
    isQuiet: () => this.#onItsWay.size === 0,
  });

  /** Opens the place and starts the plugin in it. Throws LuauVmDeadError. */
  constructor(options: StudioWindowOptions) {
    this.#options = options;
    this.#edit = this.#open("edit");
    if (options.place !== undefined) this.#edit.tell("openPlace", 0, options.place);
    if (options.watchesPlace === true) this.#edit.tell("watchPlace");
    this.#edit.tell("loadPlugin", 0, options.plugin);
  }

  /** An event of the host about a socket or request; `number` is the one the host knows it by. */
  dispatch(event: HostEvent, number: number, payload: string | Uint8Array): void {
    const { modelId, number: own } = DataModelHost.split(number);
    this.#guard(modelId, () => this.#models.get(modelId)?.dispatch(event, own, payload));
  }

  /**
   * Follows an order of the process that owns this Studio: notes which scripts are used, keeps all DataModels as they are now,
   * or puts them back to what was kept. Gives what was used since the last order. Throws where the DataModels are other ones
   * by now, because a test or a player has come or gone.
   */
  follow(order: PromptOrder): ScriptsUsed {
    if (order === "keep") this.#keep();
    else if (order === "return") this.#returnToKept();
    else for (const model of this.#models.values()) model.noteScripts();
    return joinedUse([...this.#models.values()].map((model) => model.takeUsed()));
  }

  /** Calls `done` when the next frame of each DataModel has run; DataModels for which no frame is due count as done. */
  afterFrame(done: () => void): void {
    let left = this.#models.size;
    for (const model of this.#models.values())
      model.afterFrame(() => {
        left -= 1;
        if (left === 0) done();
      });
  }

  #keep(): void {
    if (this.#test?.isSteady === false) throw new Error(TEST_CHANGES);
    this.#kept = {
      engines: new Map([...this.#models].map(([id, model]) => [id, model.keep()])),
      test: this.#test,
      onItsWay: [...this.#onItsWay],
      data: this.#options.data?.keep(),
      fixtures: this.#fixtures.keep(),
    };
  }

  #returnToKept(): void {
    if (this.#kept === undefined) return;
    const { engines, test, onItsWay, data, fixtures } = this.#kept;
    const hasSame =
      engines.size === this.#models.size && [...engines.keys()].every((id) => this.#models.has(id));
    if (test !== this.#test || test?.isSteady === false || !hasSame) throw new Error(TEST_CHANGES);
    if (data !== undefined) this.#options.data?.returnTo(data);
    this.#fixtures.returnTo(fixtures);
    this.clock.returned();
    this.#onItsWay.clear();
    // First, because what was on its way then arrives before what the DataModels say from now on.
    for (const { id, event, number, payload } of onItsWay) this.#tell(id, event, number, payload);
    for (const [id, engine] of engines) this.#models.get(id)?.returnTo(engine);
  }

  /** Lets the plugin say goodbye; then calls `onClosed`. */
  close(onClosed: () => void): void {
    this.#onClosed = onClosed;
    if (this.#test === undefined) this.#edit.tell("close");
    else this.#test.end(new Uint8Array());
  }

  [Symbol.dispose](): void {
    this.#test?.[Symbol.dispose]();
    this.#edit[Symbol.dispose]();
  }

  #open(role: DataModelRole, player?: number): DataModel {
    const id = ++this.#lastId;
    const mark = vmMark(role, player);
    const {
      assets,
      host,
      settings,
      data,
      world,
      variants,
      placeId,
      memoryLimitMb,
      screen,
      cancelFlag,
      onBusy,
      onPoll,
      onPlaceSaved,
      onPlaceFailed,
      onUnsavedTold,
    } = this.#options;
    const own = new DataModelHost(host, id, role);
    const studio = new HeadlessStudio({
      assets,
      host: own,
      window: this.#callsOf(id),
      settings,
      ...(data === undefined ? {} : { data }),
      ...(world === undefined ? {} : { world }),
      fixtureState: this.#fixtures,
      ...(variants === undefined ? {} : { variants }),
      ...(placeId === undefined ? {} : { placeId }),
      ...(memoryLimitMb === undefined ? {} : { memoryLimitMb }),
      ...(screen === undefined ? {} : { screen }),
      cancelFlag,
      cancelMark: mark,
      onBusy: (isBusy) => onBusy(isBusy ? mark : 0),
      ...(onPoll === undefined ? {} : { onPoll }),
      ...(onPlaceSaved === undefined ? {} : { onPlaceSaved }),
      ...(onPlaceFailed === undefined ? {} : { onPlaceFailed }),
      ...(onUnsavedTold === undefined ? {} : { onUnsavedTold }),
      onDead: (reason) => this.#died(id, reason),
    });
    this.#models.set(id, studio);
    return {
      id,
      role,
      targetId: crypto.randomUUID(),
      tell: (event, number, payload) => this.#tell(id, event, number, payload),
      [Symbol.dispose]: () => {
        this.#models.delete(id);
        studio[Symbol.dispose]();
        own.closeSockets();
      },
    };
  }

  #callsOf(id: number): WindowCalls {
    return {
      startTest: (mode, players, place) => this.#startTest(mode, players, place),
      endTest: (value) => this.#test?.end(value),
      addPlayers: (count) => this.#test?.addPlayers(count),
      leaveTest: () => this.#test?.leave(id),
      kickPlayer: (clientId) => this.#test?.leave(clientId),
      openClient: (clientId, place) => this.#test?.openClient(clientId, place),
      sendPeer: (to, message) => this.#tell(to, "peerMessage", id, message),
      closed: () => (id === EDIT_ID ? this.#onClosed?.() : this.#test?.closed(id)),
    };
  }

  #startTest(...[mode, players, place]: Parameters<WindowCalls["startTest"]>): void {
    if (this.#test !== undefined) throw new Error(words.testRuns);
    this.#options.host.testStarted();
    this.#test = new PlayTest({
      mode,
      edit: this.#edit,
      plugin: this.#options.plugin,
      open: (role, player) => this.#open(role, player),
      onEnded: (value) => {
        this.#test = undefined;
        this.#edit.tell("testEnded", 0, value);
        if (this.#onClosed !== undefined) this.#edit.tell("close");
      },
    });
    this.#test.start(players, place);
  }

  #tell(id: number, event: HostEvent, number?: number, payload?: string | Uint8Array): void {
    const told: Told = { id, event, number, payload };
    this.#onItsWay.add(told);
    setImmediate(() => {
      if (this.#onItsWay.delete(told))
        this.#guard(id, () => this.#models.get(id)?.dispatch(event, number, payload));
    });
  }

  /** A VM that dies takes its DataModel with it, and a test that has lost one ends. */
  #guard(id: number, act: () => void): void {
    try {
      act();
    } catch (error) {
      this.#died(id, error instanceof Error ? error.message : String(error));
    }
  }

  #died(id: number, reason: string): void {
    if (id === EDIT_ID) {
      this.#options.onDead(reason);
      return;
    }
    const role = this.#test?.roleOf(id) ?? "test";
    this.#edit.tell("logMessage", LOG_TYPE.error, `The ${role} DataModel of the test ended: ${reason}`);
    this.#test?.lost(id);
  }
}
