/** How `sb close` ends a headless Studio: what it holds is saved, kept or dropped, as the person says. */
import type { SessionCommandContext } from "../../command-kit/context.ts";
import type { PutAway } from "../../headless/index.ts";
import { StudioBridgeError } from "../../protocol/errors.ts";
import { visibleOnOneLine } from "../../util/visible-controls.ts";
import { savePlaceAsync } from "../../model/save-place.ts";

/** `save`: true where the place was opened from, else the file. */
export interface CloseWish {
  readonly save?: string | true | undefined;
  readonly discard: boolean;
}

/**
 * Resolves when Studio is about to end; undefined for one that does not take the request, and has to be ended by a signal.
 * Throws when its place could not be put away, and it goes on.
 */
export async function endHeadlessAsync(
  wish: CloseWish,
  context: SessionCommandContext,
): Promise<PutAway | undefined> {
  if (!context.session.capabilities.includes("endStudio")) return undefined;
  try {
    const { save, discards } = await decideAsync(wish, context);
    const saved = save === undefined ? undefined : await savePlaceAsync(fileOf(save), false, context);
    const putAway = await context.callAsync("endStudio", { unsaved: discards ? "discard" : "keep" });
    return saved === undefined ? putAway : { savedTo: saved.file, ...putAway };
  } catch (error) {
    // Its link to the bridge host is not proven, so that it takes no such request.
    if (error instanceof StudioBridgeError && error.code === "SAVE_REFUSED") return undefined;
    throw error instanceof StudioBridgeError && error.code === "SAVE_FAILED" ? goesOn(error) : error;
  }
}

function goesOn({ code, message, data }: StudioBridgeError): StudioBridgeError {
  const hint = "It was not closed. Save it with `sb save FILE`, then end it with `sb close --discard`.";
  return new StudioBridgeError(code, message, { data, hint });
}

const fileOf = (save: string | true): string | undefined => (save === true ? undefined : save);

interface Decision {
  readonly save: string | true | undefined;
  readonly discards: boolean;
}

/** Asks the person at the terminal where nothing was said; the place is kept if no person can answer. */
async function decideAsync({ save, discard }: CloseWish, context: SessionCommandContext): Promise<Decision> {
  if (save !== undefined || discard) return { save, discards: discard };
  const { isUnsaved, file } = await context.callAsync("queryPlaceFile", {});
  const place = visibleOnOneLine(context.session.placeName);
  const answer = isUnsaved
    ? await context.chooseAsync?.(`${place} has changes that are not saved.`, [
        { value: "keep", label: "Keep them", hint: "`sb headless --restore` opens them again", isYes: true },
        ...(file === undefined ? [] : [{ value: "save", label: "Save them", hint: visibleOnOneLine(file) }]),
        { value: "discard", label: "Discard them", hint: "they are lost" },
      ])
    : undefined;
  return { save: answer === "save" ? true : undefined, discards: answer === "discard" };
}
