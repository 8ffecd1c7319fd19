/**
 * The whole check: builds the binary, then runs every test, among them those for types, formatting, generated files
 * and dependency arrows. Ends with the line `N passed, N failed`. Further arguments go to `bun test`.
 */
import { join } from "node:path";
import { buildAsync } from "../build.ts";

const root = join(import.meta.dir, "..");
/** Of a test and of a hook: far more than any needs, since a machine may be busy and only a hang costs the time. */
const TEST_TIMEOUT_MS = 120_000;

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
  const child = Bun.spawn([process.execPath, "test", "--timeout", String(TEST_TIMEOUT_MS), ...args], {
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
console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
process.exitCode = failed === 0 ? 0 : 1;
