/**
 * Everything that a program can check without running the tests, at once: types, format, generated files, architecture,
 * Luau. Prints what is wrong below the name of the check; exit code 1 when anything is.
 */
import { join } from "node:path";

const root = join(import.meta.dir, "..");
const script = (name: string) => join(root, "scripts", name);

/** The words behind Bun that run each check. */
const checks: { readonly [name: string]: readonly string[] } = {
  types: ["--bun", join(root, "node_modules", "typescript", "bin", "tsc"), "--noEmit", "-p", root],
  format: [script("format.ts"), "--check"],
  "generated files": [script("gen.ts"), "--check"],
  "palettes and fonts": [script("build-datatype-data.ts"), "--check"],
  architecture: [script("check.ts")],
  luau: [script("check-luau.ts")],
};

export const checkNames: readonly string[] = Object.keys(checks);

export interface CheckResult {
  readonly name: string;
  readonly seconds: number;
  /** What is wrong; empty where nothing is. */
  readonly fault: string;
  /** What had to be left out, as `skipped: …`; empty for nothing. */
  readonly skipped: string;
}

export async function checkAsync(name: string): Promise<CheckResult> {
  const startedAt = performance.now();
  const child = Bun.spawn([process.execPath, ...(checks[name] ?? [])], {
    cwd: root,
    env: { ...process.env, NO_COLOR: "1" },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr, exitCode] = await Promise.all([
    child.stdout.text(),
    child.stderr.text(),
    child.exited,
  ]);
  return {
    name,
    seconds: (performance.now() - startedAt) / 1000,
    fault: exitCode === 0 ? "" : `${stdout}${stderr}`.trimEnd() || `exit code ${exitCode}`,
    // A check that passes has nothing to say, but for what it had to leave out.
    skipped: /^skipped: .*/m.exec(stderr)?.[0] ?? "",
  };
}

/** Runs all checks at once and prints each as it ends. True if nothing is wrong. */
export async function checkAllAsync(): Promise<boolean> {
  const results = checkNames.map(async (each) => {
    const { name, seconds, fault, skipped } = await checkAsync(each);
    console.log(`${fault === "" ? "ok  " : "FAIL"} ${name} (${seconds.toFixed(1)} s) ${skipped}`.trimEnd());
    if (fault !== "") console.error(fault);
    return fault === "";
  });
  return (await Promise.all(results)).every(Boolean);
}

if (import.meta.main) process.exitCode = (await checkAllAsync()) ? 0 : 1;
