/** Runs tests with `bun test`, several files at once, because most of them wait more than they compute. */
import { availableParallelism } from "node:os";
import { join } from "node:path";

const root = join(import.meta.dir, "..");
/** Of a test and of a hook: far more than any needs, since a machine may be busy and only a hang costs the time. */
const TEST_TIMEOUT_MS = 120_000;
/** Each test of the binary starts several processes, so that more files at once would only wait for each other. */
const WORKERS = Math.min(availableParallelism(), 4);
/** What each file took the last time: the slowest files begin first, so that no worker ends long after the others. */
export const TIMINGS = join(root, "build", "test-timings.json");

export interface Tally {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** The last line of a run. */
export function totals({ passed, failed, skipped }: Tally): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
}

/** Bun reports its own totals on stderr, one word a line; the last of each counts. */
function tally(report: string, exitCode: number): Tally {
  const count = (word: string): number => {
    const found = [...report.matchAll(new RegExp(`^\\s*(\\d+) ${word}$`, "gm"))].at(-1);
    return Number(found?.[1] ?? 0);
  };
  const failed = count("fail") + count("error");
  return {
    passed: count("pass"),
    failed: exitCode !== 0 && failed === 0 ? 1 : failed,
    skipped: count("skip") + count("todo"),
  };
}

/** Further `args` go to `bun test`. */
export async function runTestsAsync(args: readonly string[]): Promise<Tally> {
  const settings = [
    `--timeout=${TEST_TIMEOUT_MS}`,
    `--parallel=${WORKERS}`,
    // The files of a worker share what they load, which saves loading it again for each.
    "--no-isolate",
    `--timings=${TIMINGS}`,
    "--update-timings",
  ];
  const child = Bun.spawn([process.execPath, "test", ...settings, ...args], {
    cwd: root,
    env: { ...process.env, NO_COLOR: "1" },
    stdin: "ignore",
    stdout: "inherit",
    stderr: "pipe",
  });
  const decoder = new TextDecoder();
  let report = "";
  for await (const part of child.stderr) {
    process.stderr.write(part);
    report += decoder.decode(part, { stream: true });
  }
  return tally(report, await child.exited);
}
