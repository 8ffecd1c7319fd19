/** The host's part of pictures: draws a scene that the engine describes. Fonts and masks of glyphs are kept for the next one. */
import { PictureMaker } from "../../pictures/draw.ts";
import { decodePng, encodePng, FONTS_KEY, type Picture } from "../../util/png.ts";
import type { HostOpHandlers } from "../vm/engine-vm.ts";
import { decodeUtf8 } from "../vm/memory.ts";

const LINE_BREAK = 10;

/** `images`: PNG files as Base64, by ids of assets. */
export function pictureHandlers(
  outlines: () => Uint8Array,
  fixtures: { readonly images?: Readonly<Record<string, string>> } | undefined,
): Pick<HostOpHandlers, "drawPicture"> {
  const images = imagesOf(fixtures?.images ?? {});
  let file: Uint8Array | undefined;
  let maker: PictureMaker | undefined;
  return {
    drawPicture: ({ number, first, second }) => {
      maker ??= new PictureMaker({ outlines: () => (file ??= outlines()), image: images });
      const { numbers, names } = sceneOf(first);
      const drawn = maker.draw({ numbers, names, world: new Float32Array(copyOf(second)) });
      const { width, height, pixels, leftOut } = drawn;
      const head = `${width} ${height} ${JSON.stringify(Object.fromEntries(leftOut))}\n`;
      return {
        text: Buffer.concat([
          Buffer.from(head),
          number === 1 ? encodePng(drawn, { [FONTS_KEY]: maker.fonts }) : pixels,
        ]),
      };
    },
  };
}

/** Aligned, and safe from the next message. */
function copyOf(bytes: Uint8Array): ArrayBuffer {
  const copy = new Uint8Array(bytes.length);
  copy.set(bytes);
  return copy.buffer;
}

function sceneOf(bytes: Uint8Array): { numbers: Float64Array; names: readonly string[] } {
  const ending = bytes.indexOf(LINE_BREAK);
  const [numberBytes = 0, nameBytes = 0] = decodeUtf8(bytes.subarray(0, ending)).split(" ").map(Number);
  const start = ending + 1;
  const names = decodeUtf8(bytes.subarray(start + numberBytes, start + numberBytes + nameBytes));
  return {
    numbers: new Float64Array(copyOf(bytes.subarray(start, start + numberBytes))),
    names: names.split("\n"),
  };
}

/** `rbxassetid://7` and the addresses with `id=7` name the asset 7. */
const ASSET_ID = /^(?:rbxassetid:\/\/|https?:\/\/(?:www\.)?roblox\.com\/asset\/?\?id=)(\d+)$/i;

function imagesOf(files: Readonly<Record<string, string>>): (content: string) => Picture | undefined {
  const decoded = new Map<string, Picture | undefined>();
  return (content) => {
    const id = ASSET_ID.exec(content)?.[1] ?? "";
    if (!Object.hasOwn(files, id)) return undefined;
    if (!decoded.has(id)) decoded.set(id, decodePng(Buffer.from(files[id] ?? "", "base64")));
    return decoded.get(id);
  };
}
