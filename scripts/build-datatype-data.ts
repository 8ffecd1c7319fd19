/**
 * Writes the Luau tables of facts that datatypes need and no one types by hand: the BrickColor palette and the font
 * families of Enum.Font, from the pinned packages @rbxts/types and rbx-dom. `--check` only compares.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readXml, types } from "rbx-dom";

const ROOT = join(import.meta.dir, "..");
const TYPES = join(ROOT, "node_modules/@rbxts/types/include");
const OUTPUT = join(ROOT, "src/headless/engine/Datatypes");

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

function makePalette(): string {
  const declarations = readFileSync(join(TYPES, "roblox.d.ts"), "utf8");
  const colors = readRows(readInterface(declarations, "BrickColorsByNumber")).map(([number, name]) => {
    const rgb = types.brickColorToColor3uint8(types.brickColorByNumber(number));
    if (!Array.isArray(rgb) || rgb.length !== 3) throw new Error(`rbx-dom has no colour ${number}`);
    return `\t{ ${number}, ${JSON.stringify(name)}, ${rgb.join(", ")} },`;
  });
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

function makeFonts(): string {
  const enums = readFileSync(join(TYPES, "generated/enums.d.ts"), "utf8");
  const body = /^ {4}export namespace Font \{$([\s\S]*?)^ {4}\}$/m.exec(enums)?.[1] ?? "";
  const items = [...body.matchAll(/Name: "(\w+)";\s+Value: (\d+);/g)];
  if (items.length === 0) throw new Error("@rbxts/types has no Enum.Font");
  const rows = items.flatMap(([, name = "", number = ""]) => {
    const known = readFontFace(Number(number)) ?? NEWER_FONTS[name];
    const family = known && /^rbxasset:\/\/fonts\/families\/(\w+)\.json$/.exec(known.family)?.[1];
    if (known === undefined || family === undefined) return [];
    return [`\t${name} = { "${family}", "${known.weight}", "${known.style}" },`];
  });
  return [
    `${header("Items of Enum.Font as family, weight and style.")}local FAMILIES: { [string]: { string } } = {`,
    ...rows,
    "}",
    "",
    "return FAMILIES",
    "",
  ].join("\n");
}

const files = { "BrickColorPalette.luau": makePalette(), "FontFamilies.luau": makeFonts() };
for (const [name, text] of Object.entries(files)) {
  const path = join(OUTPUT, name);
  if (!process.argv.includes("--check")) writeFileSync(path, text);
  else if (readFileSync(path, "utf8") !== text) {
    process.stderr.write(`${name} is not what scripts/build-datatype-data.ts writes\n`);
    process.exitCode = 1;
  }
}
