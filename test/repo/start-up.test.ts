/** What a warm command loads: no package but citty, and no module of the runtime. */
import { expect, test } from "bun:test";
import { dirname, join } from "node:path";
import { lightCitty } from "../../scripts/light-citty.ts";

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

test("a command that asks Studio something starts with nothing but our own code and citty (docs/architecture.md: Starting fast)", async () => {
  const found = await loadedFromElsewhereAsync(["main.ts", "cli/index.ts", "bridge/index.ts"]);
  expect(found).toEqual({ citty: "cli/tree.ts" });
});

test("citty brings no module of the runtime along, as the build bundles it", async () => {
  const entrypoints = [join(src, "cli", "tree.ts")];
  const bundle = await Bun.build({ entrypoints, target: "bun", plugins: [lightCitty] });
  const texts = await Promise.all(bundle.outputs.map((output) => output.text()));
  expect(texts.map((text) => transpiler.scanImports(text))).toEqual([[]]);
});
