/**
 * The checks before a release: those of test/release that every run has, and the long ones of whole-release.ts, which build
 * what was committed last. `npm run test:release`
 */
import { join } from "node:path";

const root = join(import.meta.dir, "..");
const files = ["./test/release/whole-release.ts", "test/release"];
const child = Bun.spawn(
  [process.execPath, "test", "--timeout", "120000", ...files, ...process.argv.slice(2)],
  {
    cwd: root,
    stdio: ["inherit", "inherit", "inherit"],
  },
);
process.exit(await child.exited);
