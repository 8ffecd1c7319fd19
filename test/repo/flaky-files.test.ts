/** Which files a run of the project's own tests names as failed, read from what Bun really prints. */
import { expect, test } from "bun:test";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { failedFiles } from "../../scripts/bun-test.ts";

const IMPORTS = `import { beforeAll, test } from "bun:test";\n`;

const FILES = {
  "passes.test.ts": `test("passes", () => {});`,
  "fails.test.ts": `test("fails", () => { throw new Error("wrong"); }); test("passes too", () => {});`,
  "hook.test.ts": `beforeAll(() => { throw new Error("no set-up"); }); test("is never reached", () => {});`,
  "load.test.ts": `throw new Error("does not load");`,
};

test("a failed test, a failed hook and a file that does not load name their file, and nothing else does", async () => {
  const folder = await mkdtemp(join(tmpdir(), "sb-flaky-"));
  try {
    for (const [name, text] of Object.entries(FILES)) await writeFile(join(folder, name), IMPORTS + text);
    const child = Bun.spawn([process.execPath, "test", "--parallel=2", "--no-isolate", "."], {
      cwd: folder,
      env: { ...process.env, NO_COLOR: "1" },
      stdout: "ignore",
      stderr: "pipe",
    });
    const report = await new Response(child.stderr).text();
    expect(failedFiles(report).toSorted()).toEqual(["fails.test.ts", "hook.test.ts", "load.test.ts"]);
  } finally {
    await rm(folder, { recursive: true });
  }
});
