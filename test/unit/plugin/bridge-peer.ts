/**
 * The bridge host's end of a plugin's link, played by a test: it answers /health and the proof, and says what the test
 * says. Every frame of the plugin must satisfy the wire's schema of its type.
 */
import { expect } from "bun:test";
import { createProver } from "../../../src/auth/index.ts";
import type { HeadlessHost } from "../../../src/headless/process/host.ts";
import { LOG_TYPE } from "../../../src/headless/bytes/host-ops.ts";
import type { HeadlessStudio } from "../../../src/headless/window/studio.ts";
import type { ActionName, ActionRequest, ActionResult } from "../../../src/protocol/actions.ts";
import {
  decodeEnvelope,
  decodePayload,
  decodeReply,
  encode,
  messageSchemas,
} from "../../../src/protocol/codec.ts";
import type { Envelope } from "../../../src/protocol/envelope.ts";
import { withPairing } from "../../../src/studio/plugin-tree.ts";
import { PATIENCE_MS } from "../../harness.ts";
import { openPluginStudioAsync, readPluginTreeAsync } from "./plugin-studio.ts";
import type { PluginStudio } from "./plugin-studio.ts";

export const PORT = 39_001;
export const SESSION_ID = "5e551000-0000-4000-8000-000000000000";
const HOST_ID = "host-1";
const NONCE_B = "0b".repeat(32);
/** Frames of a request before its reply. */
const PARTS: ReadonlySet<string> = new Set(["output", "chunk"]);
const MACHINE_KEY = new Uint8Array(32).fill(7);

const schemas = messageSchemas();
const prover = createProver(MACHINE_KEY);

export interface PeerOptions {
  /** False leaves the plugin without a key; default: it has the one of this machine. */
  readonly paired?: boolean;
  readonly settings?: Readonly<Record<string, string>>;
  /** Which Studio it is (src/headless/variants.ts). */
  readonly variants?: readonly string[];
  /** Told every line of the Output as it is printed. */
  readonly onLog?: (peer: BridgePeer, line: string) => void;
  /** What answers a hello; default: challenge, welcome and registered in turn. */
  readonly respond?: (peer: BridgePeer, frame: Envelope) => void;
  readonly health?: () => { status: number; body: string } | undefined;
}

export const healthy = JSON.stringify({
  name: "studio-bridge",
  status: "ok",
  protocolVersion: 2,
  port: PORT,
  sessions: 0,
  uptime: 1,
});

function pluginPairing(): { keyId: string; key: string } {
  const key = new Bun.CryptoHasher("sha256", MACHINE_KEY).update("sb/plugin/1").digest("hex");
  return { keyId: prover.keyId("plugin"), key };
}

export class BridgePeer implements Disposable {
  /** Frames not yet taken by `nextAsync`, in order. */
  readonly inbox: Envelope[] = [];
  /** Every line of Studio's Output. */
  readonly log: string[] = [];
  /** Faults of the plugin's frames against the wire's schemas. */
  readonly faults: string[] = [];
  /** What the plugin asked by HTTP. */
  readonly requests: string[] = [];
  readonly closedSockets: number[] = [];
  readonly cancelFlag: Int32Array;
  readonly studio: HeadlessStudio;
  socketId = 0;
  /** How many of its answers the plugin has not got yet. */
  answersUnderWay = 0;
  socketsOpened = 0;
  /** How often `registered` was said. */
  registrations = 0;

  readonly #chunks: string[] = [];

  readonly #start: () => void;

  private constructor({ studio, cancelFlag, start }: PluginStudio) {
    this.studio = studio;
    this.cancelFlag = cancelFlag;
    this.#start = start;
  }

  /** A Studio whose plugin has been started. */
  static async startAsync(options: PeerOptions = {}): Promise<BridgePeer> {
    const plain = await readPluginTreeAsync();
    const tree = options.paired === false ? plain : withPairing(plain, { ...pluginPairing(), port: PORT });
    const host: HeadlessHost = {
      log: (type, text) => {
        peer.log.push(type === LOG_TYPE.output ? text : `${type}: ${text}`);
        options.onLog?.(peer, text);
      },
      openSocket: (id) => peer.#later(() => peer.#opened(id)),
      sendSocket: (_id, text) => peer.#receive(text, options.respond ?? admit),
      closeSocket: (id) => {
        peer.closedSockets.push(id);
        peer.#later(() => peer.studio.dispatch("socketClosed", id, ""));
      },
      requestHttp: (id, { url }) => peer.#later(() => peer.#answerHttp(id, url, options.health)),
      exit: () => undefined,
      noted: () => undefined,
      testStarted: () => undefined,
    };
    const peer = new BridgePeer(await openPluginStudioAsync(host, tree, options));
    peer.#start();
    return peer;
  }

