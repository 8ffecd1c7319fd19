/**
 * The whole check: builds the binary, then runs every test, among them those for types, formatting, generated files
 * and dependency arrows. Several test files run at once, because most of them wait more than they compute. Ends with the
 * slowest files and the line `N passed, N failed`. Further arguments go to `bun test`.
 */
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { buildAsync } from "../build.ts";

const root = join(import.meta.dir, "..");
/** Of a test and of a hook: far more than any needs, since a machine may be busy and only a hang costs the time. */
const TEST_TIMEOUT_MS = 120_000;
/** Each test of the binary starts several processes, so that more files at once would only wait for each other. */
const WORKERS = Math.min(availableParallelism(), 4);
/** What each file took the last time: the slowest files begin first, so that no worker ends long after the others. */
const TIMINGS = join(root, "build", "test-timings.json");
const SLOWEST = 8;

interface Tally {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
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

async function runTestsAsync(args: readonly string[]): Promise<Tally> {
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

async function slowestFilesAsync(): Promise<string> {
  const { files = {} } = Object(
    await Bun.file(TIMINGS)
      .json()
      .catch(() => undefined),
  );
  return Object.entries(files)
    .map(([name, ms]) => ({ name, ms: Number(ms) }))
    .toSorted((one, other) => other.ms - one.ms)
    .slice(0, SLOWEST)
    .map(({ name, ms }) => `${(ms / 1000).toFixed(1)} s  ${name}`)
    .join("\n");
}

async function buildOrFailAsync(): Promise<boolean> {
  try {
    await buildAsync();
    return true;
  } catch (error) {
    console.error(`build failed: ${error instanceof Error ? error.message : String(error)}`);
    return false;
  }
}

const built = await buildOrFailAsync();
const { passed, failed, skipped } = built
  ? await runTestsAsync(process.argv.slice(2))
  : { passed: 0, failed: 1, skipped: 0 };
if (process.argv.length === 2) console.log(`The slowest files:\n${await slowestFilesAsync()}`);
console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
process.exitCode = failed === 0 ? 0 : 1;
