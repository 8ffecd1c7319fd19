/**
 * What to run before each push, in about a minute: the checks, the unit tests, and the specs of the plugin and of the
 * engine. The binary is not built. Ends with the line `N passed, N failed`. Further arguments go to `bun test`.
 */
import { runTestsAsync, totals } from "./bun-test.ts";
import { checkAllAsync } from "./check-all.ts";
import { prepareAsync } from "./prepare.ts";

/** The specs of the plugin run as a unit test. */
const FOLDERS = ["./test/unit", "./test/headless"];

const hasPassed = await checkAllAsync();
await prepareAsync();
const tally = await runTestsAsync(["--only-failures", ...process.argv.slice(2), ...FOLDERS]);
console.log(`${totals(tally)}${hasPassed ? "" : "; a check has failed"}`);
process.exitCode = hasPassed && tally.failed === 0 ? 0 : 1;
