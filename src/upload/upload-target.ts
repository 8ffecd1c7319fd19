/** The place of Roblox that an upload replaces: the ids of the flags, or of the settings; never one of each. */
import { findProjectFileAsync } from "../project/find-project-file.ts";
import { settingsIn } from "../project/project-settings.ts";
import { invalidInput } from "../protocol/messages.ts";

export interface UploadTarget {
  readonly universe: number;
  readonly place: number;
}

const HOW =
  'For example: sb upload --universe 11 --place 22, or "upload": { "universe": 11, "place": 22 } in sb.config.json.';

/** Throws INVALID_INPUT where an id is missing. */
export async function uploadTargetAsync(
  { universe, place }: Partial<{ [Key in keyof UploadTarget]: UploadTarget[Key] | undefined }>,
  folder: string,
): Promise<UploadTarget> {
  if (universe !== undefined && place !== undefined) return { universe, place };
  if (universe !== undefined || place !== undefined)
    throw invalidInput(
      `--${universe === undefined ? "place" : "universe"} needs --${universe === undefined ? "universe" : "place"}, because the ids of a place belong together.`,
      HOW,
    );
  const found = await findProjectFileAsync(folder);
  const own = found === undefined ? undefined : settingsIn(found).upload;
  if (own !== undefined) return own;
  throw invalidInput("Name the universe and the place that the upload replaces.", HOW);
}
