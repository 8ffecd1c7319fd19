/**
 * The host core on a real port: sockets in, effects out. Binds literal 127.0.0.1 unless it is told to expose itself,
 * and asks the gate before any upgrade.
 */
import type { HostNews } from "./host-news.ts";
import type { Prover, Role } from "../../auth/index.ts";
import { Journal } from "../../journal/index.ts";
import { log } from "../../log.ts";
import { PROTOCOL_VERSION } from "../../protocol/limits.ts";
import { Alarm } from "../../util/alarm.ts";
import { randomHex } from "../../util/random-hex.ts";
import { judge } from "./gate.ts";
import type { Knock } from "./gate.ts";
import type { FoundHost } from "../client/client-link.ts";
import {
  createHostState,
  expectReturn,
  isInUse,
  makesRoom,
  newestClient,
  nextDueAt,
  presentSessions,
  step,
} from "./host-core.ts";
import type { HostEffect, HostEvent, HostState } from "./host-core.ts";
import { takeSessionsBefore } from "./host-file.ts";
import { KeptLevels } from "./kept-levels.ts";
import { HostNotes } from "./host-notes.ts";
import { HostSocket } from "./host-socket.ts";
import { LocalLink } from "../client/local-link.ts";

export interface HostServerOptions {
  /** 0 takes any free port. */
  readonly port: number;
  readonly prover: Prover;
  readonly version: string;
  readonly buildId?: string | undefined;
  readonly allowUnpaired: boolean;
  /** Listens to other machines too. */
  readonly isExposed: boolean;
  readonly idleExitMs: number;
  readonly makesRoom: boolean;
  readonly onNews?: ((news: HostNews) => void) | undefined;
  /** Calls are noted in the state folder, as far as the user's settings want it. */
  readonly keepsJournal?: boolean;
  /** Whether it keeps copies of the levels that people at Studio choose. */
  readonly keepsLevels?: boolean;
  /** Until `settle` is called, peers are told that there may be another host. */
  readonly isSettling?: boolean;
  /** A link whose peer leaves more than this unread is closed. */
  readonly maxBacklogBytes?: number;
  /** A request over HTTP whose rest does not come for this long is closed. */
  readonly requestTimeoutS?: number;
}

/** How long the last frames have to leave after the host has ended. */
const LINGER_MS = 250;
const REQUEST_TIMEOUT_S = 30;

interface SocketData {
  readonly linkId: number;
  readonly role: Role;
}
type Socket = Bun.ServerWebSocket<SocketData>;

/**
 * Larger than the frame limits of both roles, so that a frame that is too large gets an error and does not end the
 * link.
 */
const MAX_FRAME_BYTES = 64 * 1024 * 1024;
/** Close codes of a peer that left on purpose (RFC 6455 §7.4.1). */
const goodbyes: readonly number[] = [1000, 1001, 1005];
const MAX_BACKLOG_BYTES = 256 * 1024 * 1024;

export class HostServer {
  readonly hostId = randomHex(16);
  readonly exited: Promise<string>;
  readonly #exit: (reason: string) => void;
  readonly #sockets = new Map<number, HostSocket<SocketData>>();
  readonly #locals = new Map<number, LocalLink>();
  readonly #alarm = new Alarm(() => this.#dispatch({ type: "tick" }));
  readonly #server: Bun.Server<SocketData>;
  readonly #core: HostState;
  readonly #isExposed: boolean;
  readonly #notes: HostNotes;
  readonly #journal: Journal | undefined;
  readonly #startedAtMs = performance.now();
  readonly #effects: HostEffect[] = [];
  #isPerforming = false;
  #nextLinkId = 1;

  /** Throws the system's error if the port cannot be bound. */
  constructor(options: HostServerOptions) {
    const { promise, resolve } = Promise.withResolvers<string>();
    this.exited = promise;
    this.#exit = resolve;
    this.#isExposed = options.isExposed;
    this.#server = this.#listen(options);
    this.#journal = options.keepsJournal === true ? new Journal(this.hostId, options.version) : undefined;
    this.#core = createHostState(
      {
        hostId: this.hostId,
        port: this.port,
        version: options.version,
        buildId: options.buildId,
        allowUnpaired: options.allowUnpaired,
        idleExitMs: options.idleExitMs,
        makesRoom: options.makesRoom,
        onNews: options.onNews,
        epochMs: Date.now() - performance.now(),
        prover: options.prover,
        journal: this.#journal,
        levels: options.keepsLevels === true ? new KeptLevels() : undefined,
        randomHex,
        randomUuid: () => crypto.randomUUID(),
      },
      this.#startedAtMs,
    );
    this.#core.isSettling = options.isSettling ?? false;
    expectReturn(this.#core, takeSessionsBefore(this.port));
    this.#alarm.wakeBy(nextDueAt(this.#core), performance.now());
    this.#notes = new HostNotes(this.port, this.hostId, () => this.#knownSessionIds());
    this.#keepNotes();
  }

  get port(): number {
    return this.#server.port ?? 0;
  }

  /** True while a client is connected, or a Studio that clients may still come for. */
  get isInUse(): boolean {
    return !this.#core.isOver && isInUse(this.#core);
  }

