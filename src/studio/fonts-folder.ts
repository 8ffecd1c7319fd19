/** Where an installed Studio has its fonts, for `--fonts studio`. */
import { StudioBridgeError } from "../protocol/errors.ts";
import { invalidInput } from "../protocol/messages.ts";
import { isCi } from "../util/ci.ts";
import { locateStudioAsync } from "./locate-studio.ts";
import { type Machine, pathsOf, thisMachine } from "./machine.ts";

/** Undefined where no fonts are asked for. Throws where the results would depend on the machine, or no Studio is installed. */
export async function fontsFolderAsync(
  fonts: "studio" | undefined,
  machine: Machine = thisMachine(),
): Promise<string | undefined> {
  if (fonts === undefined) return undefined;
  if (isCi())
    throw invalidInput(
      "Cannot use --fonts studio in continuous integration, because the sizes of texts would depend on the Studio of each machine.",
      "Leave --fonts out: the fonts of sb are the same everywhere.",
    );
  const { executable } = await locateStudioAsync(machine);
  const { join } = pathsOf(machine);
  const folders = contentFolders(executable, machine).map((content) => join(content, "fonts"));
  const found = folders.find((folder) => machine.files.kind(join(folder, "families")) === "folder");
  if (found !== undefined) return found;
  throw new StudioBridgeError(
    "STUDIO_NOT_FOUND",
    `The installed Studio has no fonts in ${folders.join(" or ")}.`,
    {
      hint: "Leave --fonts out, or name another Studio in SB_STUDIO_PATH.",
    },
  );
}

/** UNVERIFIED: Studio's content lies beside its program, on macOS in the Resources of the bundle, as other tools read it. */
function contentFolders(executable: string, machine: Machine): readonly string[] {
  const { dirname, join } = pathsOf(machine);
  const beside = dirname(executable);
  return [join(beside, "content"), join(dirname(beside), "Resources", "content")];
}
