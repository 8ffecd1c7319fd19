/**
 * The widths of the fonts of an installed Studio, for `--fonts studio`. Its folder has a JSON file for each family, which names
 * the files of the faces.
 * UNVERIFIED: the form of these files, as other tools read them: content/fonts/families/NAME.json with `faces`, each with
 * `weight`, `style` and `assetId`, which is rbxasset://fonts/FILE. A family that cannot be read is measured as without the flag, and
 * a warning says so.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isBelow } from "../../util/path-inside.ts";
import { codesLine, metricsLine } from "./metrics-line.ts";
import { OpenTypeFont } from "./open-type.ts";

const ASSET = "rbxasset://fonts/";
const STYLES: ReadonlyMap<string, string> = new Map([
  ["normal", "Normal"],
  ["italic", "Italic"],
]);

interface Face {
  readonly file: string;
  readonly weight: number;
  readonly style: string;
}

/** Begins an answer that says why a family cannot be read. Fonts.luau knows it too. */
export const UNREADABLE = "!";

/** What `build/fonts.txt` would have of the family; empty for one that is not there. */
export function installedFamily(folder: string, family: string): string {
  const file = join(folder, "families", `${family}.json`);
  if (!isBelow(folder, file) || !existsSync(file)) return "";
  try {
    const faces = facesIn(JSON.parse(readFileSync(file, "utf8")), folder);
    return [codesLine(), ...faces.map((face) => lineOf(family, face))].join("\n");
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return `${UNREADABLE}${why}`;
  }
}

const lineOf = (family: string, { file, weight, style }: Face): string =>
  metricsLine(family, weight, style, new OpenTypeFont(readFileSync(file)));

function facesIn(description: unknown, folder: string): readonly Face[] {
  const { faces } = Object(description);
  if (!Array.isArray(faces) || faces.length === 0) throw new Error("its file names no faces");
  return faces.map((face: unknown) => {
    const { weight, style, assetId } = Object(face);
    const file = join(folder, String(assetId).slice(ASSET.length));
    const known = STYLES.get(String(style).toLowerCase());
    if (
      typeof weight !== "number" ||
      known === undefined ||
      !String(assetId).startsWith(ASSET) ||
      !isBelow(folder, file)
    )
      throw new Error(`a face has an unknown form: ${JSON.stringify(face)}`);
    return { file, weight, style: known };
  });
}
