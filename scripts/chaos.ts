/**
 * Kills or stops bridge hosts over and over while scripts run in a real headless Studio, and checks that every caller
 * got its answer and no script ran twice: `bun scripts/chaos.ts [--kills N] [--graceful]`. Needs a built dist/sb.
 */
import { parseArgs } from "node:util";
import { BridgeConnection } from "../src/bridge/index.ts";
import { Work } from "../test/chaos/work.ts";
import { Sandbox, untilAsync } from "../test/harness.ts";

const { values } = parseArgs({
  options: { kills: { type: "string", default: "100" }, graceful: { type: "boolean", default: false } },
});
const LANES = 16;
const STANDBYS = 2;

await using box = await Sandbox.createAsync();
process.env["XDG_STATE_HOME"] = box.stateFolder;
const standByAsync = async () => {
  const child = box.spawn(["serve", "--join", "--json"]);
  await child.stdout.getReader().read();
  return child;
};
const hosts = [await standByAsync()];
for (let index = 0; index < STANDBYS; index += 1) hosts.push(await standByAsync());
await box.headlessAsync();
const [session] = await box.sessionsAsync();
await using connection = await BridgeConnection.connectAsync({ port: box.port });
const work = new Work(connection, session?.sessionId ?? "", LANES);

const servedAgainMs: number[] = [];
for (let kill = 0; kill < Number(values.kills); kill += 1) {
  const before = work.tally.replies;
  const pid = await untilAsync("the host says who it is", async () => {
    const { hostPid } = await box.hostAsync().catch(() => ({ hostPid: 0 }));
    return hosts.some((host) => host.pid === hostPid && host.exitCode === null) ? hostPid : undefined;
  });
  const victim = hosts.find((host) => host.pid === pid);
  const moved = Promise.withResolvers<void>();
  const stop = connection.onHostChange(() => moved.resolve());
  const killedAt = performance.now();
  victim?.kill(values.graceful ? "SIGTERM" : "SIGKILL");
  await moved.promise;
  stop();
  servedAgainMs.push(performance.now() - killedAt);
  hosts.push(await standByAsync());
  await untilAsync("work goes on", () => (work.tally.replies > before + LANES ? true : undefined), 20_000);
}
const { replies, failures, violations, latenciesMs } = await work.finishAsync();
console.log(`${values.kills} ${values.graceful ? "stops" : "kills"}, ${LANES} scripts at a time`);
console.log(
  `replies ${replies}, failures ${failures.length} (${[...new Set(failures)].join(", ") || "none"})`,
);
console.log(`violations ${violations.length}`);
for (const violation of violations.slice(0, 20)) console.log(`  ${violation}`);
for (const [what, times] of [
  ["connected to the next host", servedAgainMs],
  ["script", latenciesMs],
] as const) {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) => (sorted[Math.floor(share * (sorted.length - 1))] ?? 0).toFixed(0);
  console.log(`${what}: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, max ${at(1)} ms`);
}
process.exitCode = violations.length === 0 ? 0 : 1;
