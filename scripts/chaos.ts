/**
 * Real processes under real trouble, for as long as asked: hosts killed or stopped under load, many commands starting at
 * once, a bad network, steady work for minutes. Checks that every caller got its answer and no script ran twice, and
 * exits 1 when a promise was broken. Needs a built dist/sb.
 *
 *   --kills N, --hand-offs N              ends N hosts under load, with kill -9 or with SIGTERM (default: 100 kills)
 *   --agents N [--at-once 6]              the same to whichever of several `sb mcp` is the host, in every way
 *   --starts ROUNDS [--at-once 50]        commands that start at the same moment, where no host runs
 *   --network SECONDS [--seed 1]          a client whose connection is delayed, split and cut
 *   --soak MINUTES [--rate 20] [--studios 3] [--every 60]
 *                                         steady work, --rate scripts a second, a host ended every so many seconds (0: never)
 */
import { loadavg } from "node:os";
import { parseArgs } from "node:util";
import { BridgeConnection } from "../src/bridge/index.ts";
import { Agents } from "../test/chaos/agents.ts";
import { HostGang } from "../test/chaos/gang.ts";
import { ChaosProxy } from "../test/chaos/proxy.ts";
import { soakAsync } from "../test/chaos/soak.ts";
import type { Footprint } from "../test/chaos/soak.ts";
import { startAtOnceAsync } from "../test/chaos/starts.ts";
import { Work } from "../test/chaos/work.ts";
import type { Tally } from "../test/chaos/work.ts";
import { Sandbox, untilAsync } from "../test/harness.ts";
import { Random } from "../test/simulator/random.ts";

const DEFAULT_KILLS = 100;
const LANES = 16;
const GANG = 3;
const AGENTS = 6;
const STARTS = 50;
const REFUSED_SHARE = 0.01;
const TELL_EVERY_MS = 10_000;

const { values } = parseArgs({
  options: {
    kills: { type: "string" },
    "hand-offs": { type: "string" },
    agents: { type: "string" },
    starts: { type: "string" },
    "at-once": { type: "string" },
    network: { type: "string" },
    seed: { type: "string", default: "1" },
    soak: { type: "string" },
    every: { type: "string", default: "60" },
    rate: { type: "string", default: "20" },
    studios: { type: "string", default: "3" },
  },
});

let toldAt = 0;
/** A line that is written over on a screen, and comes now and then elsewhere. */
function tell(text: string): void {
  if (process.stderr.isTTY) return void process.stderr.write(`\r\x1b[K${text}`);
  if (performance.now() - toldAt < TELL_EVERY_MS) return;
  toldAt = performance.now();
  process.stderr.write(`${text}\n`);
}

function report(text: string): void {
  if (process.stderr.isTTY) process.stderr.write("\r\x1b[K");
  console.log(text);
}

function reportTimes(what: string, times: readonly number[]): void {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) => (sorted[Math.floor(share * (sorted.length - 1))] ?? 0).toFixed(0);
  report(`  ${what}: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, max ${at(1)} ms`);
}

function reportTally({ replies, failures, violations, latenciesMs }: Tally): void {
  const kinds = [...new Set(failures)].join(", ");
  report(`  ${replies} replies, ${failures.length} failures${kinds === "" ? "" : ` (${kinds})`}`);
  reportViolations(violations);
  reportTimes("script", latenciesMs);
}

function reportViolations(violations: readonly string[]): void {
  report(`  ${violations.length} promises broken`);
  for (const violation of violations.slice(0, 20)) report(`    ${violation}`);
  if (violations.length > 0) process.exitCode = 1;
}

const load = () => `load average ${loadavg()[0]?.toFixed(1)}`;

async function endHostsAsync(count: number, signal: "SIGKILL" | "SIGTERM"): Promise<void> {
  await using box = await Sandbox.createAsync();
  using _ = box.enter();
  const gang = await HostGang.createAsync(box, GANG);
  await box.headlessAsync();
  const [session] = await box.sessionsAsync();
  await using connection = await BridgeConnection.connectAsync({ port: box.port });
  const work = new Work(connection, session?.sessionId ?? "", { lanes: LANES });
  const gapsMs: number[] = [];
  for (let round = 0; round < count; round += 1) {
    tell(`${round} of ${count} hosts ended by ${signal}, ${work.tally.replies} replies`);
    const before = work.tally.replies;
    gapsMs.push(await gang.replaceHostAsync(connection, signal));
    const goesOn = () => (work.tally.replies > before + LANES ? true : undefined);
    await untilAsync("work goes on", goesOn, 20_000);
  }
  const tally = await work.finishAsync();
  report(`${count} hosts ended by ${signal} under ${LANES} scripts at a time, ${load()}`);
  reportTally(tally);
  reportTimes("connected to the next host", gapsMs);
}

