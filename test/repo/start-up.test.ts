/** What a warm command loads: no package but citty, and of the runtime's modules only those that cost next to nothing. */
import { expect, test } from "bun:test";
import { dirname, join } from "node:path";

const src = join(import.meta.dir, "..", "..", "src");
const transpiler = new Bun.Transpiler({ loader: "ts" });

/** Every module outside src that the files load before they do anything, with the file that asks for it. */
async function loadedFromElsewhereAsync(files: readonly string[]): Promise<{ [name: string]: string }> {
  const seen = new Set<string>();
  const found: { [name: string]: string } = {};
  const visitAsync = async (file: string): Promise<void> => {
    if (seen.has(file) || !file.endsWith(".ts")) return;
    seen.add(file);
    for (const { kind, path } of transpiler.scanImports(await Bun.file(join(src, file)).text())) {
      if (kind !== "import-statement") continue;
      if (path.startsWith(".")) await visitAsync(join(dirname(file), path));
      else found[path] ??= file;
    }
  };
  for (const file of files) await visitAsync(file);
  expect(seen.size).toBeGreaterThan(50);
  return found;
}

test("a command that asks Studio something starts with next to nothing but our own code (docs/architecture.md: Starting fast)", async () => {
  const found = await loadedFromElsewhereAsync(["main.ts", "cli/index.ts", "bridge/index.ts"]);
  const cheap = ["citty", "node:path", "node:os"];
  expect(Object.entries(found).filter(([name]) => !cheap.includes(name))).toEqual([]);
});
