/**
 * Knows the sockets that lead to this machine's bridge host. Scripts of a place may open sockets too, to any program on
 * this machine, and requests that write files are taken from the bridge host alone.
 */
import { type Claim, isSameProof, prove } from "../../auth/proof.ts";
import { isOfType, textMember } from "./frame-text.ts";

interface Dialled {
  readonly port: number;
  nonceA?: string;
  isProven: boolean;
}

export class HostProof {
  /** Undefined for a plugin without a key, whose sockets prove nothing. */
  readonly #key: Uint8Array | undefined;
  readonly #sockets = new Map<number, Dialled>();

  /** `key`: that of the plugin, in hex digits. */
  constructor(key: string) {
    this.#key = key === "" ? undefined : Uint8Array.fromHex(key);
  }

  opened(socketId: number, url: string): void {
    if (this.#key === undefined || !URL.canParse(url)) return;
    const { hostname, port } = new URL(url);
    if (hostname === "127.0.0.1") this.#sockets.set(socketId, { port: Number(port), isProven: false });
  }

  closed(socketId: number): void {
    this.#sockets.delete(socketId);
  }

  /** A frame of the plugin. */
  seeOutgoing(socketId: number, frame: string): void {
    const socket = this.#sockets.get(socketId);
    if (socket === undefined || socket.nonceA !== undefined || !isOfType(frame, "hello")) return;
    socket.nonceA = textMember(frame, "payload", "nonceA") ?? "";
  }

  /** A frame of the program at the other end. */
  seeIncoming(socketId: number, frame: string): void {
    const socket = this.#sockets.get(socketId);
    if (this.#key === undefined || socket === undefined || socket.isProven) return;
    if (!isOfType(frame, "challenge")) return;
    const [nonceB = "", hostId = "", proof = ""] = ["nonceB", "hostId", "proof"].map((name) =>
      textMember(frame, "payload", name),
    );
    const { port, nonceA = "" } = socket;
    const claim: Claim = { side: "host", role: "plugin", port, nonceA, nonceB, hostId };
    socket.isProven = nonceA !== "" && isSameProof(prove(this.#key, claim), proof);
  }

  isProven(socketId: number): boolean {
    return this.#sockets.get(socketId)?.isProven === true;
  }
}
