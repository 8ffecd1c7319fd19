/** A proven client on a bare TCP socket, which can stop reading: no WebSocket of the runtime can be told to. */
import type { Prover } from "../../src/auth/index.ts";
import { decodeEnvelope, encode, wrappedFrameLevels } from "../../src/protocol/codec.ts";
import type { Envelope } from "../../src/protocol/envelope.ts";
import { CLIENT_PATH, PROTOCOL_VERSION } from "../../src/protocol/limits.ts";
import { randomHex } from "../../src/util/random-hex.ts";

export class SlowClient implements Disposable {
  readonly received: Envelope[] = [];
  isClosed = false;
  readonly #socket: Bun.Socket;
  #buffer = Buffer.alloc(0);
  #isUpgraded = false;
  #changed = Promise.withResolvers<void>();

  private constructor(socket: Bun.Socket) {
    this.#socket = socket;
  }

  static async connectAsync(port: number, prover: Prover): Promise<SlowClient> {
    const ready = Promise.withResolvers<SlowClient>();
    const socket = await Bun.connect({
      hostname: "127.0.0.1",
      port,
      socket: {
        data: (_, data) => void ready.promise.then((client) => client.#read(data)),
        close: () => void ready.promise.then((client) => client.#end()),
      },
    });
    const client = new SlowClient(socket);
    ready.resolve(client);
    const key = Buffer.from(randomHex(8)).toString("base64");
    socket.write(
      `GET ${CLIENT_PATH} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${key}\r\n\r\n`,
    );
    await client.untilAsync(() => client.#isUpgraded);
    await client.#proveAsync(port, prover);
    return client;
  }

  /** Stops reading until `resume`. */
  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  say(type: string, payload: unknown, header: { requestId?: string; protocolVersion?: number } = {}): void {
    this.#socket.write(maskedFrame(Buffer.from(encode({ type, sessionId: "", ...header, payload }))));
  }

  async untilAsync(condition: () => boolean): Promise<void> {
    while (!condition()) await this.#changed.promise;
  }

  [Symbol.dispose](): void {
    this.#socket.end();
  }

  async #proveAsync(port: number, prover: Prover): Promise<void> {
    const nonceA = randomHex(32);
    const hello = { role: "client", nonceA, keyId: prover.keyId("client") };
    this.say("hello", hello, { protocolVersion: PROTOCOL_VERSION });
    await this.untilAsync(() => this.received.length === 1);
    const { nonceB, hostId } = Object(this.received[0]?.payload);
    const claim = { side: "peer", role: "client", port, nonceA, nonceB, hostId } as const;
    this.say("auth", { proof: prover.prove(claim) });
    await this.untilAsync(() => this.received[1]?.type === "welcome");
  }

  #end(): void {
    this.isClosed = true;
    this.#changed.resolve();
  }

  #read(data: Uint8Array): void {
    this.#buffer = Buffer.concat([this.#buffer, data]);
    if (!this.#isUpgraded) {
      const end = this.#buffer.indexOf("\r\n\r\n");
      if (end === -1) return;
      this.#isUpgraded = true;
      this.#buffer = this.#buffer.subarray(end + 4);
    }
    for (let frame = this.#takeFrame(); frame !== undefined; frame = this.#takeFrame()) {
      const decoded = decodeEnvelope(frame, wrappedFrameLevels);
      if (decoded.ok) this.received.push(decoded.value);
    }
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }

  /** One unfragmented, unmasked frame (RFC 6455 §5.2); undefined until it is all there. */
  #takeFrame(): string | undefined {
    const short = (this.#buffer[1] ?? 0) & 0x7f;
    const headerBytes = short === 127 ? 10 : short === 126 ? 4 : 2;
    if (this.#buffer.length < headerBytes) return undefined;
    const sizeBytes =
      short === 127
        ? Number(this.#buffer.readBigUInt64BE(2))
        : short === 126
          ? this.#buffer.readUInt16BE(2)
          : short;
    if (this.#buffer.length < headerBytes + sizeBytes) return undefined;
    const text = this.#buffer.toString("utf8", headerBytes, headerBytes + sizeBytes);
    this.#buffer = this.#buffer.subarray(headerBytes + sizeBytes);
    return text;
  }
}

/** A client must mask; a mask of zeros is allowed and leaves the bytes as they are. */
function maskedFrame(body: Buffer): Buffer {
  const size = Buffer.alloc(body.length < 126 ? 0 : 2);
  if (size.length === 2) size.writeUInt16BE(body.length);
  const short = body.length < 126 ? body.length : 126;
  return Buffer.concat([Buffer.from([0x81, 0x80 | short]), size, Buffer.alloc(4), body]);
}
