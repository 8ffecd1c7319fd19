/** Captures the viewport of a session as a PNG, and refuses a frame that Studio did not draw. */
import type { ActionRequest, ActionResult } from "../protocol/actions.ts";
import { StudioBridgeError } from "../protocol/errors.ts";
import { invalidInput } from "../protocol/messages.ts";
import { words } from "../protocol/words.ts";
import { wirePath } from "../tree/instance-path.ts";
import { visibleOnOneLine } from "../util/visible-controls.ts";
import { decodePng, encodePng, isOneColour } from "../util/png.ts";
import type { Picture } from "../util/png.ts";
import { tellingNearPaths } from "./near-paths.ts";
import type { SessionLink } from "./session-link.ts";

/** What the picture is of, as a caller words it. */
export interface CaptureWishes {
  readonly gui: boolean;
  readonly frame?: string | undefined;
  /** `WIDTHxHEIGHT`. */
  readonly size?: string | undefined;
  readonly small: boolean;
  /** A path, or the twelve numbers of a CFrame. */
  readonly camera?: string | undefined;
}

export interface Captured {
  readonly format: "png";
  readonly width: number;
  readonly height: number;
  readonly leftOut?: Record<string, number>;
  readonly png: Buffer;
}

/** Width and height of a small picture at most, in pixels. */
const SMALL = 640;
const MOST_PIXELS_A_SIDE = 4_096;

/** Throws INVALID_INPUT for a wish that is not understood, and SCREENSHOT_FAILED. */
export async function captureAsync(link: SessionLink, wishes: CaptureWishes): Promise<Captured> {
  const isHeadless = link.session.origin === "headless";
  if (!isHeadless && (wishes.gui || wishes.frame !== undefined))
    throw new StudioBridgeError(
      "CAPABILITY_NOT_SUPPORTED",
      "Roblox Studio captures its whole viewport: the interface or one object alone needs headless Studio.",
      { hint: "Capture without --gui and --frame, or add --headless." },
    );
  const request = requestOf(wishes, isHeadless);
  const reply = await link
    .callAsync("captureScreenshot", request)
    .catch(tellingNearPaths(link))
    .catch((error: unknown) => {
      throw isHeadless ? withoutWindow(error) : error;
    });
  const { width, height, leftOut = {} } = reply;
  const counts = Object.keys(leftOut).length === 0 ? {} : { leftOut };
  return { format: "png", width, height, ...counts, png: pngOf(reply, isHeadless) };
}

/** Headless Studio has no window that could be brought to the front. */
function withoutWindow(error: unknown): unknown {
  if (!(error instanceof StudioBridgeError) || error.code !== "SCREENSHOT_FAILED") return error;
  return new StudioBridgeError("SCREENSHOT_FAILED", error.message, {
    hint: "`sb ui look` lists what the interface shows; --camera takes a part, a model, or twelve numbers.",
    cause: error,
  });
}

function requestOf(
  { gui, frame, size, small, camera }: CaptureWishes,
  isHeadless: boolean,
): ActionRequest<"captureScreenshot"> {
  const fits = size === undefined ? (small ? { width: SMALL, height: SMALL } : {}) : sizeOf(size);
  return {
    // Studio's own PNG was never seen, and headless Studio's travels faster than pixels.
    ...(isHeadless ? { format: "png" } : {}),
    ...(gui ? { interfaceOnly: true } : {}),
    ...(frame === undefined ? {} : { object: wirePath(frame) }),
    ...fits,
    ...(camera === undefined ? {} : cameraOf(camera)),
  };
}

/** `640x360`. */
function sizeOf(text: string): { width: number; height: number } {
  const [, width = "0", height = "0"] = /^(\d{1,5})x(\d{1,5})$/i.exec(text.trim()) ?? [];
  const size = { width: Number(width), height: Number(height) };
  const isFit = (side: number): boolean => side >= 1 && side <= MOST_PIXELS_A_SIDE;
  if (isFit(size.width) && isFit(size.height)) return size;
  throw invalidInput(
    `${visibleOnOneLine(text)} is no size of a picture.`,
    `Write WIDTHxHEIGHT in pixels, each from 1 to ${MOST_PIXELS_A_SIDE}, such as 640x360.`,
  );
}

function cameraOf(text: string): { camera: number[] } | { lookAt: string } {
  const words = text.split(",").map((word) => word.trim());
  const numbers = words.map(Number);
  if (words.some((word) => word === "") || !numbers.every(Number.isFinite)) return { lookAt: wirePath(text) };
  if (numbers.length === 12) return { camera: numbers };
  throw invalidInput(
    `A CFrame has 12 numbers, and there are ${numbers.length}.`,
    "Write them as CFrame:GetComponents() gives them, with commas between them.",
  );
}

/** Throws SCREENSHOT_FAILED. */
export function pngOf(
  { format, width, height, data }: ActionResult<"captureScreenshot">,
  mayBeBlank: boolean,
): Buffer {
  const bytes = Buffer.from(data, "base64");
  // Headless Studio draws what there is, even if that is nothing.
  if (format === "png" && mayBeBlank) return bytes;
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
