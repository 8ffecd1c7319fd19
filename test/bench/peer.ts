/**
 * Another Studio server from npm beside ours, fetched only when asked for. A stand-in acts as its plugin by that
 * plugin's own rule, so that what is measured is the server and the way it is asked, never Studio.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Sandbox } from "../harness.ts";
import { freePort } from "../harness.ts";
import { McpPeer, StdioPeer } from "../peers/mcp-peer.ts";
import { figures, timeAsync } from "./statistics.ts";
import type { Figures } from "./statistics.ts";

const NAME = "robloxstudio-mcp";
const VERSION = "2.6.0";
const STARTS = 15;
/** Its plugin (studio-plugin/src/modules/Communication.ts) asks no sooner than half a second after it asked last. */
const POLL_PAUSE_MS = 500;
const FRAME_MS = 1_000 / 60;

interface Load {
  readonly calls: number;
  readonly inFlight: number;
}

/** The sandbox has one Studio. Needs npm, node and the registry. */
export async function peerFiguresAsync(box: Sandbox): Promise<Figures[]> {
  const folder = await mkdtemp(join(tmpdir(), "sb-bench-peer-"));
  try {
    const spec = `${NAME}@${VERSION}`;
    const fetched = Bun.spawnSync(
      ["npm", "install", "--prefix", folder, "--ignore-scripts", "--no-audit", "--no-fund", spec],
      { stdout: "ignore", stderr: "pipe" },
    );
    if (fetched.exitCode !== 0) throw new Error(`npm could not fetch ${spec}: ${fetched.stderr.toString()}`);
    const port = freePort();
    const env = { ...box.env(), ROBLOX_STUDIO_PORT: String(port) };
    const argv = ["node", join(folder, "node_modules", NAME, "dist", "index.js")];
    const openTheirs = () => new StdioPeer(argv, { cwd: folder, env });
    return [...(await startsAsync(box, openTheirs)), ...(await callsAsync(box, openTheirs, port))];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** In turn, so that a noisy moment hits both. */
async function startsAsync(box: Sandbox, openTheirs: () => StdioPeer): Promise<Figures[]> {
  const openers = { "sb mcp": () => new McpPeer(box), [NAME]: openTheirs };
  const samples = new Map<string, number[]>(Object.keys(openers).map((name) => [name, []]));
  for (let round = 0; round < STARTS; round += 1) {
    for (const [name, open] of Object.entries(openers)) {
      const startedAt = performance.now();
      await using peer = open();
      await peer.initializeAsync();
      samples.get(name)?.push(performance.now() - startedAt);
    }
  }
  return [...samples].map(([name, list]) => figures(`beside: ${name}, spawn to initialize`, "ms", list));
}

async function callsAsync(box: Sandbox, openTheirs: () => StdioPeer, port: number): Promise<Figures[]> {
  await using ours = new McpPeer(box);
  await using theirs = openTheirs();
  await ours.initializeAsync();
  await theirs.initializeAsync();
  const ask = (peer: StdioPeer, name: string) => () =>
    peer.requestAsync("tools/call", { name, arguments: {} });
  const askOurs = ask(ours, "studio_state");
  const askTheirs = ask(theirs, "get_place_info");
  const rows = [
    await latencyAsync("beside: sb mcp, tools/call", askOurs, 1_000),
    await throughputAsync("beside: sb mcp, tools/call", askOurs, { calls: 4_000, inFlight: 64 }),
  ];
  {
    await using _plugin = new StandInPlugin(port, POLL_PAUSE_MS);
    // Calls that follow each other would always meet the whole pause.
    const anyTimeAsync = () => Bun.sleep(Math.random() * POLL_PAUSE_MS);
    const name = `beside: ${NAME}, tools/call, its plugin's pauses`;
    rows.push(await latencyAsync(name, askTheirs, 40, anyTimeAsync));
  }
  {
    await using _plugin = new StandInPlugin(port, 0);
    const name = `beside: ${NAME}, tools/call, asked without pauses`;
    rows.push(await latencyAsync(name, askTheirs, 500));
    rows.push(await throughputAsync(name, askTheirs, { calls: 1_000, inFlight: 64 }));
  }
  const sizes = await Promise.all([ours, theirs].map((peer) => peer.requestAsync("tools/list")));
  const [small = 0, large = 0] = sizes.map((list) => Buffer.byteLength(JSON.stringify(list)) / 1_024);
  return [
    ...rows,
    figures("beside: sb mcp, tools/list", "KB", [small]),
    figures(`beside: ${NAME}, tools/list`, "KB", [large]),
  ];
}

type Call = () => Promise<{ readonly [key: string]: unknown }>;

async function latencyAsync(
  name: string,
  call: Call,
  calls: number,
  beforeAsync?: () => Promise<void>,
): Promise<Figures> {
  for (let warm = 0; warm < Math.min(calls / 5, 100); warm += 1) refuseErrors(await call());
  const samples: number[] = [];
  for (let round = 0; round < calls; round += 1) {
    await beforeAsync?.();
    samples.push(await timeAsync(call));
  }
  return figures(name, "ms", samples);
}

async function throughputAsync(name: string, call: Call, { calls, inFlight }: Load): Promise<Figures> {
  let left = calls;
  const startedAt = performance.now();
  await Promise.all(
    Array.from({ length: inFlight }, async () => {
      while (left-- > 0) await call();
    }),
  );
  const perSecond = calls / ((performance.now() - startedAt) / 1_000);
  return figures(`${name}, ${inFlight} in flight`, "calls/s", [perSecond]);
}

/** A fast error is no figure. */
function refuseErrors(answer: { readonly [key: string]: unknown }): void {
  if (answer["error"] !== undefined || Object(answer["result"]).isError === true)
    throw new Error(`a call failed: ${JSON.stringify(answer)}`);
}

/** Asks for one request at a time and answers it, as the plugin does: on a frame, and after a pause. */
class StandInPlugin implements AsyncDisposable {
  readonly #address: string;
  readonly #pauseMs: number;
  readonly #ended: Promise<void>;
  #isEnding = false;

  constructor(port: number, pauseMs: number) {
    this.#address = `http://127.0.0.1:${port}`;
    this.#pauseMs = pauseMs;
    this.#ended = this.#runAsync();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isEnding = true;
    await this.#ended;
  }

  async #runAsync(): Promise<void> {
    await this.#postAsync("ready", { instanceId: "stand-in", role: "edit" });
    while (!this.#isEnding) {
      const askedAt = performance.now();
      const response = await fetch(`${this.#address}/poll?instanceId=stand-in`);
      const { request, requestId } = Object(await response.json());
      if (request)
        await this.#postAsync("response", { requestId, response: { placeName: "Place1", placeId: 0 } });
      while (this.#pauseMs > 0 && performance.now() - askedAt < this.#pauseMs) await Bun.sleep(FRAME_MS);
    }
    await this.#postAsync("disconnect", { instanceId: "stand-in" });
  }

  async #postAsync(path: string, body: object): Promise<void> {
    const headers = { "Content-Type": "application/json" };
    const answer = { method: "POST", headers, body: JSON.stringify(body) };
    await (await fetch(`${this.#address}/${path}`, answer)).text();
  }
}
