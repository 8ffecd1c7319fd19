/** Goes to the folder that a flag names, before anything of it is read. */
import type { CommandFacts } from "../command-kit/facts.ts";
import type { CheckedWords } from "../command-kit/words/check-words.ts";
import { invalidInput } from "../protocol/messages.ts";
import { systemReason } from "../util/system-error.ts";
import { visibleOnOneLine } from "../util/visible-controls.ts";

/** Throws INVALID_INPUT for what is no folder, and for one that is too wide for a project. */
export async function enterWorkingFolderAsync({ cli }: CommandFacts, { words }: CheckedWords): Promise<void> {
  if (cli.workingFolderFlag === undefined) return;
  const start = `--${cli.workingFolderFlag}=`;
  const folder = words
    .slice(0, words.indexOf("--"))
    .find((word) => word.startsWith(start))
    ?.slice(start.length);
  if (folder === undefined) return;
  try {
    process.chdir(folder);
  } catch (error) {
    throw invalidInput(
      `--${cli.workingFolderFlag}: cannot work in ${visibleOnOneLine(folder)}: ${systemReason(error)}`,
      "Name the folder of a project.",
    );
  }
  const { checkProjectFolderAsync } = await import("../project/project-folder.ts");
  await checkProjectFolderAsync(process.cwd());
}
