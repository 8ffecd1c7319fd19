/**
 * The checks before a release: those of test/release that every run has, and the long ones, which build everything, compare two
 * clones, and start foreign executables where this machine can. `npm run test:release`
 */
import { join } from "node:path";

const root = join(import.meta.dir, "..");
const child = Bun.spawn(
  [process.execPath, "test", "--timeout", "900000", "test/release", ...process.argv.slice(2)],
  {
    cwd: root,
    env: { ...process.env, SB_TEST_RELEASE: "1" },
    stdio: ["inherit", "inherit", "inherit"],
  },
);
process.exit(await child.exited);
