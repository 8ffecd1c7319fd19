/**
 * Runs unit tests. `npm run test:unit -- PATTERN` runs those whose path contains PATTERN, or all; `--watch` runs them again
 * at every change. Other flags go to `bun test`.
 */
import { join } from "node:path";

const root = join(import.meta.dir, "..");
const folder = join(root, "test", "unit");
const words = process.argv.slice(2);
const flags = words.filter((word) => word.startsWith("-"));
const patterns = words.filter((word) => !word.startsWith("-"));

const files = [...new Bun.Glob("**/*.test.ts").scanSync({ cwd: folder })]
  .map((path) => path.replaceAll("\\", "/"))
  .filter((path) => patterns.length === 0 || patterns.some((pattern) => path.includes(pattern)));
if (files.length === 0) {
  console.error(`error: no test below test/unit has ${patterns.join(" or ")} in its path`);
  process.exit(2);
}
const child = Bun.spawn(
  [process.execPath, "test", "--timeout", "120000", ...flags, ...files.map((path) => `./test/unit/${path}`)],
  { cwd: root, stdio: ["inherit", "inherit", "inherit"] },
);
process.exit(await child.exited);
