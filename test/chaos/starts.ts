/** Many commands that start at the same moment on a machine without a bridge host, and how many hosts that makes. */
import { readdir, readFile } from "node:fs/promises";
import { untilAsync } from "../harness.ts";
import type { Sandbox } from "../harness.ts";

/** A second host that is still there after this time is no loser of the race. */
const LOSERS_END_MS = 20_000;

export interface Start {
  /** One, if all is well. */
  readonly hosts: number;
  /** What commands said that did not end with 0. */
  readonly failures: readonly string[];
  readonly tookMs: number;
}

/** One round on Linux; the host that came up is ended again, by `signal` where it is to leave its note behind. */
export async function startAtOnceAsync(
  box: Sandbox,
  processes: number,
  signal: "SIGTERM" | "SIGKILL",
): Promise<Start> {
  const startedAt = performance.now();
  const runs = Array.from({ length: processes }, () => box.sbAsync(["sessions"], { timeoutMs: 60_000 }));
  const outcomes = await Promise.all(runs);
  const tookMs = performance.now() - startedAt;
  const hosts = await remainingHostsAsync(box.port);
  for (const pid of hosts) process.kill(pid, signal);
  await untilAsync("the hosts have ended", async () =>
    (await hostPidsAsync(box.port)).length === 0 ? true : undefined,
  );
  const failures = outcomes.filter(({ exitCode }) => exitCode !== 0).map(({ stderr }) => stderr);
  return { hosts: hosts.length, failures, tookMs };
}

/**
 * The hosts that stay. Each command may start one, and those that lose the race for the port end by themselves, but on
 * a busy machine not before the commands do.
 */
async function remainingHostsAsync(port: number): Promise<number[]> {
  const untilMs = performance.now() + LOSERS_END_MS;
  for (;;) {
    const pids = await hostPidsAsync(port);
    if (pids.length <= 1 || performance.now() > untilMs) return pids;
    await Bun.sleep(20);
  }
}

/** Hosts that commands have started at this port. */
export async function hostPidsAsync(port: number): Promise<number[]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const lines = await Promise.all(
    pids.map((pid) => readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")),
  );
  return pids.filter((_, index) => lines[index]?.includes(`\0serve\0--auto\0--port\0${port}\0`)).map(Number);
}
