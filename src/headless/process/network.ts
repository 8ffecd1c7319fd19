/**
 * The sockets and HTTP requests of a headless Studio. They reach only this machine: code from a place must not get at a
 * network that its author can't see.
 */
import { words } from "../../protocol/words.ts";
import type { HttpRequest } from "./host.ts";
import type { HostEvent } from "../bytes/host-ops.ts";
import type { FramePipe } from "./frame-pipe.ts";
import { isLoopbackUrl } from "./loopback.ts";
import { ParentSocket } from "./parent-socket.ts";

/**
 * Sends an event to the engine; `payload` is text or bytes. `life` is the number of returns before an event of a connection that a
 * script may have made.
 */
export type Tell = (event: HostEvent, id: number, payload: string | Uint8Array, life?: number) => void;

interface NetworkOptions {
  readonly tell: Tell;
  /** Sees every frame that arrives before the engine does. True for one that the engine must not see. */
  readonly takeFrame: (id: number, text: string) => boolean;
  readonly onClosed: (id: number) => void;
  /** The pipe to the process that started this one, if that process is the plugin's bridge host. */
  readonly parent?: FramePipe | undefined;
}

export class Network {
  readonly #options: NetworkOptions;
  readonly #sockets = new Map<number, WebSocket>();
  readonly #parent: ParentSocket | undefined;
  #keptSockets: ReadonlySet<number> = new Set();
  #keptParentId: number | undefined;
  /** The number of returns to the kept state. Answers to requests before the last return are dropped. */
  #returns = 0;

  constructor(options: NetworkOptions) {
    this.#options = options;
    const { parent } = options;
    if (parent === undefined) return;
    this.#parent = new ParentSocket({
      pipe: parent,
      onFrame: (id, text) => this.#received(id, text),
      onClosed: (id) => this.#closed(id),
    });
  }

  /** Settles when the parent is gone; never if there is no parent. */
  get parentGone(): Promise<void> {
    return this.#parent?.parentGone ?? new Promise(() => {});
  }

  /** Whether the socket leads to the process that started this one. */
  isParent(id: number): boolean {
    return this.#parent?.openId === id;
  }

  openSocket(id: number, url: string, headers: Readonly<Record<string, string>>): void {
    if (this.#parent !== undefined && ParentSocket.isFor(url)) return this.#openParent(id, this.#parent);
    const { tell } = this.#options;
    const returns = this.#returns;
    const life = (): number | undefined => (this.#keptSockets.has(id) ? undefined : returns);
    if (!isLoopbackUrl(url, ["ws:", "wss:"])) {
      tell("socketFailed", id, refusal("HttpService:CreateWebStreamClient()"), life());
      tell("socketClosed", id, "", life());
      return;
    }
    const socket = new WebSocket(url, { headers });
    this.#sockets.set(id, socket);
    socket.onopen = () => tell("socketOpened", id, "101", life());
    socket.onmessage = ({ data }) => {
      this.#received(id, typeof data === "string" ? data : new TextDecoder().decode(data), life());
    };
    socket.onerror = (event) =>
      tell("socketFailed", id, "message" in event ? String(event.message) : "failed", life());
    socket.onclose = () => {
      this.#sockets.delete(id);
      this.#closed(id, life());
    };
  }

  #openParent(id: number, parent: ParentSocket): void {
    if (parent.open(id)) return this.#options.tell("socketOpened", id, "101");
    this.#options.tell("socketFailed", id, "The bridge host takes one plugin only.");
    this.#options.tell("socketClosed", id, "");
  }

  #received(id: number, text: string, life?: number): void {
    if (!this.#options.takeFrame(id, text)) this.#options.tell("socketMessage", id, text, life);
  }

  #closed(id: number, life?: number): void {
    this.#options.onClosed(id);
    this.#options.tell("socketClosed", id, "", life);
  }

  sendSocket(id: number, text: string): void {
    if (this.#parent?.send(id, text) === true) return;
    const socket = this.#sockets.get(id);
    if (socket?.readyState === WebSocket.OPEN) socket.send(text);
  }

  closeSocket(id: number): void {
    if (this.#parent?.close(id) !== true) this.#sockets.get(id)?.close();
  }

  requestHttp(id: number, request: HttpRequest): void {
    void this.#answerAsync(id, request);
  }

  /** Notes the open sockets, for `returnToKept`. */
  keep(): void {
    this.#keptSockets = new Set(this.#sockets.keys());
    this.#keptParentId = this.#parent?.openId;
  }

  /** Closes the sockets that were opened since `keep`. Returns false if the plugin has another socket than then. */
  returnToKept(): boolean {
    this.#returns += 1;
    for (const [id, socket] of this.#sockets) {
      if (this.#keptSockets.has(id)) continue;
      this.#sockets.delete(id);
      socket.onopen = socket.onmessage = socket.onerror = socket.onclose = null;
      socket.close();
    }
    return this.#parent?.openId === this.#keptParentId;
  }

  closeAll(): void {
    for (const socket of this.#sockets.values()) socket.close();
  }

  async #answerAsync(id: number, request: HttpRequest): Promise<void> {
    const returns = this.#returns;
    const isForParent = this.#parent !== undefined && ParentSocket.isFor(request.url);
    const { head, body } = isForParent ? ParentSocket.health() : await fetchLocalAsync(request);
    const headBytes = new TextEncoder().encode(`${JSON.stringify(head)}\0`);
    const payload = new Uint8Array(headBytes.length + body.length);
    payload.set(headBytes);
    payload.set(body, headBytes.length);
    if (returns === this.#returns) this.#options.tell("httpReply", id, payload, returns);
  }
}

interface LocalReply {
  readonly head: object;
  readonly body: Uint8Array;
}

async function fetchLocalAsync({ url, method, headers, body }: HttpRequest): Promise<LocalReply> {
  const nothing = new Uint8Array();
  if (!isLoopbackUrl(url, ["http:", "https:"])) {
    return { head: { error: refusal("HttpService:RequestAsync()") }, body: nothing };
  }
  try {
    // A redirect could leave this machine, so the script gets it as it is.
    const init: RequestInit = { method, headers: { ...headers }, redirect: "manual" };
    const response = await fetch(url, body.length === 0 ? init : { ...init, body });
    const { status, statusText } = response;
    const head = { status, statusText, headers: Object.fromEntries(response.headers) };
    return { head, body: await response.bytes() };
  } catch (error) {
    // UNVERIFIED: Studio raises this text for a refused connection, as in the documentation of HttpService.
    return { head: { error: connectError(error) }, body: nothing };
  }
}

/** Bun has used both names. */
const REFUSED_CODES = new Set(["ConnectionRefused", "ECONNREFUSED"]);

function connectError(error: unknown): string {
  const isRefused = error instanceof Error && "code" in error && REFUSED_CODES.has(String(error.code));
  return isRefused
    ? "HttpError: ConnectFail"
    : `HttpError: ${error instanceof Error ? error.message : String(error)}`;
}

function refusal(member: string): string {
  return `${member} beyond this machine ${words.notSimulated}`;
}
