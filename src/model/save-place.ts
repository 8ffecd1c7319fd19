/** Saving the place of a headless Studio: to which file, and what is refused before anything is written. */
import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import type { SessionLink } from "../session/session-link.ts";
import { checkSavedFileAsync } from "../headless/index.ts";
import { StudioBridgeError } from "../protocol/errors.ts";
import { invalidInput } from "../protocol/messages.ts";
import { visibleOnOneLine } from "../util/visible-controls.ts";

export interface SavedPlace {
  readonly file: string;
  readonly bytes: number;
  readonly instances: number;
}

interface SavingSurface {
  /** The bridge is on another machine, so that no file of this one can be written. */
  readonly isRemote: boolean;
}

/** Throws INVALID_INPUT for a name of no place file, FILE_ERROR where no file can be written. Studio is not asked. */
export async function checkNameAsync(file: string, { isRemote }: SavingSurface): Promise<void> {
  if (isRemote)
    throw invalidInput(
      "Cannot save a place with --remote, because the file would be on the other machine.",
      "Save it there; `sb export PATH -o FILE.rbxm` brings parts of it here.",
    );
  await checkSavedFileAsync(file);
}

/** Throws SAVE_REFUSED for a Studio that only its user can save, INVALID_INPUT for a play test. */
export function checkCanSave({ session }: Pick<SessionLink, "session">): void {
  if (session.context !== "edit")
    throw invalidInput(
      `A place file holds the edited place, not the ${session.context} of its play test.`,
      "Leave out the context.",
    );
  if (session.origin === "headless") return;
  throw new StudioBridgeError(
    "SAVE_REFUSED",
    `${visibleOnOneLine(session.placeName)} is open in Roblox Studio, which does not let plugins save a place.`,
    {
      hint: "Save it in Studio: Ctrl+S, or File > Save to File As. `sb export PATH -o FILE.rbxm` writes parts of it.",
    },
  );
}

/**
 * Saves to `file`, or where the place was opened from or last saved to. Throws FILE_ERROR for another file that is there
 * already, unless `force` is given, SAVE_FAILED; the file is then as it was.
 */
export async function savePlaceAsync(
  file: string | undefined,
  force: boolean,
  link: SessionLink & SavingSurface,
): Promise<SavedPlace> {
  checkCanSave(link);
  link.status("Saving the place");
  const { file: known } = await link.callAsync("queryPlaceFile", {});
  const target = file === undefined ? known : resolve(file);
  if (target === undefined) throw noFile();
  if (target !== known && !force) await checkIsNewAsync(target, file ?? target);
  return { file: target, ...(await link.callAsync("savePlace", { file: target })) };
}

async function checkIsNewAsync(path: string, named: string): Promise<void> {
  const present = await stat(path).catch(() => undefined);
  if (present?.isFile() !== true) return;
  throw new StudioBridgeError("FILE_ERROR", `The file exists already: ${named}`, {
    hint: "Choose another name, or replace it with `sb save FILE --force`.",
    data: { path },
  });
}

function noFile(): StudioBridgeError {
  return invalidInput(
    "This place was not opened from a place file, and was never saved to one.",
    "Name the file: `sb save FILE.rbxl`.",
  );
}
