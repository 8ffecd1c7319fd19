/**
 * What an agent waits for: the handshake after the start, and tool calls one by one and many at once, of a server that
 * is itself the bridge host (direct) beside one that calls through a host process (relayed).
 */
import { Sandbox } from "../harness.ts";
import { McpPeer } from "../peers/mcp-peer.ts";
import { floorFiguresAsync, floors } from "./mcp-floor.ts";
import { figures, inTurnAsync } from "./statistics.ts";
import type { Figures } from "./statistics.ts";

const STARTS = 30;
const ROUNDS = { calls: 2_000, batch: 100 };
const IN_FLIGHT = 64;
const BURSTS = 5;
const BURST_CALLS = 3_000;

/** Those that an agent calls most, with what it gives them. */
const tools: { readonly [name: string]: { readonly [argument: string]: string } } = {
  studio_sessions: {},
  studio_state: {},
  studio_exec: { script: "return 1" },
};

/** The sandbox has one Studio, and a host process. */
export async function mcpFiguresAsync(box: Sandbox): Promise<Figures[]> {
  const starts: number[] = [];
  const ends: number[] = [];
  for (let round = 0; round < STARTS; round += 1) {
    const startedAt = performance.now();
    await using peer = new McpPeer(box);
    await peer.initializeAsync();
    starts.push(performance.now() - startedAt);
    ends.push((await peer.endAsync()).tookMs);
  }
  await using relayed = new McpPeer(box);
  await relayed.initializeAsync();
  const { result } = await relayed.requestAsync("tools/list");
  return [
    figures("sb mcp: spawn to initialize", "ms", starts),
    figures("sb mcp: end of stdin to exit", "ms", ends),
    figures("tools/list", "KB", [Buffer.byteLength(JSON.stringify(result)) / 1024]),
    ...(await floorFiguresAsync(box.folder)),
    ...(await callFiguresAsync(relayed)),
  ];
}

/** The direct one has a Studio of its own. */
async function callFiguresAsync(relayed: McpPeer): Promise<Figures[]> {
  await using own = await Sandbox.createAsync();
  await using direct = new McpPeer(own);
  await direct.initializeAsync();
  await direct.toolAsync("studio_sessions");
  await own.headlessAsync();
  const ways = Object.entries({ direct, relayed });
  const rows: Figures[] = [];
  for (const [name, args] of Object.entries(tools)) {
    const calls = ways.map(
      ([way, peer]) => [callName(name, way), () => callAsync(peer, name, args)] as const,
    );
    rows.push(...(await inTurnAsync(ROUNDS, Object.fromEntries(calls))));
  }
  const rates = ways.map(([way, peer]) => ({ way, peer, samples: new Array<number>() }));
  for (let burst = 0; burst < BURSTS; burst += 1)
    for (const { peer, samples } of rates) samples.push(await throughputAsync(peer));
  return [
    ...rows,
    ...rates.map(({ way, samples }) =>
      figures(`${callName("studio_state", way)}, ${IN_FLIGHT} in flight`, "calls/s", samples),
    ),
  ];
}

const callName = (tool: string, way: string) => `tools/call ${tool}, ${way}`;

async function callAsync(peer: McpPeer, name: string, args: object = {}): Promise<void> {
  await peer.toolAsync(name, { ...args });
  peer.messages.length = 0;
}

async function throughputAsync(peer: McpPeer): Promise<number> {
  let left = BURST_CALLS;
  const startedAt = performance.now();
  await Promise.all(
    Array.from({ length: IN_FLIGHT }, async () => {
      while (left-- > 0) await callAsync(peer, "studio_state");
    }),
  );
  return BURST_CALLS / ((performance.now() - startedAt) / 1_000);
}

/** What calls cost beside the hops that they cannot do without, and what it costs that a host is between. */
export function callRatioLines(rows: readonly Figures[]): string[] {
  const medianOf = (name: string) => rows.find((row) => row.name === name)?.p50 ?? Number.NaN;
  const [line, frame] = [medianOf(floors.line), medianOf(floors.frame)];
  return Object.keys(tools).flatMap((tool) => {
    const [direct, relayed] = [medianOf(callName(tool, "direct")), medianOf(callName(tool, "relayed"))];
    // The list of sessions is known to the server; everything else is asked of Studio.
    const least =
      tool === "studio_sessions"
        ? { ms: line, of: "a line" }
        : { ms: line + frame, of: "a line and a frame" };
    return [
      `${callName(tool, "direct")}: ${(direct / least.ms).toFixed(2)} times ${least.of}`,
      `${callName(tool, "relayed")}: ${(relayed / direct).toFixed(2)} times direct`,
    ];
  });
}