  /** True once the host is stopping so that another process can be the host. */
  get makesRoom(): boolean {
    return makesRoom(this.#core);
  }

  /** Increases with every client that connects. */
  get newestClient(): number {
    return newestClient(this.#core);
  }

  /** Call it when the search has found no other host. */
  settle(): void {
    this.#core.isSettling = false;
  }

  /** Lets requests in progress finish for a moment; `exited` resolves when the port is free. */
  stop(reason: string, drainMs?: number): void {
    this.#dispatch({ type: "stop", reason, drainMs });
  }

  /** Connects a client in this process. */
  openLocal(): FoundHost {
    const linkId = this.#nextLinkId++;
    const link = new LocalLink({
      frame: (text) => this.#dispatch({ type: "frame", linkId, text }),
      closed: () => this.#forget(linkId, true),
    });
    this.#locals.set(linkId, link);
    this.#dispatch({ type: "open", linkId, role: "client", isLocal: true });
    const welcome = {
      hostId: this.hostId,
      serverVersion: this.#core.config.version,
      sessions: presentSessions(this.#core),
      isSettling: false,
    };
    return { link, welcome, port: this.port };
  }

  #listen({
    isExposed,
    port,
    maxBacklogBytes = MAX_BACKLOG_BYTES,
    requestTimeoutS = REQUEST_TIMEOUT_S,
  }: HostServerOptions): Bun.Server<SocketData> {
    return Bun.serve<SocketData>({
      hostname: isExposed ? "0.0.0.0" : "127.0.0.1",
      port,
      idleTimeout: requestTimeoutS,
      fetch: (request, server) => this.#answer(request, server),
      websocket: {
        perMessageDeflate: false,
        maxPayloadLength: MAX_FRAME_BYTES,
        backpressureLimit: maxBacklogBytes,
        idleTimeout: 0,
        sendPings: false,
        open: (socket) => this.#opened(socket),
        message: (socket, message) => this.#received(socket, message),
        close: (socket, code) => this.#closed(socket, code),
        drain: (socket) => this.#sockets.get(socket.data.linkId)?.settle(),
      },
    });
  }

  #answer(request: Request, server: Bun.Server<SocketData>): Response | undefined {
    const knock: Knock = {
      method: request.method,
      target: request.url.replace(/^https?:\/\/[^/]*/, ""),
      peerAddress: server.requestIP(request)?.address,
      header: (name) => request.headers.get(name),
    };
    const verdict = judge(knock, this.#isExposed);
    if ("status" in verdict) {
      log.debug(`refused a connection (${verdict.reason})`);
      this.#dispatch({ type: "refused", reason: verdict.reason });
      return new Response(null, { status: verdict.status });
    }
    if (verdict.route === "health") return this.#health();
    const linkId = this.#nextLinkId++;
    const data = { linkId, role: verdict.route };
    return server.upgrade(request, { data }) ? undefined : new Response(null, { status: 426 });
  }

  #health(): Response {
    const isClosing = this.#core.closing !== undefined;
    const body = {
      name: "studio-bridge",
      status: isClosing ? "closing" : "ok",
      protocolVersion: PROTOCOL_VERSION,
      port: this.port,
      sessions: this.#core.sessions.size,
      uptime: Math.round(performance.now() - this.#startedAtMs),
    };
    return Response.json(body, { status: isClosing ? 503 : 200 });
  }

  #opened(socket: Socket): void {
    const { linkId, role } = socket.data;
    this.#sockets.set(linkId, new HostSocket(socket));
    this.#dispatch({ type: "open", linkId, role });
  }

  #received(socket: Socket, message: string | Buffer): void {
    // The protocol has no binary frames. Read as text, they fail the same checks as other invalid frames.
    const text = typeof message === "string" ? message : message.toString("utf8");
    this.#dispatch({ type: "frame", linkId: socket.data.linkId, text });
  }

  #closed(socket: Socket, code: number): void {
    this.#forget(socket.data.linkId, goodbyes.includes(code));
  }

  #forget(linkId: number, isWanted: boolean): void {
    this.#sockets.delete(linkId);
    this.#locals.delete(linkId);
    this.#dispatch({ type: "closed", linkId, isWanted });
  }

  /** Closing a socket reports back at once, so effects are queued to keep their order. */
  #dispatch(event: HostEvent): void {
    this.#effects.push(...step(this.#core, event, performance.now()));
    if (this.#isPerforming) return;
    this.#isPerforming = true;
    for (let effect = this.#effects.shift(); effect !== undefined; effect = this.#effects.shift())
      this.#perform(effect);
    this.#isPerforming = false;
    this.#alarm.wakeBy(nextDueAt(this.#core), performance.now());
    this.#keepNotes();
  }

  #keepNotes(): void {
    const { sessions, expected, isOver } = this.#core;
    if (!isOver) this.#notes.keep(sessions.size + expected.size);
  }

  #perform(effect: HostEffect): void {
    if (effect.type === "exit") return this.#finish(effect.reason);
    const socket = this.#sockets.get(effect.linkId);
    if (socket === undefined) return this.#performLocally(effect);
    if (effect.type === "send") socket.send(effect.text);
    else if (effect.type === "push") socket.push(effect);
    else socket.close(effect.code, effect.reason);
  }

  #performLocally(effect: Exclude<HostEffect, { type: "exit" }>): void {
    const link = this.#locals.get(effect.linkId);
    if (effect.type === "close") link?.hangUp();
    else link?.deliver(effect.text);
  }

  /** Includes the sessions of the host before this one that are about to come back. */
  #knownSessionIds(): string[] {
    const { sessions, expected } = this.#core;
    return [...sessions.keys(), ...expected.keys()];
  }

  #finish(reason: string): void {
    this.#alarm[Symbol.dispose]();
    this.#notes.leave();
    this.#journal?.[Symbol.dispose]();
    // The port is free at once; frames that were written above may still leave before the last sockets are closed.
    void this.#server.stop(false);
    setTimeout(() => void this.#server.stop(true), LINGER_MS).unref();
    this.#exit(reason);
  }
}
