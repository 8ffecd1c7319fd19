/** Steady work on several Studios for a long time, with hosts that end now and then: what is lost, and what grows. */
import { readdir, readFile } from "node:fs/promises";
import { BridgeConnection } from "../../src/bridge/index.ts";
import { untilAsync } from "../harness.ts";
import type { Sandbox } from "../harness.ts";
import { McpPeer } from "../peers/mcp-peer.ts";
import { HostGang } from "./gang.ts";
import { Work } from "./work.ts";
import type { Tally } from "./work.ts";

interface SoakOptions {
  readonly durationMs: number;
  readonly studios: number;
  readonly requestsPerSecond: number;
  /** Between two ends of a host, killed and stopped by turns; Infinity: never. */
  readonly everyMs: number;
  readonly tell: (text: string) => void;
}

/** What a process holds, from /proc. */
export interface Footprint {
  readonly what: string;
  readonly rssMb: number;
  readonly files: number;
}

interface SoakResult {
  readonly tallies: readonly Tally[];
  readonly replaced: number;
  readonly agentCalls: number;
  readonly agentFailures: readonly string[];
  readonly before: readonly Footprint[];
  readonly after: readonly Footprint[];
}

const CHECK_EVERY_MS = 20_000;
/** Memory that a process takes in its first minute is no growth. */
const WARM_UP_MS = 60_000;

/** On Linux; the caller has entered the sandbox. */
export async function soakAsync(box: Sandbox, options: SoakOptions): Promise<SoakResult> {
  const gang = await HostGang.createAsync(box, 3);
  const studios = Array.from({ length: options.studios }, (_, index) =>
    box.spawn(["headless", "--name", `Soak${index}`]),
  );
  const sessions = await untilAsync("every Studio is there", async () => {
    const listed = await box.sessionsAsync();
    return listed.length === options.studios ? listed : undefined;
  });
  await using connection = await BridgeConnection.connectAsync({ port: box.port });
  const newAgentAsync = async () => {
    const peer = new McpPeer(box);
    await peer.initializeAsync();
    return peer;
  };
  let agent = await newAgentAsync();
  await using cleanup = new AsyncDisposableStack();
  cleanup.defer(() => agent[Symbol.asyncDispose]());
  const pauseMs = (options.studios / options.requestsPerSecond) * 1_000;
  const works = sessions.map(({ sessionId }) => new Work(connection, sessionId, { lanes: 1, pauseMs }));
  const measureAsync = async () =>
    Promise.all([
      footprintAsync("host", await gang.hostPidAsync()),
      footprintAsync("sb mcp", agent.pid),
      ...studios.map(({ pid }, index) => footprintAsync(`Studio ${index + 1}`, pid)),
    ]);

  const [startedAt, agentFailures] = [performance.now(), new Array<string>()];
  let [replaced, agentCalls, before] = [0, 0, new Array<Footprint>()];
  let [endsAt, checksAt] = [startedAt + options.everyMs, startedAt + CHECK_EVERY_MS];
  for (let now = startedAt; now < startedAt + options.durationMs; now = performance.now()) {
    if (before.length === 0 && now > startedAt + WARM_UP_MS) before = await measureAsync();
    if (now > endsAt) {
      const pid = await gang.hostPidAsync();
      if (pid === agent.pid) {
        await agent.endAsync();
        agent = await newAgentAsync();
      } else await gang.replaceHostAsync(connection, replaced % 2 === 0 ? "SIGKILL" : "SIGTERM");
      replaced += 1;
      endsAt += options.everyMs;
    }
    if (now > checksAt) {
      for (const work of works) await work.checkAsync();
      checksAt += CHECK_EVERY_MS;
    }
    agentCalls += 1;
    const sessionId = sessions[agentCalls % sessions.length]?.sessionId ?? "";
    const result = await agent.toolAsync("studio_exec", { script: `return ${agentCalls}`, sessionId });
    if (Object(result["structuredContent"]).returnValues?.[0] !== agentCalls)
      agentFailures.push(JSON.stringify(result).slice(0, 300));
    const replies = works.reduce((sum, { tally }) => sum + tally.replies, 0);
    const minutes = ((performance.now() - startedAt) / 60_000).toFixed(1);
    options.tell(
      `${minutes} min, ${replies} replies, ${agentCalls} calls of the agent, ${replaced} hosts ended`,
    );
    await Bun.sleep(1_000);
  }
  const after = await measureAsync();
  const tallies = await Promise.all(works.map((work) => work.finishAsync()));
  return { tallies, replaced, agentCalls, agentFailures, before, after };
}

async function footprintAsync(what: string, pid: number): Promise<Footprint> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  const files = (await readdir(`/proc/${pid}/fd`)).length;
  return { what, rssMb: Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1_024, files };
}
