// Makes build/fonts.txt, the widths of free fonts, from the pinned packages that have their files. Does nothing when the file
// already fits the packages and these scripts.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { FAMILIES, type Family, packageOf } from "./fonts/faces.ts";

const ROOT = join(import.meta.dir, "..");
const OUTPUT = join(ROOT, "build", "fonts.txt");
const folderOf = (name: string): string => join(ROOT, "node_modules", name);

/** First line of the file: what it was made from. */
function provenance(): string {
  const hash = createHash("sha256").update(readFileSync(import.meta.filename));
  const parts = join(import.meta.dir, "fonts");
  for (const name of readdirSync(parts).sort()) hash.update(readFileSync(join(parts, name)));
  for (const name of ["harfbuzzjs", ...FAMILIES.map(packageOf)])
    hash.update(JSON.parse(readFileSync(join(folderOf(name), "package.json"), "utf8")).version);
  return `fonts 1 ${hash.digest("hex").slice(0, 12)}`;
}

async function linesAsync(family: Family): Promise<string[]> {
  const [{ fontInWoff }, { metricsLine }] = await Promise.all([
    import("./fonts/woff.ts"),
    import("./fonts/metrics.ts"),
  ]);
  const line = (weight: number, style: string): string => {
    const file = `${family.package}-latin-${weight}-${style.toLowerCase()}.woff`;
    const woff = readFileSync(join(folderOf(packageOf(family)), "files", file));
    return metricsLine(family.name, weight, style, fontInWoff(woff));
  };
  return [
    ...family.weights.map((weight) => line(weight, "Normal")),
    ...(family.hasItalic === true ? [line(400, "Italic")] : []),
  ];
}

/** Returns the path of the file, made anew only when something it depends on has changed. */
export async function buildFontsAsync(): Promise<string> {
  const header = provenance();
  if (existsSync(OUTPUT) && readFileSync(OUTPUT, "utf8").startsWith(`${header}\n`)) return OUTPUT;
  const { CODES } = await import("./fonts/metrics.ts");
  const lines = await Promise.all(FAMILIES.map(linesAsync));
  const text = [header, CODES.map((code) => code.toString(36)).join(","), ...lines.flat()].join("\n");
  mkdirSync(join(ROOT, "build"), { recursive: true });
  const temporary = `${OUTPUT}.${process.pid}`;
  writeFileSync(temporary, text);
  renameSync(temporary, OUTPUT);
  const compressedBytes = Bun.zstdCompressSync(Buffer.from(text), { level: 19 }).length;
  console.error(`fonts: ${lines.flat().length} faces, ${text.length} bytes (${compressedBytes} as zstd)`);
  return OUTPUT;
}

if (import.meta.main) await buildFontsAsync();
