/** What must hold for the repository as a whole; each test names the command that mends it. */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { violationsAsync } from "../../scripts/check.ts";
import { formatted } from "../../scripts/format.ts";
import { staleFilesAsync } from "../../scripts/gen.ts";

const root = join(import.meta.dir, "..", "..");

async function outputAsync(command: readonly string[]): Promise<string> {
  const child = Bun.spawn([...command], {
    cwd: root,
    stdout: "pipe",
    stderr: "pipe",
    env: { ...process.env, NO_COLOR: "1" },
  });
  const [stdout, stderr, exitCode] = await Promise.all([
    child.stdout.text(),
    child.stderr.text(),
    child.exited,
  ]);
  return exitCode === 0 ? "" : stdout + stderr;
}

test("the code type-checks (tsc --noEmit)", async () => {
  const tsc = join(root, "node_modules", "typescript", "bin", "tsc");
  expect(await outputAsync([process.execPath, "--bun", tsc, "--noEmit", "-p", root])).toBe("");
}, 120_000);

test("the code is formatted (npm run format)", async () => {
  expect(await outputAsync([process.execPath, "fmt", "--check", ...formatted])).toBe("");
});

test("generated files are up to date (npm run gen)", async () => {
  expect(await staleFilesAsync()).toEqual([]);
});

test("the engine's palettes and fonts are those of the packages (bun scripts/build-datatype-data.ts)", async () => {
  expect(
    await outputAsync([process.execPath, join(root, "scripts", "build-datatype-data.ts"), "--check"]),
  ).toBe("");
});

test("no part imports what the architecture forbids (scripts/check.ts)", async () => {
  expect(await violationsAsync()).toEqual([]);
});

test("zod is loaded in one place (src/protocol/schema.ts)", async () => {
  const importers: string[] = [];
  for await (const path of new Bun.Glob("**/*.ts").scan({ cwd: join(root, "src") }))
    if (/^(import (?!type)[^;]*|\}) from "zod"/m.test(await Bun.file(join(root, "src", path)).text()))
      importers.push(path);
  expect(importers).toEqual(["protocol/zod.ts"]);
});
