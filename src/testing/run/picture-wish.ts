/** Takes the picture that a test wishes, and holds it against the expected one. */
import type { BridgeSession } from "../../bridge/index.ts";
import { ownPathAsync } from "../../interface/own-path.ts";
import { masksAsync, type ReadsInterface } from "../../interface/picture-masks.ts";
import type { ActionRequest } from "../../protocol/actions.ts";
import { wirePath } from "../../tree/instance-path.ts";
import type { UiWish } from "../harness-events.ts";
import type { PictureBook } from "../pictures/picture-book.ts";

type Wish = NonNullable<UiWish["picture"]>;

/** How much a pixel may differ where the test says nothing, as in `sb screenshot --baseline`. */
const THRESHOLD = 0.1;

/** `eye`: the DataModel whose screen is drawn. Throws PictureDiffersError, and why no picture could be taken or compared. */
export async function matchPictureAsync(
  eye: Pick<BridgeSession, "callAsync">,
  book: PictureBook,
  { target, picture }: UiWish,
  signal: AbortSignal,
): Promise<object> {
  if (picture === undefined) throw new Error("the harness wishes a picture without saying which");
  book.check(picture.name);
  const readAsync: ReadsInterface = (request) => eye.callAsync("readInterface", request, { signal });
  const frame = target === undefined ? undefined : await ownPathAsync(readAsync, target);
  const reply = await eye.callAsync("captureScreenshot", requestFor(picture, frame), { signal });
  const words = await Promise.all(picture.masks.map((word) => ownPathAsync(readAsync, word)));
  const { threshold = THRESHOLD, maxDiff = 0, name } = picture;
  const { same, pixels, ratio, written } = await book.matchAsync(
    name,
    {
      png: Buffer.from(reply.data, "base64"),
      viewport: reply.viewport ?? `${reply.width}x${reply.height}@1`,
      masks: await masksAsync(readAsync, words, reply, frame),
    },
    { threshold, maxDiff },
  );
  const { leftOut } = reply;
  return { same, pixels, ratio, written: written === true, ...(leftOut === undefined ? {} : { leftOut }) };
}

function requestFor(
  { gui, lookAt, camera, size }: Wish,
  frame: string | undefined,
): ActionRequest<"captureScreenshot"> {
  const [width, height] = size ?? [];
  return {
    format: "png",
    ...(gui === true ? { interfaceOnly: true } : {}),
    ...(frame === undefined ? {} : { object: wirePath(frame) }),
    ...(lookAt === undefined ? {} : { lookAt: wirePath(lookAt) }),
    ...(camera === undefined ? {} : { camera }),
    ...(width === undefined || height === undefined ? {} : { width, height }),
  };
}