  /** A Studio whose session has been registered; the frames so far are taken. */
  static async connectAsync(options: PeerOptions = {}): Promise<BridgePeer> {
    const peer = await BridgePeer.startAsync(options);
    await peer.untilAsync(() => peer.registrations > 0, "registration");
    peer.inbox.length = 0;
    return peer;
  }

  send(type: string, payload: unknown, requestId?: string, sessionId = SESSION_ID): void {
    const text = encode({ type, sessionId, payload, ...(requestId === undefined ? {} : { requestId }) });
    this.sendRaw(text);
    if (type === "registered") this.registrations += 1;
  }

  sendRaw(text: string): void {
    this.studio.dispatch("socketMessage", this.socketId, text);
  }

  /** The person at Studio calls an action of the plugin. */
  trigger(actionId: string): void {
    this.studio.dispatch("triggerAction", 0, actionId);
  }

  /** The plugin is unloaded and loaded anew, in the same DataModel. */
  reload(): void {
    this.studio.dispatch("close");
    this.#start();
  }

  /** Lets a script go on that waits for it (UNTIL_LET_GO). */
  letGo(): void {
    this.send("select", { paths: ["game.Workspace"] }, "let-go");
  }

  /** As when the network or the host goes away. */
  dropSocket(): void {
    this.studio.dispatch("socketClosed", this.socketId, "");
  }

  /** The next frame of this type, taking those before it too. */
  async nextAsync(type: string): Promise<Envelope> {
    const found = await this.untilAsync(() => this.inbox.find((frame) => frame.type === type), type);
    this.inbox.splice(0, this.inbox.indexOf(found) + 1);
    return found;
  }

  async untilAsync<T>(condition: () => T | undefined | false, what: string): Promise<T> {
    const startedMs = performance.now();
    for (;;) {
      const value = condition();
      if (value !== undefined && value !== false) return value;
      if (performance.now() - startedMs > PATIENCE_MS)
        throw new Error(`no ${what}; have ${JSON.stringify(this.inbox)}; log ${this.log.join("\n")}`);
      await Bun.sleep(1);
    }
  }

  /** Asks the plugin and gives its answer, which stays in the inbox. Throws the plugin's error as JSON. */
  async askAsync<Name extends ActionName>(
    type: Name,
    payload: ActionRequest<Name>,
  ): Promise<ActionResult<Name>> {
    return this.askUncheckedAsync(type, payload);
  }

  /** As `askAsync`, with a payload that may break the rules of its type. */
  async askUncheckedAsync<Name extends ActionName>(
    type: Name,
    payload: unknown,
  ): Promise<ActionResult<Name>> {
    const requestId = crypto.randomUUID();
    this.send(type, payload, requestId);
    const answer = await this.untilAsync(
      () => this.inbox.find(({ requestId: id, type: each }) => id === requestId && !PARTS.has(each)),
      `answer to ${type}`,
    );
    expect(this.faults).toEqual([]);
    if (answer.type === "error") throw new Error(JSON.stringify(answer.payload));
    const decoded = decodeReply(type, answer);
    if (!decoded.ok) throw decoded.fault;
    return decoded.value;
  }

  /** Runs a script and gives everything about it: lines and the reply. */
  async executeAsync(script: string, more: object = {}): Promise<{ lines: string[]; reply: Envelope }> {
    const requestId = crypto.randomUUID();
    this.send("execute", { script, ...more }, requestId);
    return this.outcomeAsync(requestId);
  }

  /** Asks for a patch of operations that may be wrong. */
  async patchAsync(operations: readonly unknown[], name = "try"): Promise<ActionResult<"applyPatch">> {
    return this.askUncheckedAsync("applyPatch", { operations, name });
  }

  /** Runs a script, which must succeed, and gives what it returns. */
  async luauAsync(script: string): Promise<readonly unknown[]> {
    const { success, error, returnValues } = await this.askAsync("execute", { script });
    expect({ success, error }).toMatchObject({ success: true });
    return returnValues;
  }

