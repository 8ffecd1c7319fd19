/** The sentence about a plugin in Studio that is of another build than the host, which each build of sb says once. */
import { errorCodes } from "../protocol/errors.ts";
import { stateFile } from "../util/state-folder.ts";
import { writeWholeFileAsync } from "../util/whole-file.ts";
import { buildId } from "../version.ts";

const NOTE_FILE = "told-old-plugin";

/** Undefined where this build has said it before, or cannot note that it did. */
export async function oldPluginNoteAsync(): Promise<string | undefined> {
  try {
    const path = stateFile(NOTE_FILE);
    const before = Bun.file(path);
    if ((await before.exists()) && (await before.text()) === buildId) return undefined;
    await writeWholeFileAsync(path, new TextEncoder().encode(buildId));
  } catch {
    return undefined;
  }
  return `The plugin in Studio is of another build than this sb. ${errorCodes.UNPAIRED.cure}`;
}
