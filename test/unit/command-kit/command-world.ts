/** A bridge host and one connection to it for each test of a file that calls commands, with a key of the file's own. */
import { afterAll, afterEach, beforeAll, beforeEach } from "bun:test";
import { BridgeConnection, BridgeHost } from "../../../src/bridge/index.ts";
import { ScriptedPlugin } from "../../peers/scripted-plugin.ts";
import { realWorldAsync } from "../bridge/real-world.ts";
import type { RealWorld } from "../bridge/real-world.ts";
import { Caller } from "./caller.ts";

export class CommandWorld {
  #real: RealWorld | undefined;
  #host: BridgeHost | undefined;
  #bridge: BridgeConnection | undefined;

  /** To be called once, at the top of a file. */
  constructor() {
    beforeAll(async () => {
      this.#real = await realWorldAsync();
    });
    afterAll(() => this.#real?.[Symbol.dispose]());
    beforeEach(async () => {
      this.#host = await BridgeHost.startAsync({ port: 0, version: "test" });
      this.#bridge = await BridgeConnection.connectAsync({ port: this.#host.port });
    });
    afterEach(async () => {
      await this.#bridge?.[Symbol.asyncDispose]();
      await this.#host?.[Symbol.asyncDispose]();
    });
  }

  get stateHome(): string {
    return present(this.#real).stateHome;
  }

  get port(): number {
    return present(this.#host).port;
  }

  get bridge(): BridgeConnection {
    return present(this.#bridge);
  }

  caller(): Caller {
    return new Caller(this.bridge);
  }

  studioAsync(details: Parameters<typeof ScriptedPlugin.connectAsync>[2] = {}) {
    return ScriptedPlugin.connectAsync(this.port, present(this.#real).prover, details);
  }
}

function present<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("the world is there only while a test runs");
  return value;
}