  /** The frames about a request up to its reply, which are taken. */
  async outcomeAsync(requestId: string): Promise<{ lines: string[]; reply: Envelope }> {
    const isReply = ({ type, requestId: id }: Envelope): boolean =>
      id === requestId && (type === "scriptComplete" || type === "error");
    const reply = await this.untilAsync(() => this.inbox.find(isReply), `reply to ${requestId}`);
    const before = this.inbox.splice(0, this.inbox.indexOf(reply) + 1);
    return { lines: before.flatMap(linesOf), reply };
  }

  [Symbol.dispose](): void {
    this.studio[Symbol.dispose]();
  }

  /** The engine must not be entered from inside one of its own calls. */
  #later(act: () => void): void {
    this.answersUnderWay += 1;
    setTimeout(() => {
      this.answersUnderWay -= 1;
      act();
    }, 0);
  }

  #opened(id: number): void {
    this.socketId = id;
    this.socketsOpened += 1;
    this.studio.dispatch("socketOpened", id, "101");
  }

  #receive(text: string, respond: NonNullable<PeerOptions["respond"]>): void {
    const decoded = decodeEnvelope(text);
    if (!decoded.ok) return void this.faults.push(decoded.fault.message);
    const schema = schemas.get(decoded.value.type);
    if (schema === undefined) this.faults.push(`unknown type ${decoded.value.type}`);
    else {
      const payload = decodePayload(schema, decoded.value);
      if (!payload.ok) this.faults.push(`${payload.fault.message} in ${text}`);
    }
    this.inbox.push(decoded.value);
    if (decoded.value.type === "chunk") this.#join(decoded.value, respond);
    this.#later(() => respond(this, decoded.value));
  }

  /** Behind its last chunk the inbox has the reply itself. */
  #join(frame: Envelope, respond: NonNullable<PeerOptions["respond"]>): void {
    this.#chunks.push(fieldOf(frame, "data"));
    if (!isLastChunk(frame.payload)) return;
    this.#receive(this.#chunks.splice(0).join(""), respond);
  }

  #answerHttp(id: number, url: string, health: PeerOptions["health"]): void {
    this.requests.push(url);
    const answer = health === undefined ? { status: 200, body: healthy } : health();
    const head =
      answer === undefined
        ? { error: "HttpError: ConnectFail" }
        : { status: answer.status, statusText: "", headers: {} };
    this.studio.dispatch("httpReply", id, `${JSON.stringify(head)}\0${answer?.body ?? ""}`);
  }
}

export function challengeFor(
  frame: Envelope,
  port = PORT,
): { nonceB: string; hostId: string; proof: string } {
  const nonceA = fieldOf(frame, "nonceA");
  const claim = { role: "plugin", port, nonceA, nonceB: NONCE_B, hostId: HOST_ID } as const;
  return { nonceB: NONCE_B, hostId: HOST_ID, proof: prover.prove({ ...claim, side: "host" }) };
}

export function peerProof(nonceA: string): string {
  const claim = { role: "plugin", port: PORT, nonceA, nonceB: NONCE_B, hostId: HOST_ID } as const;
  return prover.prove({ ...claim, side: "peer" });
}

function isLastChunk(payload: unknown): boolean {
  if (typeof payload !== "object" || payload === null || !("seq" in payload && "total" in payload))
    return false;
  return Number(payload.seq) === Number(payload.total) - 1;
}

export function fieldOf(frame: Envelope, name: string): string {
  const { payload } = frame;
  const value = typeof payload === "object" && payload !== null ? Reflect.get(payload, name) : undefined;
  return typeof value === "string" ? value : "";
}

export function linesOf({ type, payload }: Envelope): string[] {
  if (type !== "output" || typeof payload !== "object" || payload === null || !("messages" in payload))
    return [];
  const { messages } = payload;
  if (!Array.isArray(messages)) return [];
  return messages.map(({ level, body }: { level: string; body: string }) =>
    level === "Print" ? body : `${level}: ${body}`,
  );
}

/** What the real host says on the way to a registered session. */
export function admit(peer: BridgePeer, frame: Envelope): void {
  if (frame.type === "hello") peer.send("challenge", challengeFor(frame), undefined, "");
  else if (frame.type === "auth") welcome(peer);
  else if (frame.type === "register")
    peer.send("registered", { sessionId: SESSION_ID, capabilities: ["execute"] }, frame.requestId, "");
}

export function welcome(peer: BridgePeer): void {
  const payload = { serverVersion: "1.0.0", protocolVersion: 2 };
  peer.sendRaw(encode({ type: "welcome", sessionId: "", protocolVersion: 2, payload }));
}
