/**
 * What the bridge costs: a request relayed by a host process beside one through a host in the caller's own, a host that
 * only keeps a hundred sessions, and the same hundred coming back after their host was killed.
 */
import { createProver, loadKeyAsync } from "../../src/auth/index.ts";
import type { Prover } from "../../src/auth/index.ts";
import { BridgeConnection } from "../../src/bridge/index.ts";
import { intervals } from "../../src/protocol/limits.ts";
import { buildId } from "../../src/version.ts";
import { Sandbox } from "../harness.ts";
import { ScriptedPlugin } from "../peers/scripted-plugin.ts";
import { Echo } from "./echo.ts";
import { hostMemoryAsync, hostTimeMsAsync } from "./host-time.ts";
import { figures, type Figures, inTurnAsync } from "./statistics.ts";

const ROUNDS = { calls: 2_000, batch: 100 };
/** Else the host of this process, which runs from source, makes room for one of the binary. */
const NEWER_THAN_BINARY = "1000.0.0";
const PLUGINS = 100;
const IDLE_MS = 20_000;
const LOSSES = 10;
/** The plugin's rule for a host that was lost (plugin/src/Net/Rhythm.luau). */
const FIRST_BACKOFF_MS = 100;

export async function bridgeFiguresAsync(box: Sandbox): Promise<Figures[]> {
  return [...(await roundTripsAsync(box)), ...(await crowdAsync())];
}

/** The sandbox has one Studio. */
async function roundTripsAsync(box: Sandbox): Promise<Figures[]> {
  await using own = await Sandbox.createAsync();
  using _ = own.enter();
  const stays = { host: { version: NEWER_THAN_BINARY, buildId }, stays: true };
  await using direct = await BridgeConnection.connectAsync({ port: own.port, ...stays });
  await own.headlessAsync();
  using __ = box.enter();
  await using relayed = await BridgeConnection.connectAsync({ port: box.port });
  const [far, near] = await Promise.all([onlySessionAsync(relayed), onlySessionAsync(direct)]);
  await using echo = await Echo.openAsync();
  return [
    ...(await inTurnAsync(ROUNDS, {
      "execute round trip, relayed": () => far.callAsync("execute", { script: "return 1" }),
      "execute round trip, direct": () => near.callAsync("execute", { script: "return 1" }),
      "floor: the same hops, empty": () => echo.callAsync(),
    })),
    ...(await inTurnAsync(ROUNDS, {
      "queryState round trip, relayed": () => far.callAsync("queryState", {}),
      "queryState round trip, direct": () => near.callAsync("queryState", {}),
    })),
  ];
}

async function onlySessionAsync(connection: BridgeConnection) {
  const [session] = (await connection.listSessionsAsync()).sessions;
  if (session === undefined) throw new Error("no session to measure");
  return connection.session(session.sessionId);
}

async function crowdAsync(): Promise<Figures[]> {
  await using box = await Sandbox.createAsync();
  using _ = box.enter();
  await box.sbAsync(["sessions"]);
  const prover = createProver(await loadKeyAsync());
  const crowd = Array.from({ length: PLUGINS }, (_unused, index) => new Returner(box.port, prover, index));
  await Promise.all(crowd.map((each) => each.comeAsync()));
  const beats = setInterval(() => crowd.forEach((each) => each.beat()), intervals.pluginHeartbeatMs);
  const busyMs = await hostTimeMsAsync(box, () => Bun.sleep(IDLE_MS));
  clearInterval(beats);
  const shares = busyMs === undefined ? [] : [(100 * busyMs) / IDLE_MS];
  const share = shares.map((each) => figures(`host with ${PLUGINS} idle sessions`, "% of a core", [each]));
  const memory = await hostMemoryAsync(box, `host memory with ${PLUGINS} sessions (RSS)`);
  const backMs: number[] = [];
  for (let loss = 0; loss < LOSSES; loss += 1) {
    const { hostPid } = await box.hostAsync();
    const lostAt = performance.now();
    const back = crowd.map((each) =>
      each.comeBackAsync().then(() => backMs.push(performance.now() - lostAt)),
    );
    process.kill(hostPid, "SIGKILL");
    box.spawn(["serve"]);
    await Promise.all(back);
  }
  for (const each of crowd) each[Symbol.dispose]();
  return [...share, ...memory, figures(`one of ${PLUGINS} plugins back after kill -9`, "ms", backMs)];
}

/** A plugin that is let in again when it has lost its host. */
class Returner implements Disposable {
  #plugin: ScriptedPlugin | undefined;
  #sessionId = "";
  readonly #port: number;
  readonly #prover: Prover;
  readonly #index: number;

  constructor(port: number, prover: Prover, index: number) {
    this.#port = port;
    this.#prover = prover;
    this.#index = index;
  }

  async comeAsync(): Promise<void> {
    for (let backoffMs = FIRST_BACKOFF_MS; !(await this.#tryAsync()); backoffMs *= 2)
      await Bun.sleep(Math.random() * Math.min(backoffMs, intervals.pluginProbeMs));
  }

  async comeBackAsync(): Promise<void> {
    await this.#plugin?.closed;
    await Bun.sleep(Math.random() * FIRST_BACKOFF_MS);
    await this.comeAsync();
  }

  beat(): void {
    const payload = { uptimeMs: Math.round(performance.now()), state: "Edit", pendingRequests: 0 };
    this.#plugin?.send("heartbeat", payload, { sessionId: this.#sessionId });
  }

  [Symbol.dispose](): void {
    this.#plugin?.[Symbol.dispose]();
  }

  async #tryAsync(): Promise<boolean> {
    const plugin = new ScriptedPlugin(this.#port);
    plugin.on("ping", (ping) => plugin.reply(ping, "pong", {}));
    const isProven = await Promise.race([
      plugin.proveAsync(this.#port, this.#prover).then(() => true),
      plugin.closed.then(() => false),
    ]).catch(() => false);
    if (!isProven) return false;
    const previous = this.#sessionId === "" ? {} : { previousSessionId: this.#sessionId };
    this.#sessionId = await plugin.registerAsync({ instanceId: `window-${this.#index}`, ...previous });
    this.#plugin = plugin;
    return true;
  }
}
