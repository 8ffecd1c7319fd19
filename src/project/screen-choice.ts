/**
 * The flags `--viewport`, `--insets`, `--device` and `--fonts`, which choose the screen of a headless Studio, for all commands that have
 * them and for sb.config.json.
 */
import type { ScreenChoice } from "../headless/index.ts";
import { defineSchema } from "../protocol/schema.ts";

const NUMBER = String.raw`\d{1,5}(?:\.\d{1,3})?`;
const VIEWPORT = new RegExp(`^(${NUMBER})x(${NUMBER})(?:@(${NUMBER}))?$`);
const INSETS = new RegExp(`^(${NUMBER}),(${NUMBER}),(${NUMBER}),(${NUMBER})$`);
const [MIN_SIDE, MAX_SIDE] = [1, 16_384];
const [MIN_SCALE, MAX_SCALE] = [0.25, 8];

const isViewport = (word: string): boolean => {
  const [, width, height, scale = "1"] = VIEWPORT.exec(word) ?? [];
  const isSide = (side: string | undefined): boolean => Number(side) >= MIN_SIDE && Number(side) <= MAX_SIDE;
  return isSide(width) && isSide(height) && Number(scale) >= MIN_SCALE && Number(scale) <= MAX_SCALE;
};

export const viewportSchema = defineSchema((z) =>
  z
    .string()
    .refine(
      isViewport,
      `expected WIDTHxHEIGHT or WIDTHxHEIGHT@SCALE, such as 1280x720, with sides from ${MIN_SIDE} to ${MAX_SIDE} and a scale from ${MIN_SCALE} to ${MAX_SCALE}`,
    ),
);
export const insetsSchema = defineSchema((z) =>
  z.string().regex(INSETS, "expected LEFT,TOP,RIGHT,BOTTOM, such as 59,0,59,21"),
);
const DEVICES = ["desktop", "phone", "gamepad"] as const;
export const deviceSchema = defineSchema((z) => z.enum(DEVICES, `expected one of ${DEVICES.join(", ")}`));

const FONTS = ["studio"] as const;
export const fontsSchema = defineSchema((z) => z.enum(FONTS, "expected studio"));

/** The spellings of the flags. */
export const viewportSpelling = { kind: "string", label: "WxH[@SCALE]" } as const;
export const insetsSpelling = { kind: "string", label: "L,T,R,B" } as const;
export const deviceSpelling = { kind: "string", label: "KIND", values: DEVICES } as const;

export const fontsSpelling = { kind: "string", label: "studio", values: FONTS } as const;

/** The help texts of the flags. */
export const VIEWPORT_TEXT = "size of the screen in units of the interface (default: 1280x720)";
export const INSETS_TEXT = "cut-outs around the viewport: left, top, right, bottom (default: none)";
export const DEVICE_TEXT = "kind of the player's device: desktop, phone or gamepad (default: desktop)";

export const FONTS_TEXT = "measure texts with the fonts of the installed Studio; refused in CI";

/** The values of the flags, as they were written. */
export interface ScreenWords {
  readonly viewport?: string | undefined;
  readonly insets?: string | undefined;
  readonly device?: ScreenChoice["device"] | undefined;
  readonly fonts?: "studio" | undefined;
}

const FLAGS = ["viewport", "insets", "device", "fonts"] as const;

/** The first of the flags that is given. */
export const screenFlagIn = (words: ScreenWords): string | undefined =>
  FLAGS.find((name) => words[name] !== undefined);

/** Undefined where no flag is given. The words were checked by the schemas. `fontsFolder` is where `fonts` are. */
export function screenChoice(
  { viewport, insets, device }: ScreenWords,
  fontsFolder?: string,
): ScreenChoice | undefined {
  const choice = {
    ...(viewport === undefined ? {} : { viewport: viewportIn(viewport) }),
    ...(insets === undefined ? {} : { insets: insetsIn(insets) }),
    ...(device === undefined ? {} : { device }),
    ...(fontsFolder === undefined ? {} : { fontsFolder }),
  };
  return Object.keys(choice).length === 0 ? undefined : choice;
}

function viewportIn(word: string) {
  const [, width, height, scale = "1"] = VIEWPORT.exec(word) ?? [];
  return { width: Number(width), height: Number(height), scale: Number(scale) };
}

function insetsIn(word: string) {
  const [left = 0, top = 0, right = 0, bottom = 0] = word.split(",").map(Number);
  return { left, top, right, bottom };
}

/** The words of the flags, for a process that is started with them. */
export const screenFlags = (words: ScreenWords): string[] =>
  FLAGS.flatMap((name) => (words[name] === undefined ? [] : [`--${name}=${words[name]}`]));
