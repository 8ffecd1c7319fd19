/**
 * Writes the tables of facts that no person types by hand, in Luau for the datatypes of the engine and in TypeScript for
 * files: the BrickColor palette and the font families of Enum.Font, from the pinned packages @rbxts/types and rbx-dom.
 * `--check` only compares.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readXml, types } from "rbx-dom";

const ROOT = join(import.meta.dir, "..");
const TYPES = join(ROOT, "node_modules/@rbxts/types/include");
const OUTPUT = join(ROOT, "src/headless/engine/Datatypes");
const FILES_OUTPUT = join(ROOT, "src/roblox");

function header(what: string): string {
  return `--!strict\n-- ${what}\n-- Written by scripts/build-datatype-data.ts; never edited by hand.\n\n`;
}

function readInterface(declarations: string, name: string): string {
  const body = new RegExp(`interface ${name} \\{([^}]*)\\}`).exec(declarations)?.[1];
  if (body === undefined) throw new Error(`@rbxts/types has no interface ${name}`);
  return body;
}

function readRows(body: string): [number, string][] {
  return [...body.matchAll(/^\s*(\d+): "?([^";]+)"?;$/gm)].map(([, key = "", value = ""]) => [
    Number(key),
    value,
  ]);
}

interface NamedColor {
  readonly number: number;
  readonly name: string;
  readonly rgb: readonly unknown[];
}

const declarations = readFileSync(join(TYPES, "roblox.d.ts"), "utf8");

function readColors(): NamedColor[] {
  return readRows(readInterface(declarations, "BrickColorsByNumber")).map(([number, name]) => {
    const rgb = types.brickColorToColor3uint8(types.brickColorByNumber(number));
    if (!Array.isArray(rgb) || rgb.length !== 3) throw new Error(`rbx-dom has no colour ${number}`);
    return { number, name, rgb };
  });
}

function makePalette(): string {
  const colors = readColors().map(
    ({ number, name, rgb }) => `\t{ ${number}, ${JSON.stringify(name)}, ${rgb.join(", ")} },`,
  );
  const palette = readRows(readInterface(declarations, "BrickColorsByPalette")).map(([, number]) => number);
  const lines = Array.from({ length: Math.ceil(palette.length / 16) }, (_, row) => {
    return `\t${palette.slice(row * 16, row * 16 + 16).join(", ")},`;
  });
  return [
    `${header("Every BrickColor as number, name, red, green and blue; then the numbers on the colour picker in order.")}local COLORS: { { any } } = {`,
    ...colors,
    "}",
    "",
    "-- stylua: ignore",
    "local PALETTE = {",
    ...lines,
    "}",
    "",
    "return { colors = COLORS, palette = PALETTE }",
    "",
  ].join("\n");
}

interface FontFace {
  readonly family: string;
  readonly weight: string;
  readonly style: string;
}

/** What rbx-dom turns an old Font property into; undefined for numbers it does not know. */
function readFontFace(number: number): FontFace | undefined {
  const label = `<Item class="TextLabel" referent="A"><Properties><token name="Font">${number}</token></Properties></Item>`;
  try {
    const dom = readXml(Buffer.from(`<roblox version="4">${label}</roblox>`));
    const [child] = dom.children(dom.rootRef);
    const value = child === undefined ? undefined : dom.getProperty(child, "FontFace");
    if (typeof value !== "object" || value === null || !("Font" in value)) return undefined;
    return parseFace(value.Font);
  } catch {
    return undefined;
  }
}

function parseFace(value: unknown): FontFace | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  if (!("family" in value && "weight" in value && "style" in value)) return undefined;
  const { family, weight, style } = value;
  if (typeof family !== "string" || typeof weight !== "string" || typeof style !== "string") return undefined;
  return { family, weight, style };
}

const face = (family: string, weight: string): FontFace => ({
  family: `rbxasset://fonts/families/${family}.json`,
  weight,
  style: "Normal",
});

/** Those that rbx-dom does not know yet; docs: datatypes/Font names the families. UNVERIFIED: the weights. */
const NEWER_FONTS: Readonly<Record<string, FontFace>> = {
  BuilderSans: face("BuilderSans", "Regular"),
  BuilderSansMedium: face("BuilderSans", "Medium"),
  BuilderSansBold: face("BuilderSans", "Bold"),
  BuilderSansExtraBold: face("BuilderSans", "ExtraBold"),
  Arimo: face("Arimo", "Regular"),
  ArimoBold: face("Arimo", "Bold"),
};

interface NamedFont {
  readonly name: string;
  readonly number: number;
  readonly family: string;
  readonly weight: string;
  readonly style: string;
}

function readFonts(): NamedFont[] {
  const enums = readFileSync(join(TYPES, "generated/enums.d.ts"), "utf8");
  const body = /^ {4}export namespace Font \{$([\s\S]*?)^ {4}\}$/m.exec(enums)?.[1] ?? "";
  const items = [...body.matchAll(/Name: "(\w+)";\s+Value: (\d+);/g)];
  if (items.length === 0) throw new Error("@rbxts/types has no Enum.Font");
  return items.flatMap(([, name = "", number = ""]) => {
    const known = readFontFace(Number(number)) ?? NEWER_FONTS[name];
    const family = known && /^rbxasset:\/\/fonts\/families\/(\w+)\.json$/.exec(known.family)?.[1];
    if (known === undefined || family === undefined) return [];
    return [{ name, number: Number(number), family, weight: known.weight, style: known.style }];
  });
}

function makeFonts(): string {
  const rows = readFonts().map(
    ({ name, family, weight, style }) => `\t${name} = { "${family}", "${weight}", "${style}" },`,
  );
  return [
    `${header("Items of Enum.Font as family, weight and style.")}local FAMILIES: { [string]: { string } } = {`,
    ...rows,
    "}",
    "",
    "return FAMILIES",
    "",
  ].join("\n");
}

/** What files need to write an old value as the newer property that has replaced it, and what gives a value its name. */
function makeNamedValues(): string {
  const colors = readColors().map(
    ({ number, name, rgb }) => `  [${[number, JSON.stringify(name), ...rgb].join(", ")}],`,
  );
  const fonts = readFonts().map(
    ({ number, name, family, weight, style }) =>
      `  [${number}, "${name}", "${family}", "${weight}", "${style}"],`,
  );
  return [
    "/** The colours and fonts that have names and numbers, and what these stand for. */",
    "// Written by scripts/build-datatype-data.ts; never edited by hand.",
    "",
    "type NamedColor = readonly [number: number, name: string, ...rgb: [number, number, number]];",
    "",
    "/** Each BrickColor with its red, green and blue. */",
    "export const BRICK_COLORS: readonly NamedColor[] = [",
    ...colors,
    "];",
    "",
    "type NamedFont = readonly [number: number, name: string, family: string, weight: string, style: string];",
    "",
    "/** Each item of Enum.Font with its family, weight and style. */",
    "export const NAMED_FONTS: readonly NamedFont[] = [",
    ...fonts,
    "];",
    "",
  ].join("\n");
}

const files = {
  [join(OUTPUT, "BrickColorPalette.luau")]: makePalette(),
  [join(OUTPUT, "FontFamilies.luau")]: makeFonts(),
  [join(FILES_OUTPUT, "named-values.ts")]: makeNamedValues(),
};
for (const [path, text] of Object.entries(files)) {
  if (!process.argv.includes("--check")) writeFileSync(path, text);
  else if (readFileSync(path, "utf8") !== text) {
    process.stderr.write(`${path} is not what scripts/build-datatype-data.ts writes\n`);
    process.exitCode = 1;
  }
}
