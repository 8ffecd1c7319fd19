/** Turns the pixels from a session into a PNG, and refuses a frame that Studio did not draw. */
import type { ActionResult } from "../protocol/actions.ts";
import { StudioBridgeError } from "../protocol/errors.ts";
import { words } from "../protocol/words.ts";
import { decodePng, encodePng, isOneColour } from "../util/png.ts";
import type { Picture } from "../util/png.ts";

/** Throws SCREENSHOT_FAILED. */
export function pngOf({ format, width, height, data }: ActionResult<"captureScreenshot">): Buffer {
  const bytes = Buffer.from(data, "base64");
  if (format === "png") {
    const picture = decodePng(bytes);
    if (picture === undefined)
      throw failed("could not read image data: it is not a PNG with 8 bits per channel");
    refuseBlank(picture);
    return bytes;
  }
  const expectedBytes = width * height * 4;
  if (bytes.byteLength !== expectedBytes)
    throw failed(
      `could not read image data: ${width}×${height} pixels need ${expectedBytes} bytes, got ${bytes.byteLength}`,
    );
  const picture = { width, height, pixels: bytes };
  refuseBlank(picture);
  return encodePng(picture);
}

function refuseBlank(picture: Picture): void {
  if (!isOneColour(picture)) return;
  const { width, height, pixels } = picture;
  const colour = pixels.subarray(0, 3).join(", ");
  throw failed(
    `all ${width}×${height} pixels have one colour (${colour}), so Studio has not drawn the viewport`,
  );
}

function failed(detail: string): StudioBridgeError {
  return new StudioBridgeError("SCREENSHOT_FAILED", `${words.screenshotFailed}: ${detail}.`);
}
