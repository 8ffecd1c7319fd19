/** Bridge hosts that stand by for one another, as processes of their own; whichever serves can be ended. */
import type { BridgeConnection } from "../../src/bridge/index.ts";
import { PATIENCE_MS, untilAsync } from "../harness.ts";
import { isRunning } from "../processes.ts";
import type { Sandbox } from "../harness.ts";

type Member = ReturnType<Sandbox["spawn"]>;

export class HostGang {
  readonly #box: Sandbox;
  readonly #members: Member[] = [];

  private constructor(box: Sandbox) {
    this.#box = box;
  }

  /** The first of `size` is the host. */
  static async createAsync(box: Sandbox, size: number): Promise<HostGang> {
    const gang = new HostGang(box);
    for (let index = 0; index < size; index += 1) await gang.#joinAsync();
    return gang;
  }

  /** The process that serves at the moment, of the gang or not. */
  hostPidAsync(): Promise<number> {
    return untilAsync("the host says who it is", async () => {
      const { hostPid } = await this.#box.hostAsync().catch(() => ({ hostPid: 0 }));
      return isRunning(hostPid) ? hostPid : undefined;
    });
  }

  /** Ends the host and gives the time until `connection` had the next one, in milliseconds. */
  async replaceHostAsync(connection: BridgeConnection, signal: "SIGKILL" | "SIGTERM"): Promise<number> {
    const pid = await this.hostPidAsync();
    const moved = Promise.withResolvers<void>();
    const stop = connection.onHostChange(() => moved.resolve());
    const endedAt = performance.now();
    process.kill(pid, signal);
    const lostAfter = setTimeout(
      () => moved.reject(new Error(`no host serves ${PATIENCE_MS} ms after process ${pid} got ${signal}`)),
      PATIENCE_MS,
    );
    await moved.promise;
    const gapMs = performance.now() - endedAt;
    clearTimeout(lostAfter);
    stop();
    const index = this.#members.findIndex((member) => member.pid === pid);
    if (index !== -1) {
      this.#members.splice(index, 1);
      await this.#joinAsync();
    }
    return gapMs;
  }

  async #joinAsync(): Promise<void> {
    const member = this.#box.spawn(["serve", "--join", "--json"]);
    await member.stdout.getReader().read();
    this.#members.push(member);
  }
}
