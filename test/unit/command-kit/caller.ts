/** A surface for tests: it has no screen, only a memory. */
import type { BridgeConnection } from "../../../src/bridge/index.ts";
import type { Emission } from "../../../src/output/emission.ts";
import { dispatchAsync } from "../../../src/command-kit/dispatch.ts";
import type { Environment } from "../../../src/command-kit/environment.ts";
import { commands } from "../../../src/commands/index.ts";
import { StudioBridgeError } from "../../../src/protocol/errors.ts";
import { plainStyle } from "../../../src/util/style.ts";

export interface Shown {
  readonly stream: string;
  readonly text: string;
}

/** Dispatches as a surface does, and remembers what it was shown. */
export class Caller implements Environment {
  readonly #bridge: BridgeConnection;
  readonly catalog = commands;
  readonly isRemote = false;
  readonly headless = false;
  readonly controller = new AbortController();
  readonly shown: Shown[] = [];
  readonly json: unknown[] = [];
  stdin = "";

  constructor(bridge: BridgeConnection) {
    this.#bridge = bridge;
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }
  readonly bridgeAsync = async () => this.#bridge;
  readonly status = () => undefined;
  readonly readStdinAsync = async () => new TextEncoder().encode(this.stdin);
  readonly emit = ({ stream, text, json }: Emission) => {
    if (text !== undefined) this.shown.push({ stream, text: text(plainStyle) });
    if (json !== undefined) this.json.push(json);
  };

  async dispatchAsync(name: string, input: unknown) {
    const command = await commands.findAsync(name);
    if (command === undefined) throw new Error(`no command ${name}`);
    return dispatchAsync(command, input, this);
  }

  async failureAsync(name: string, input: unknown): Promise<StudioBridgeError> {
    try {
      await this.dispatchAsync(name, input);
    } catch (error) {
      if (error instanceof StudioBridgeError) return error;
      throw error;
    }
    throw new Error(`${name} did not fail`);
  }
}
