/** What must hold for the repository as a whole; each test names the command that mends it. */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { faultsAsync } from "../../scripts/check.ts";
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
  expect(await outputAsync([process.execPath, join(root, "scripts", "format.ts"), "--check"])).toBe("");
});

test("generated files are up to date (npm run gen)", async () => {
  expect(await staleFilesAsync()).toEqual([]);
});

test("the engine's palettes and fonts are those of the packages (bun scripts/build-datatype-data.ts)", async () => {
  expect(
    await outputAsync([process.execPath, join(root, "scripts", "build-datatype-data.ts"), "--check"]),
  ).toBe("");
});

test("the sources keep to the architecture (scripts/check.ts)", async () => {
  expect(await faultsAsync()).toEqual([]);
});

test("zod is loaded in one place (src/protocol/schema.ts)", async () => {
  const importers: string[] = [];
  for await (const path of new Bun.Glob("**/*.ts").scan({ cwd: join(root, "src") }))
    if (/^(import (?!type)[^;]*|\}) from "zod"/m.test(await Bun.file(join(root, "src", path)).text()))
      importers.push(path);
  expect(importers).toEqual(["protocol/zod.ts"]);
});

test("what `using` holds is not let go while work with it goes on (return await …Async())", async () => {
  const faults: string[] = [];
  for await (const path of new Bun.Glob("{src,test,scripts}/**/*.ts").scan({ cwd: root }))
    faults.push(...earlyReleases(await Bun.file(join(root, path)).text()).map((line) => `${path}: ${line}`));
  expect(faults).toEqual([]);
});

/** As the code is formatted, a block goes on until a line that is indented less. */
function earlyReleases(text: string): string[] {
  const blocks = text.matchAll(/^( +)(?:await )?using .*((?:\n\1.*|\n)*)/gm);
  return [...blocks].flatMap(([, , rest = ""]) =>
    rest.split("\n").filter((line) => /\breturn (?!.*(?:\bawait\b|=>)).*Async\(/.test(line)),
  );
}

test("a promise that is returned past `using` is found, and an awaited one is not", () => {
  const body = (result: string) =>
    `async () => {\n  await using box = openAsync();\n\n  return ${result};\n};\n`;
  const [late, early] = [body("await workAsync(box)"), body("workAsync(box)")];
  expect(earlyReleases(late + early + "  return otherAsync();\n")).toEqual(["  return workAsync(box);"]);
});
