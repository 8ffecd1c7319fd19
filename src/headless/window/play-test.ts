/**
 * One test of a place: its server and its clients, from their start until the server or a failure ends the test. The
 * DataModels do the work; this module decides which of them exist and in which order they are informed.
 */
import { MAX_PLAYERS } from "../../protocol/limits.ts";
import type { TestMode } from "./window-calls.ts";
import type { DataModel, DataModelRole } from "./data-model.ts";

/** docs: cls/DataModel BindToClose: how long a server may take to end. */
const CLOSE_TIMEOUT_MS = 30_000;

export interface TestPlayer {
  readonly index: number;
  readonly name: string;
  readonly userId: number;
}

/** What a DataModel of a test is told about itself. */
export interface PlayStart {
  readonly role: DataModelRole;
  readonly mode: TestMode;
  readonly serverId: number;
  readonly player?: TestPlayer;
}

interface PlayTestOptions {
  readonly mode: TestMode;
  readonly edit: DataModel;
  /** As plugin-tree-text.ts writes it. */
  readonly plugin: Uint8Array;
  /** `player` is the index of a client's player. */
  readonly open: (role: DataModelRole, player?: number) => DataModel;
  /** `value` as endTest gave it, empty when there is none. */
  readonly onEnded: (value: Uint8Array) => void;
}

interface Client {
  readonly model: DataModel;
  readonly player: TestPlayer;
}

export class PlayTest implements Disposable {
  readonly #options: PlayTestOptions;
  readonly #server: DataModel;
  readonly #clients = new Map<number, Client>();
  readonly #closing = new Set<number>();
  #players = 0;
  #value: Uint8Array | undefined;
  #timeout: NodeJS.Timeout | undefined;

  constructor(options: PlayTestOptions) {
    this.#options = options;
    this.#server = options.open("server");
  }

  start(players: number, place: Uint8Array): void {
    this.#begin(this.#server, place);
    this.addPlayers(players);
  }

  /** Throws when there would be too many. */
  addPlayers(count: number): void {
    if (this.#clients.size + count > MAX_PLAYERS)
      throw new Error(`A test has at most ${MAX_PLAYERS} players`);
    for (let added = 0; added < count; added += 1) {
      const index = ++this.#players;
      // UNVERIFIED: Studio gives these names and ids to test players, as posts of Roblox staff quote them.
      const player: TestPlayer = { index, name: `Player${index}`, userId: -index };
      const model = this.#options.open("client", index);
      this.#clients.set(model.id, { model, player });
      this.#server.tell("admitPlayer", model.id, JSON.stringify(player));
    }
  }

  openClient(clientId: number, place: Uint8Array): void {
    const client = this.#clients.get(clientId);
    if (client !== undefined) this.#begin(client.model, place, client.player);
  }

  leave(clientId: number): void {
    this.#clients.get(clientId)?.model.tell("close");
    this.#closing.add(clientId);
  }

  /** Ends the test; a second value comes too late. */
  end(value: Uint8Array): void {
    if (this.#value !== undefined) return;
    this.#value = value;
    for (const model of this.#models()) {
      this.#closing.add(model.id);
      model.tell("close");
    }
    this.#timeout = setTimeout(() => this.#finish(), CLOSE_TIMEOUT_MS);
  }

  closed(id: number): void {
    this.#closing.delete(id);
    if (this.#value === undefined) this.#remove(id);
    else if (this.#closing.size === 0) this.#finish();
  }

  /** A DataModel is gone without having closed. Without its server there is no test. */
  lost(id: number): void {
    if (id === this.#server.id || this.#value !== undefined) {
      this.#value ??= new Uint8Array();
      this.#finish();
    } else {
      this.#remove(id);
    }
  }

  /** False while it ends, or while a player leaves it. */
  get isSteady(): boolean {
    return this.#value === undefined && this.#closing.size === 0;
  }

  roleOf(id: number): DataModelRole {
    return id === this.#server.id ? "server" : "client";
  }

  /** Ends the DataModels without telling the session that started the test. */
  [Symbol.dispose](): void {
    clearTimeout(this.#timeout);
    for (const model of this.#models()) model[Symbol.dispose]();
  }

  #begin(model: DataModel, place: Uint8Array, player?: TestPlayer): void {
    const { mode, edit, plugin } = this.#options;
    const start: PlayStart = {
      role: model.role,
      mode,
      serverId: this.#server.id,
      ...(player === undefined ? {} : { player }),
    };
    model.tell("openDataModel", model.id, withHead(start, place));
    // UNVERIFIED: plugins start and are connected before the scripts of the place run, so that they see all of their output.
    model.tell("loadPlugin", 0, plugin);
    model.tell("peerConnected", edit.id, edit.targetId);
    edit.tell("peerConnected", model.id, model.targetId);
    model.tell("startScripts");
  }

  #remove(id: number): void {
    const client = this.#clients.get(id);
    if (client === undefined) return;
    this.#clients.delete(id);
    client.model[Symbol.dispose]();
    for (const other of [this.#options.edit, this.#server]) other.tell("peerClosed", id);
  }

  #finish(): void {
    clearTimeout(this.#timeout);
    for (const model of this.#models()) {
      model[Symbol.dispose]();
      this.#options.edit.tell("peerClosed", model.id);
    }
    this.#clients.clear();
    this.#options.onEnded(this.#value ?? new Uint8Array());
  }

  *#models(): Iterable<DataModel> {
    yield this.#server;
    for (const { model } of this.#clients.values()) yield model;
  }
}

function withHead(start: PlayStart, place: Uint8Array): Uint8Array {
  const head = new TextEncoder().encode(`${JSON.stringify(start)}\0`);
  const whole = new Uint8Array(head.length + place.length);
  whole.set(head);
  whole.set(place, head.length);
  return whole;
}
