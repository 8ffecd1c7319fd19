/** What a warm command loads: no package but citty, of the runtime only modules that load quickly, and no other command. */
import { expect, test } from "bun:test";
import { dirname, join } from "node:path";

const src = join(import.meta.dir, "..", "..", "src");
const transpiler = new Bun.Transpiler({ loader: "ts" });

/** Adds every file of ours that `file` loads before it does anything; gives what else is loaded, with the file that asks. */
async function visitAsync(file: string, seen: Set<string>): Promise<{ [name: string]: string }> {
  if (seen.has(file) || !file.endsWith(".ts")) return {};
  seen.add(file);
  const found: { [name: string]: string } = {};
  for (const { kind, path } of transpiler.scanImports(await Bun.file(join(src, file)).text())) {
    if (kind !== "import-statement") continue;
    if (path.startsWith(".")) Object.assign(found, await visitAsync(join(dirname(file), path), seen));
    else found[path] ??= file;
  }
  return found;
}

async function loadedFromElsewhereAsync(files: readonly string[]): Promise<{ [name: string]: string }> {
  const seen = new Set<string>();
  const found = {};
  for (const file of files) Object.assign(found, await visitAsync(file, seen));
  expect(seen.size).toBeGreaterThan(50);
  return found;
}

test("a command that asks Studio something starts with our own code, citty and two small modules (docs/architecture.md: Starting fast)", async () => {
  const found = await loadedFromElsewhereAsync([
    "main.ts",
    "cli/index.ts",
    "commands/script/exec.ts",
    "bridge/index.ts",
  ]);
  expect(Object.keys(found).sort()).toEqual(["citty", "node:os", "node:path"]);
});

test("a command does not load the files of others", async () => {
  const files = new Set<string>();
  await visitAsync("cli/index.ts", files);
  expect([...files].filter((file) => file.startsWith("commands/"))).toEqual(["commands/index.ts"]);
});
