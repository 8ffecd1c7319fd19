/** Uploads a place to Roblox: checks all that can be checked here, asks before it publishes, and sends the place once. */
import { connectToCloud } from "../cloud/connect.ts";
import { checkPlaceSize, type VersionType } from "../cloud/open-cloud.ts";
import type { RunSurface } from "../output/run-surface.ts";
import { checkUploadedPlaceAsync } from "../project/place-rules.ts";
import { StudioBridgeError } from "../protocol/errors.ts";
import { invalidInput } from "../protocol/messages.ts";
import { placeToUploadAsync, type PlaceToUpload } from "./place-to-upload.ts";
import { type UploadTarget, uploadTargetAsync } from "./upload-target.ts";

export interface UploadWishes {
  readonly source: string | undefined;
  readonly universe: number | undefined;
  readonly place: number | undefined;
  readonly publish: boolean;
}

export interface Uploaded extends UploadTarget {
  readonly versionType: VersionType;
  readonly versionNumber: number;
}

export interface UploadSurface extends RunSurface {
  readonly confirmAsync?: (question: string) => Promise<boolean | undefined>;
}

/** Throws INVALID_INPUT, FILE_ERROR, PLACE_NOT_ALLOWED and CLOUD_FAILED where nothing was saved, UPLOAD_UNCERTAIN where that is not known. */
export async function uploadPlaceAsync(wishes: UploadWishes, surface: UploadSurface): Promise<Uploaded> {
  const { signal } = surface;
  const place = await placeToUploadAsync(wishes.source, surface);
  const target = await uploadTargetAsync(wishes, place.folder);
  await checkUploadedPlaceAsync(target.place, place.folder);
  const cloud = connectToCloud(signal, {
    what: "An upload needs",
    scope: "universe-places:write",
    onWait: (milliseconds, reason) =>
      surface.status(`Open Cloud ${reason}; waiting up to ${Math.ceil(milliseconds / 1000)} s`),
  });
  checkPlaceSize(place.content);
  warnOfClasses(place, surface);
  if (wishes.publish) await confirmAsync(place, target, surface);
  signal.throwIfAborted();
  surface.status(`Sending ${place.name} (${sizeText(place.content.length)}) to ${placeText(target)}`);
  const versionType = wishes.publish ? "Published" : "Saved";
  const ids = { universe: String(target.universe), place: String(target.place) };
  const versionNumber = await cloud.replacePlaceAsync(ids, place, versionType);
  return { universe: target.universe, place: target.place, versionType, versionNumber };
}

export const placeText = ({ universe, place }: UploadTarget): string =>
  `place ${place} of universe ${universe}`;

const sizeText = (bytes: number): string =>
  bytes < 100_000 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;

function warnOfClasses({ notUpdated }: PlaceToUpload, { emit }: RunSurface): void {
  if (notUpdated.size === 0) return;
  const counts = [...notUpdated].map(([className, count]) => `${count} ${className}`).join(", ");
  const text = `Roblox does not update these through Open Cloud: ${counts}. Publish from Studio if they have changed.`;
  emit({
    stream: "stderr",
    text: (style) => `${style.yellow("warning:")} ${style.body(text)}`,
  });
}

async function confirmAsync(
  { name }: PlaceToUpload,
  target: UploadTarget,
  { confirmAsync: askAsync }: UploadSurface,
): Promise<void> {
  const what = `${placeText(target)} as a whole, also what others have done in Team Create`;
  const agreed = await askAsync?.(`Publish ${name} to all players? It replaces ${what}.`);
  if (agreed === true) return;
  if (agreed === undefined)
    throw invalidInput(
      `Publishing replaces ${what}, and there is no terminal to ask on.`,
      "Add --yes to publish, or leave --publish out to save a version that no player sees.",
    );
  throw new StudioBridgeError("CANCELLED", "Nothing was published.", {
    hint: "Leave --publish out to save a version that no player sees.",
    outcome: "not_started",
  });
}
