/**
 * Makes build/specs.json: the specs of headless Studio's engine that `sb selftest` also runs in a Studio, by their names. A
 * spec that says `-- Headless alone:` and why is left out.
 */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";

const ROOT = join(import.meta.dir, "..");
const FOLDER = join(ROOT, "test", "headless");
const ENDING = ".spec.luau";

/** The sources by names such as `classes-lighting`. */
export async function readSpecsAsync(): Promise<Readonly<Record<string, string>>> {
  const files = [...new Bun.Glob(`*${ENDING}`).scanSync(FOLDER)].sort();
  const texts = await Promise.all(files.map((file) => Bun.file(join(FOLDER, file)).text()));
  const specs = files.map((file, index) => [file.slice(0, -ENDING.length), texts[index] ?? ""] as const);
  return Object.fromEntries(specs.filter(([, text]) => !/^-- Headless alone: /m.test(text)));
}

/** Writes the file where it would change; returns its path. */
export async function writeSpecsAsync(): Promise<string> {
  const path = join(ROOT, "build", "specs.json");
  const text = JSON.stringify(await readSpecsAsync());
  await mkdir(join(ROOT, "build"), { recursive: true });
  const file = Bun.file(path);
  if (!(await file.exists()) || (await file.text()) !== text) await Bun.write(path, text);
  return path;
}

if (import.meta.main) await writeSpecsAsync();
