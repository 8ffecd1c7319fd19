/** The widths of texts against HarfBuzz itself, which shapes each whole text, where the engine adds up pairs of characters. */
import { Blob, Buffer as ShapeBuffer, Face, Font, shape } from "harfbuzzjs";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { FAMILIES, type Family, packageOf } from "../../../scripts/fonts/faces.ts";
import { fontInWoff } from "../../../scripts/fonts/woff.ts";
import { fresh } from "../run-spec.ts";
import { runAsync } from "./measure.ts";

const MAX_BYTES = 80 * 1024;
const TEXTS = [
  "Hello, World!",
  "The five boxing wizards jump quickly",
  "AVATAR To Ty Wa Yo LT",
  "office affluent fjord waffle",
  "$1,234.56 (50% off) + 3×",
  '"Quoted" – it’s a long… dash',
  "Größe, façade, naïve",
];
const SIZES = [8, 13, 20, 37, 64, 100];

const fileOf = ({ package: name }: Family): string =>
  join("node_modules", `@fontsource/${name}`, "files", `${name}-latin-400-normal.woff`);

async function shaperAsync(family: Family): Promise<(text: string, size: number) => number> {
  const face = new Face(new Blob(fontInWoff(await Bun.file(fileOf(family)).bytes())), 0);
  const font = new Font(face);
  const table = (tag: string): DataView => {
    const bytes = face.referenceTable(tag) ?? new Uint8Array();
    return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  };
  const unitsPerEm = table("head").getUint16(18);
  font.setScale(unitsPerEm, unitsPerEm);
  const box = table("hhea").getInt16(4) - table("hhea").getInt16(6);
  return (text, size) => {
    const buffer = new ShapeBuffer();
    buffer.addText(text);
    buffer.guessSegmentProperties();
    shape(font, buffer);
    const scale = Math.floor(((size + 1) * 64 * 65_536 + Math.floor(box / 2)) / box);
    const pixels = buffer
      .getGlyphPositions()
      .map(({ xAdvance }) => (Math.floor((xAdvance * scale + 0x8000) / 0x10000) + 32) >> 6);
    return pixels.reduce((sum, each) => sum + each, 0);
  };
}

test("texts are as wide as HarfBuzz shapes them", async () => {
  const cases = FAMILIES.flatMap((family) =>
    TEXTS.flatMap((text) => SIZES.map((size) => ({ family, text, size }))),
  );
  const calls = cases.map(
    ({ family, text, size }) =>
      `print(width(${JSON.stringify(family.name)}, ${size}, ${JSON.stringify(text)}))`,
  );
  const lines = await runAsync(`
local function width(family, size, text)
  local label = Instance.new("TextLabel")
  label.FontFace, label.TextSize, label.Text = Font.fromName(family), size, text
  return label.TextBounds.X
end
${calls.join("\n")}`);
  const shapers = new Map(
    await Promise.all(FAMILIES.map(async (family) => [family, await shaperAsync(family)] as const)),
  );
  const wrong = cases.flatMap(({ family, text, size }, index) => {
    const shaped = shapers.get(family)?.(text, size);
    return Number(lines[index]) === shaped
      ? []
      : [`${family.name} ${size} ${text}: ${lines[index]}, shaped ${shaped}`];
  });
  expect(wrong).toEqual([]);
});

test("the numbers of all fonts are small", () => {
  expect(Bun.zstdCompressSync(Buffer.from(fresh.fontData()), { level: 19 }).length).toBeLessThan(MAX_BYTES);
  expect(FAMILIES.map(packageOf).length).toBeGreaterThan(10);
});
