/** Holds a picture against a file of what was expected, or writes that file. */
import { readFile, rm } from "node:fs/promises";
import { comparePictures, type Mask } from "../pictures/compare.ts";
import { StudioBridgeError } from "../protocol/errors.ts";
import { decodePng, encodePng, FONTS_KEY, pngText } from "../util/png.ts";
import type { Picture } from "../util/png.ts";
import { systemCodeOf, systemReason } from "../util/system-error.ts";
import { visibleOnOneLine } from "../util/visible-controls.ts";
import { savePictureAsync } from "./save-picture.ts";

export interface BaselineWishes {
  readonly file: string;
  /** What messages call it; its path where nothing is given. */
  readonly called?: string;
  /** Writes the file. */
  readonly update: boolean;
  readonly masks: readonly Mask[];
  readonly threshold: number;
  /** Pixels that may differ. */
  readonly maxDiff: number;
  /** Ends the sentence that says how to write the file. */
  readonly updateWord: string;
}

export interface BaselineResult {
  readonly same: boolean;
  readonly pixels: number;
  readonly ratio: number;
  /** The file that shows the difference. */
  readonly diff?: string;
  readonly written?: boolean;
}

/** Throws FILE_ERROR for a file that is missing or cannot be compared. */
export async function holdAgainstAsync(png: Uint8Array, wishes: BaselineWishes): Promise<BaselineResult> {
  const { file, masks, threshold, maxDiff } = wishes;
  const diffFile = `${file}.diff.png`;
  if (wishes.update) {
    await savePictureAsync(file, png);
    await rm(diffFile, { force: true });
    return { same: true, pixels: 0, ratio: 0, written: true };
  }
  const expected = await expectedAsync(png, wishes);
  const got = pictureOf(png, "the new picture", wishes);
  const { pixels, ratio, triptych } = comparePictures(expected, got, masks, threshold);
  if (expected.width !== got.width || expected.height !== got.height)
    throw trouble(
      wishes,
      `has ${expected.width}×${expected.height} pixels, and the new picture ${got.width}×${got.height}`,
      await savePictureAsync(diffFile, encodePng(triptych)),
    );
  if (pixels <= maxDiff) {
    await rm(diffFile, { force: true });
    return { same: true, pixels, ratio };
  }
  return { same: false, pixels, ratio, diff: await savePictureAsync(diffFile, encodePng(triptych)) };
}

async function expectedAsync(png: Uint8Array, wishes: BaselineWishes): Promise<Picture> {
  let bytes: Uint8Array;
  try {
    bytes = await readFile(wishes.file);
  } catch (error) {
    const isMissing = systemCodeOf(error) === "ENOENT";
    throw trouble(wishes, isMissing ? "there is no such file" : systemReason(error));
  }
  const picture = pictureOf(bytes, calledIn(wishes), wishes);
  if (pngText(bytes, FONTS_KEY) !== pngText(png, FONTS_KEY))
    throw trouble(wishes, "was drawn with other fonts, by another sb or by Roblox Studio");
  return picture;
}

function pictureOf(bytes: Uint8Array, name: string, wishes: BaselineWishes): Picture {
  const picture = decodePng(bytes);
  if (picture === undefined) throw trouble(wishes, `cannot be compared: ${name} is not a PNG that sb reads`);
  return picture;
}

const calledIn = ({ file, called = file }: BaselineWishes): string => visibleOnOneLine(called);

/** `diff`: the file that shows both pictures. */
function trouble(wishes: BaselineWishes, what: string, diff?: string): StudioBridgeError {
  const { file, updateWord } = wishes;
  const look = diff === undefined ? "Look at the new picture" : `${visibleOnOneLine(diff)} shows both`;
  return new StudioBridgeError("FILE_ERROR", `The expected picture ${calledIn(wishes)}: ${what}`, {
    hint: `${look}; ${updateWord} writes the new one as the expected one.`,
    data: { path: file, ...(diff === undefined ? {} : { diff }) },
  });
}
