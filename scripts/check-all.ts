/**
 * Everything that a program can check without running the tests, at once: types, format, generated files, architecture,
 * Luau. Prints what is wrong below the name of the check; exit code 1 when anything is.
 */
import { join } from "node:path";

const root = join(import.meta.dir, "..");
const script = (name: string) => join(root, "scripts", name);

const checks: { readonly [name: string]: readonly string[] } = {
  types: ["--bun", join(root, "node_modules", "typescript", "bin", "tsc"), "--noEmit", "-p", root],
  format: [script("format.ts"), "--check"],
  "generated files": [script("gen.ts"), "--check"],
  architecture: [script("check.ts")],
  luau: [script("check-luau.ts")],
};

async function checkAsync([name, words]: [string, readonly string[]]): Promise<boolean> {
  const startedAt = performance.now();
  const child = Bun.spawn([process.execPath, ...words], {
    cwd: root,
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr, exitCode] = await Promise.all([
    child.stdout.text(),
    child.stderr.text(),
    child.exited,
  ]);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  // A check that passes has nothing to say, but for what it had to leave out.
  const skipped = /^skipped: .*/m.exec(stderr)?.[0] ?? "";
  console.log(`${exitCode === 0 ? "ok  " : "FAIL"} ${name} (${seconds} s) ${skipped}`.trimEnd());
  if (exitCode !== 0) console.error(`${stdout}${stderr}`.trimEnd());
  return exitCode === 0;
}

const results = await Promise.all(Object.entries(checks).map(checkAsync));
process.exitCode = results.every(Boolean) ? 0 : 1;
