/** What an agent waits for: the handshake after the start, and tool calls one by one and many at once. */
import type { Sandbox } from "../harness.ts";
import { McpPeer } from "../peers/mcp-peer.ts";
import { floorFiguresAsync } from "./mcp-floor.ts";
import { figures, timeAsync } from "./statistics.ts";
import type { Figures } from "./statistics.ts";

const STARTS = 30;
const CALLS = 1_500;
const IN_FLIGHT = 60;

/** The sandbox has one Studio. */
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
  await using peer = new McpPeer(box);
  await peer.initializeAsync();
  const { result } = await peer.requestAsync("tools/list");
  return [
    figures("sb mcp: spawn to initialize", "ms", starts),
    figures("sb mcp: end of stdin to exit", "ms", ends),
    ...(await floorFiguresAsync(box.folder)),
    await callsAsync(peer, "studio_sessions", {}),
    await callsAsync(peer, "studio_state", {}),
    await callsAsync(peer, "studio_exec", { script: "return 1" }),
    figures(`tools/call studio_state, ${IN_FLIGHT} in flight`, "calls/s", [await throughputAsync(peer)]),
    figures("tools/list", "KB", [Buffer.byteLength(JSON.stringify(result)) / 1024]),
  ];
}

async function callsAsync(peer: McpPeer, name: string, args: object): Promise<Figures> {
  const call = () => peer.toolAsync(name, { ...args });
  for (let warm = 0; warm < 200; warm += 1) await call();
  const samples: number[] = [];
  for (let round = 0; round < CALLS; round += 1) {
    samples.push(await timeAsync(call));
    peer.messages.length = 0;
  }
  return figures(`tools/call ${name}`, "ms", samples);
}

async function throughputAsync(peer: McpPeer): Promise<number> {
  let left = CALLS * 2;
  const startedAt = performance.now();
  await Promise.all(
    Array.from({ length: IN_FLIGHT }, async () => {
      while (left-- > 0) await peer.toolAsync("studio_state");
    }),
  );
  return (CALLS * 2) / ((performance.now() - startedAt) / 1_000);
}
