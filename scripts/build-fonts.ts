// Makes build/fonts.txt, the widths of free fonts, and build/glyphs.bin, the outlines of the commonest ones, from the pinned
// packages that have their files. Does nothing when a file already fits the packages and these scripts.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { codesLine, metricsLine } from "../src/headless/fonts/metrics-line.ts";
import { FAMILIES, type Family, packageOf } from "./fonts/faces.ts";

const ROOT = join(import.meta.dir, "..");
const OUTPUT = join(ROOT, "build", "fonts.txt");
const OUTLINES = join(ROOT, "build", "glyphs.bin");
const folderOf = (name: string): string => join(ROOT, "node_modules", name);

/** First line of the file: what it was made from. */
function provenance(): string {
  const hash = createHash("sha256").update(readFileSync(import.meta.filename));
  hash.update(readFileSync(join(ROOT, "src/headless/fonts/metrics-line.ts")));
  const parts = join(import.meta.dir, "fonts");
  for (const name of readdirSync(parts).sort()) hash.update(readFileSync(join(parts, name)));
  for (const name of ["harfbuzzjs", ...FAMILIES.map(packageOf)])
    hash.update(JSON.parse(readFileSync(join(folderOf(name), "package.json"), "utf8")).version);
  return `fonts 1 ${hash.digest("hex").slice(0, 12)}`;
}

function woffOf(family: Family, weight: number, style: string): Uint8Array {
  const file = `${family.package}-latin-${weight}-${style.toLowerCase()}.woff`;
  return readFileSync(join(folderOf(packageOf(family)), "files", file));
}

async function linesAsync(family: Family): Promise<string[]> {
  const [{ fontInWoff }, { ShapedFont }] = await Promise.all([
    import("./fonts/woff.ts"),
    import("./fonts/metrics.ts"),
  ]);
  const line = (weight: number, style: string): string =>
    metricsLine(family.name, weight, style, new ShapedFont(fontInWoff(woffOf(family, weight, style))));
  return [
    ...family.weights.map((weight) => line(weight, "Normal")),
    ...(family.hasItalic === true ? [line(400, "Italic")] : []),
  ];
}

/** Returns the path of the file, made anew only when something it depends on has changed. */
export async function buildFontsAsync(): Promise<string> {
  const header = provenance();
  if (existsSync(OUTPUT) && readFileSync(OUTPUT, "utf8").startsWith(`${header}\n`)) return OUTPUT;
  const lines = await Promise.all(FAMILIES.map(linesAsync));
  const text = [header, codesLine(), ...lines.flat()].join("\n");
  mkdirSync(join(ROOT, "build"), { recursive: true });
  const temporary = `${OUTPUT}.${process.pid}`;
  writeFileSync(temporary, text);
  renameSync(temporary, OUTPUT);
  const compressedBytes = Bun.zstdCompressSync(Buffer.from(text), { level: 19 }).length;
  console.error(`fonts: ${lines.flat().length} faces, ${text.length} bytes (${compressedBytes} as zstd)`);
  return OUTPUT;
}

async function outlinesAsync(family: Family): Promise<Uint8Array[]> {
  const [{ fontInWoff }, { outlinesOf }] = await Promise.all([
    import("./fonts/woff.ts"),
    import("./fonts/outlines.ts"),
  ]);
  const face = (weight: number, style: string): Uint8Array =>
    outlinesOf(family.name, weight, style === "Italic", fontInWoff(woffOf(family, weight, style)));
  return [
    ...family.weights.map((weight) => face(weight, "Normal")),
    ...(family.hasItalic === true ? [face(400, "Italic")] : []),
  ];
}

/** As buildFontsAsync, for the outlines. */
export async function buildOutlinesAsync(): Promise<string> {
  const header = Buffer.from(`${provenance()}\n`);
  if (existsSync(OUTLINES) && readFileSync(OUTLINES).subarray(0, header.length).equals(header))
    return OUTLINES;
  const faces = await Promise.all(FAMILIES.filter(({ isDrawn }) => isDrawn === true).map(outlinesAsync));
  const bytes = Buffer.concat([header, ...faces.flat()]);
  mkdirSync(join(ROOT, "build"), { recursive: true });
  const temporary = `${OUTLINES}.${process.pid}`;
  writeFileSync(temporary, bytes);
  renameSync(temporary, OUTLINES);
  const compressedBytes = Bun.zstdCompressSync(bytes, { level: 19 }).length;
  console.error(`outlines: ${faces.flat().length} faces, ${bytes.length} bytes (${compressedBytes} as zstd)`);
  return OUTLINES;
}

if (import.meta.main) await Promise.all([buildFontsAsync(), buildOutlinesAsync()]);
