/**
 * The whole check: builds the binary, then runs every test, among them those for types, formatting, generated files
 * and dependency arrows. Ends with the slowest files and the line `N passed, N failed`. Further arguments go to `bun test`.
 */
import { buildAsync } from "../build.ts";
import { runTestsAsync, TIMINGS, totals } from "./bun-test.ts";

const SLOWEST = 8;

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
const tally = built
  ? await runTestsAsync(process.argv.slice(2))
  : { passed: 0, failed: 1, skipped: 0, flaky: [] };
if (process.argv.length === 2) console.log(`The slowest files:\n${await slowestFilesAsync()}`);
console.log(totals(tally));
process.exitCode = tally.failed === 0 ? 0 : 1;