async function endAgentsAsync(rounds: number, count: number): Promise<void> {
  await using box = await Sandbox.createAsync();
  const agents = await Agents.createAsync(box, count);
  const ways = ["SIGKILL", "SIGTERM", "end of input"] as const;
  for (let round = 0; round < rounds; round += 1) {
    const way = ways[round % ways.length] ?? "SIGKILL";
    tell(`${round} of ${rounds} hosts ended, now by ${way}`);
    await agents.replaceHostAsync(way);
  }
  const { replies, refusals, violations, gapsMs } = await agents.finishAsync();
  report(`${rounds} hosts ended among ${count} agents, ${load()}`);
  report(`  ${replies} replies, ${refusals.length} failures that were told truthfully`);
  for (const refusal of refusals) report(`    ${refusal}`);
  // R3: nearly all get the real reply.
  const allowed = (replies + refusals.length) * REFUSED_SHARE;
  const tooMany = refusals.length > allowed ? ["more than one call in a hundred failed"] : [];
  reportViolations([...violations, ...tooMany]);
  reportTimes("until the work was taken up", gapsMs);
}

async function startAsync(rounds: number, processes: number): Promise<void> {
  await using box = await Sandbox.createAsync();
  await box.sbAsync(["version"]);
  const [tookMs, violations] = [new Array<number>(), new Array<string>()];
  for (let round = 1; round <= rounds; round += 1) {
    tell(`${round} of ${rounds} rounds, ${processes} commands at once`);
    const start = await startAtOnceAsync(box, processes, round % 2 === 0 ? "SIGTERM" : "SIGKILL");
    tookMs.push(start.tookMs);
    if (start.hosts !== 1) violations.push(`round ${round}: ${start.hosts} hosts`);
    violations.push(...start.failures.map((failure) => `round ${round}: ${failure}`));
  }
  report(`${rounds} rounds of ${processes} commands at once, ${load()}`);
  reportViolations(violations);
  reportTimes("round", tookMs);
}

async function networkAsync(seconds: number, seed: number): Promise<void> {
  await using box = await Sandbox.createAsync();
  using _ = box.enter();
  await box.headlessAsync();
  const [session] = await box.sessionsAsync();
  const trouble = { maxDelayMs: 3, maxPieceBytes: 2_000, maxLifeBytes: 60_000 };
  using proxy = new ChaosProxy(box.port, trouble, new Random(seed));
  await using connection = await untilAsync("the proxy lets us through", () =>
    BridgeConnection.connectAsync({ remote: { host: "127.0.0.1", port: proxy.port } }).catch(() => undefined),
  );
  const work = new Work(connection, session?.sessionId ?? "", { lanes: LANES, sizeBytes: 1_000 });
  const endsAt = performance.now() + seconds * 1_000;
  while (performance.now() < endsAt) {
    tell(`${work.tally.replies} replies, ${proxy.cuts} connections cut`);
    await Bun.sleep(500);
  }
  proxy.calm();
  const tally = await work.finishAsync();
  report(`${seconds} s behind a bad network, ${proxy.cuts} connections cut, seed ${seed}, ${load()}`);
  reportTally(tally);
}

async function soakForAsync(minutes: number): Promise<void> {
  await using box = await Sandbox.createAsync();
  using _ = box.enter();
  const everySeconds = Number(values.every);
  const { tallies, replaced, agentCalls, agentFailures, before, after } = await soakAsync(box, {
    durationMs: minutes * 60_000,
    studios: Number(values.studios),
    requestsPerSecond: Number(values.rate),
    everyMs: everySeconds === 0 ? Infinity : everySeconds * 1_000,
    tell,
  });
  report(`${minutes} minutes of steady work, ${replaced} hosts ended, ${load()}`);
  for (const tally of tallies) reportTally(tally);
  report(`  ${agentCalls} calls of an agent, ${agentFailures.length} failures`);
  reportViolations(agentFailures);
  const shown = ({ rssMb, files }: Footprint) => `${rssMb.toFixed(0)} MB, ${files} files`;
  for (const [index, then] of before.entries()) {
    const now = after[index];
    if (now !== undefined) report(`  ${then.what}: ${shown(then)} after a minute, ${shown(now)} at the end`);
  }
}

const { kills, "hand-offs": handOffs, agents, starts, network, soak, "at-once": atOnce } = values;
const isPlain = [kills, handOffs, agents, starts, network, soak].every((value) => value === undefined);
if (kills !== undefined || isPlain) await endHostsAsync(Number(kills ?? DEFAULT_KILLS), "SIGKILL");
if (handOffs !== undefined) await endHostsAsync(Number(handOffs), "SIGTERM");
if (agents !== undefined) await endAgentsAsync(Number(agents), Number(atOnce ?? AGENTS));
if (starts !== undefined) await startAsync(Number(starts), Number(atOnce ?? STARTS));
if (network !== undefined) await networkAsync(Number(network), Number(values.seed));
if (soak !== undefined) await soakForAsync(Number(soak));
