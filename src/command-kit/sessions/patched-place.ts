/**
 * Patching a place file: a command that changes a place, in a headless Studio of its own, writes the place when it has
 * succeeded. Without a file to write nothing would be left of the change, so that it is refused.
 */
import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { checkSavedFileAsync } from "../../headless/index.ts";
import { StudioBridgeError } from "../../protocol/errors.ts";
import { invalidInput } from "../../protocol/messages.ts";
import { sizeText } from "../../util/size-text.ts";
import { visibleOnOneLine } from "../../util/visible-controls.ts";
import type { SessionCommandContext } from "../context.ts";
import type { CommandFacts } from "../facts.ts";
import type { SessionTarget } from "../../session/session-target.ts";

/** What a caller says about the file. */
export interface PatchWishes {
  readonly headless: boolean;
  /** The place that a headless Studio opens. */
  readonly placeFile?: string | undefined;
  /** Write the place file itself. */
  readonly inPlace?: boolean;
  /** Write another file. */
  readonly output?: string | undefined;
}

type Facts = Pick<CommandFacts, "name" | "patchesPlace" | "onlyLooks">;

const PLACE_FILE = /\.rbxlx?$/i;

/** The next step where no Studio is connected. */
export const OPEN_OR_PATCH =
  "Open Studio with the plugin installed (sb install-plugin), or patch a place file: --headless --place FILE --in-place.";

/**
 * The file to write after the command; undefined where none is. Throws INVALID_INPUT and FILE_ERROR, before anything is
 * opened.
 */
export async function patchedFileAsync(
  command: Facts,
  input: { readonly [key: string]: unknown },
  wishes: PatchWishes,
  { context = "edit", player }: SessionTarget,
): Promise<string | undefined> {
  if (command.patchesPlace !== true) return undefined;
  const file = chosenFile(wishes, `sb ${command.name}`, command.onlyLooks?.(input) === true);
  if (file === undefined) return undefined;
  if (context !== "edit" || player !== undefined)
    throw invalidInput(
      "A place file holds the edited place, and no play test.",
      "Leave out --player, and --context or say --context edit.",
    );
  await checkSavedFileAsync(file);
  const facts = await stat(file).catch(() => undefined);
  if (facts !== undefined && !facts.isFile())
    throw new StudioBridgeError(
      "FILE_ERROR",
      `${visibleOnOneLine(file)} is not a file that can be replaced.`,
      {
        hint: "Name a .rbxl or .rbxlx file on a disk.",
        data: { path: file },
      },
    );
  if (wishes.inPlace !== true) await checkIsNewAsync(file, wishes.placeFile);
  return file;
}

function chosenFile(
  { headless, placeFile, inPlace = false, output }: PatchWishes,
  name: string,
  isLooking: boolean,
): string | undefined {
  const flag = inPlace ? "--in-place" : output === undefined ? undefined : "--output";
  if (inPlace && output !== undefined)
    throw invalidInput("Cannot use --in-place and --output together.", "Leave out one of them.");
  if (!headless) {
    if (flag === undefined) return undefined;
    throw invalidInput(
      `Cannot use ${flag} without --headless.`,
      "It is for --headless --place FILE. In Studio, save with Ctrl+S; `sb save` saves a headless Studio.",
    );
  }
  if (placeFile === undefined && (flag !== undefined || !isLooking))
    throw invalidInput(
      `${name} --headless needs a place file to change: its Studio ends with the command.`,
      "Add --place FILE and --in-place, or -o OUT.rbxl. For several commands: sb headless --detach.",
    );
  if (isLooking) return undefined;
  if (inPlace && placeFile !== undefined && !PLACE_FILE.test(placeFile))
    throw invalidInput(
      `--in-place: ${visibleOnOneLine(placeFile)} is not a place file.`,
      "Write a new place file: -o OUT.rbxl.",
    );
  const file = inPlace ? placeFile : output;
  if (file !== undefined) return resolve(file);
  throw invalidInput(
    `${name} --headless would change ${visibleOnOneLine(placeFile ?? "")} and write nothing.`,
    "Add --in-place to change that file, -o OUT.rbxl to write another, or --dry-run to look.",
  );
}

/** Another file than the opened one is never replaced. */
async function checkIsNewAsync(file: string, placeFile: string | undefined): Promise<void> {
  if (placeFile !== undefined && resolve(placeFile) === file) return;
  if ((await stat(file).catch(() => undefined)) === undefined) return;
  throw new StudioBridgeError("FILE_ERROR", `The file exists already: ${visibleOnOneLine(file)}`, {
    hint: "Choose another name for --output, or change the place file itself with --in-place.",
    data: { path: file },
  });
}

/** Throws SAVE_FAILED; the file is then as it was. */
export async function writePatchedAsync(
  file: string,
  { status, emit, callAsync }: Pick<SessionCommandContext, "status" | "emit" | "callAsync">,
): Promise<void> {
  status("Saving the place");
  const { bytes } = await callAsync("savePlace", { file });
  emit({
    stream: "stderr",
    text: ({ dim }) => dim(`Saved ${visibleOnOneLine(file)} (${sizeText(bytes)})`),
  });
}
