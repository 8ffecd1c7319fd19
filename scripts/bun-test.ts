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

/** More failed files than this are no accident of a busy machine, so none of them runs again. */
const MOST_FILES_AGAIN = 3;

export interface Tally {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** Files with a failure that passed when they ran again alone; their failures count as passed. */
  readonly flaky: readonly string[];
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
    flaky: [],
  };
}

/** The files of a report that have a failed test, hook or load, in the order of the report. */
export function failedFiles(report: string): string[] {
  const failed = new Set<string>();
  let file: string | undefined;
  for (const line of report.split("\n")) {
    const heading = /^(\S+\.test\.ts):$/.exec(line)?.[1];
    if (heading !== undefined) file = heading;
    const isFailure = line.startsWith("(fail) ") || line.startsWith("# Unhandled error");
    if (isFailure && file !== undefined) failed.add(file);
    // Bun repeats the failures below their count, where they belong to no file.
    if (/^\d+ tests? (failed|skipped):$/.test(line)) file = undefined;
  }
  return [...failed];
}

async function runBunTestAsync(args: readonly string[]): Promise<{ report: string; tally: Tally }> {
  const child = Bun.spawn([process.execPath, "test", `--timeout=${TEST_TIMEOUT_MS}`, ...args], {
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
  return { report, tally: tally(report, await child.exited) };
}

/**
 * Runs the files that failed once more, each alone. What passes then failed because many processes shared the machine;
 * it is named as flaky and never hidden.
 */
async function runAgainAsync(first: Tally, files: readonly string[]): Promise<Tally> {
  const flaky: string[] = [];
  for (const file of files) {
    console.error(`\n${file} had a failure; it runs once more, alone.`);
    const { tally: second } = await runBunTestAsync([`./${file}`]);
    if (second.failed === 0 && second.passed > 0) flaky.push(file);
  }
  if (flaky.length < files.length) return { ...first, flaky };
  return { ...first, passed: first.passed + first.failed, failed: 0, flaky };
}

/** Further `args` go to `bun test`. */
export async function runTestsAsync(args: readonly string[]): Promise<Tally> {
  const { report, tally: first } = await runBunTestAsync([
    `--parallel=${WORKERS}`,
    // The files of a worker share what they load, which saves loading it again for each.
    "--no-isolate",
    `--timings=${TIMINGS}`,
    "--update-timings",
    ...args,
  ]);
  const files = failedFiles(report);
  if (first.failed === 0 || files.length === 0 || files.length > MOST_FILES_AGAIN) return first;
  const again = await runAgainAsync(first, files);
  for (const file of again.flaky) console.error(`flaky: ${file} failed beside other files and passed alone`);
  return again;
}
