/** Everything that may hold a bridge port in a test: hosts, hosts with another key, and other programs. */
import { afterEach, beforeEach } from "bun:test";
import { BridgeHost } from "../../../../src/bridge/index.ts";
import { realWorldAsync } from "../real-world.ts";
import type { RealWorld } from "../real-world.ts";

/** One per test file, made when the file is loaded: every test begins with a key of its own, and leaves no holder behind. */
export class PortHolders {
  #world: RealWorld | undefined;
  #cleanups: (() => unknown)[] = [];

  constructor() {
    beforeEach(async () => {
      this.#world = await realWorldAsync();
    });
    afterEach(async () => {
      for (const cleanup of this.#cleanups.reverse()) await cleanup();
      this.#cleanups = [];
      this.#world?.[Symbol.dispose]();
    });
  }

  get world(): RealWorld {
    if (this.#world === undefined) throw new Error("only tests have a world");
    return this.#world;
  }

  later = <T>(thing: T, cleanup: (thing: T) => unknown): T => {
    this.#cleanups.push(() => cleanup(thing));
    return thing;
  };

  hostAsync = async (port = 0): Promise<BridgeHost> =>
    this.later(await BridgeHost.startAsync({ port, version: "9.9.9" }), (host) => host.stopAsync());

  /** A host on this machine's port that has another key. */
  foreignHostAsync = async (): Promise<number> => {
    const other = await realWorldAsync();
    const host = await this.hostAsync();
    other[Symbol.dispose]();
    process.env["XDG_STATE_HOME"] = this.world.stateHome;
    return host.port;
  };

  /** Programs that hold a port and are not our host. */
  squatters = {
    silent: () => this.#listen(() => {}),
    "an echo": () => this.#listen((socket, data) => socket.write(data)),
    abrupt: () => this.#listen((socket) => socket.end()),
    talkative: () => this.#listen((socket) => socket.write("220 ready\r\n")),
    "a web server": () =>
      this.later(Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response("hi") }), (server) =>
        server.stop(true),
      ).port ?? 0,
  };

  #listen(data: (socket: Bun.Socket, data: Buffer) => void): number {
    const server = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data } });
    return this.later(server, () => server.stop(true)).port;
  }
}
