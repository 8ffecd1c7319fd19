/**
 * A TCP relay that is a bad network: it delays, splits into single bytes, cuts after some bytes, with and without a
 * reset. Clients pass it as a forwarded port; plugins prove the port they dial and rightly take it for a stranger.
 */
import type { Random } from "../simulator/random.ts";

export interface Trouble {
  /** Each piece waits up to this long. */
  readonly maxDelayMs: number;
  /** Pieces are at most this long. */
  readonly maxPieceBytes: number;
  /** A connection breaks after at most this many bytes; Infinity: never. */
  readonly maxLifeBytes: number;
}

interface Relay {
  readonly upstream: Promise<Bun.Socket>;
  /** The pieces of one direction, in order. */
  toHost: Promise<void>;
  toClient: Promise<void>;
  lifeBytes: number;
}

export class ChaosProxy implements Disposable {
  readonly port: number;
  cuts = 0;
  readonly #random: Random;
  #trouble: Trouble;
  readonly #server: Bun.TCPSocketListener<Relay>;

  constructor(hostPort: number, trouble: Trouble, random: Random) {
    this.#trouble = trouble;
    this.#random = random;
    this.#server = Bun.listen<Relay>({
      hostname: "127.0.0.1",
      port: 0,
      socket: {
        open: (client) => {
          const upstream = Bun.connect({
            hostname: "127.0.0.1",
            port: hostPort,
            socket: {
              data: (_, data) => this.#toClient(client, Buffer.from(data)),
              close: () => client.terminate(),
            },
          });
          // If no host listens at the moment, the proxy does not listen either.
          upstream.catch(() => client.terminate());
          const lifeBytes = random.next() * trouble.maxLifeBytes;
          client.data = {
            upstream,
            toHost: Promise.resolve(),
            toClient: Promise.resolve(),
            lifeBytes: Number.isNaN(lifeBytes) ? Infinity : lifeBytes,
          };
        },
        data: (client, data) => this.#toHost(client, Buffer.from(data)),
        close: ({ data: { upstream } }) =>
          void upstream.then(
            (socket) => socket.terminate(),
            () => {},
          ),
      },
    });
    this.port = this.#server.port;
  }

  /** A quiet network from now on. */
  calm(): void {
    this.#trouble = { maxDelayMs: 0, maxPieceBytes: Infinity, maxLifeBytes: Infinity };
  }

  [Symbol.dispose](): void {
    this.#server.stop(true);
  }

  #toHost(client: Bun.Socket<Relay>, data: Buffer): void {
    const { upstream } = client.data;
    client.data.toHost = client.data.toHost
      .then(async () => this.#passAsync(client, await upstream, data))
      .catch(() => {});
  }

  #toClient(client: Bun.Socket<Relay>, data: Buffer): void {
    client.data.toClient = client.data.toClient.then(() => this.#passAsync(client, client, data));
  }

  async #passAsync(
    client: Bun.Socket<Relay>,
    target: Bun.Socket<Relay> | Bun.Socket,
    data: Buffer,
  ): Promise<void> {
    for (let start = 0; start < data.length;) {
      const { maxDelayMs, maxPieceBytes, maxLifeBytes } = this.#trouble;
      const piece = data.subarray(start, start + 1 + Math.floor(this.#random.next() * (maxPieceBytes - 1)));
      start += piece.length;
      client.data.lifeBytes -= piece.length;
      if (maxLifeBytes !== Infinity && client.data.lifeBytes < 0) {
        this.cuts += 1;
        if (this.#random.chance(0.5)) client.terminate();
        else client.end();
        return;
      }
      if (maxDelayMs > 0) await Bun.sleep(this.#random.next() * maxDelayMs);
      await writeAllAsync(target, piece);
    }
  }
}

async function writeAllAsync(target: Bun.Socket<Relay> | Bun.Socket, piece: Buffer): Promise<void> {
  for (let start = 0; start < piece.length;) {
    const written = target.write(piece.subarray(start));
    if (written < 0) return;
    start += written;
    if (start < piece.length) await Bun.sleep(1);
  }
}
