/** Makes a picture small enough for one message: half the width and height, until it fits. */
import type { Media } from "../../output/emission.ts";
import { decodePng, encodePng } from "../../util/png.ts";
import type { Picture } from "../../util/png.ts";

/** A line that clients take: theirs end at 10 MiB. */
const LIMIT_CHARACTERS = 6 * 1024 * 1024;

/** The picture itself where it fits, or where it is no PNG that can be read. */
export function fitPicture(media: Media, limitCharacters = LIMIT_CHARACTERS): Media {
  if (media.base64.length <= limitCharacters) return media;
  const picture = decodePng(Buffer.from(media.base64, "base64"));
  if (picture === undefined || picture.width < 2 || picture.height < 2) return media;
  const smaller = encodePng(halved(picture)).toString("base64");
  return fitPicture({ ...media, base64: smaller }, limitCharacters);
}

/** Each pixel the mean of four. */
function halved({ width, height, pixels }: Picture): Picture {
  const half = { width: Math.floor(width / 2), height: Math.floor(height / 2) };
  const result = new Uint8Array(half.width * half.height * 4);
  for (let y = 0; y < half.height; y += 1) {
    for (let x = 0; x < half.width; x += 1) {
      const from = (2 * y * width + 2 * x) * 4;
      for (let channel = 0; channel < 4; channel += 1) {
        const at = (offset: number) => pixels[from + offset + channel] ?? 0;
        const sum = at(0) + at(4) + at(width * 4) + at(width * 4 + 4);
        result[(y * half.width + x) * 4 + channel] = Math.round(sum / 4);
      }
    }
  }
  return { ...half, pixels: result };
}
