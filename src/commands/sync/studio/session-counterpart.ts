/** An open Studio as the other side of a sync. */
import { dirname } from "node:path";
import { checkPlaceAsync } from "../../../command/project/place-rules.ts";
import { loadFileSchemaAsync } from "../../../headless/index.ts";
import { StudioBridgeError } from "../../../protocol/errors.ts";
import type { SessionInfo } from "../../../protocol/network.ts";
import type { Counterpart, PlaceIdentity } from "../../../sync/types.ts";
import type { ByteString } from "../../../util/bytes.ts";
import { applyPushesAsync } from "./apply-pushes.ts";
import { PlaceHold, type OpenedPlace } from "./place-hold.ts";
import type { StudioLink } from "./studio-link.ts";
import { StudioReader } from "./studio-reader.ts";

export interface SessionCounterpart extends Counterpart, AsyncDisposable {
  /** As `StudioReader.changedSourcesAsync`. */
  changedSourcesAsync(): Promise<ReadonlyMap<number, ByteString> | undefined>;
}

/**
 * Holds the place for this sync until the result is disposed. `earlier` is taken for a place without an identity of its own:
 * the one that it had before its plugin was loaded again. Throws PLACE_NOT_ALLOWED, SYNC_IN_PROGRESS, and
 * EDIT_REFUSED while the place plays.
 */
export async function openSessionAsync(
  project: string,
  link: StudioLink,
  earlier?: PlaceIdentity,
): Promise<SessionCounterpart> {
  await checkPlaceAsync(link.session, dirname(project));
  const hold = await PlaceHold.takeAsync(link);
  try {
    checkEditMode(hold.place);
    const reader = new StudioReader(link, await loadFileSchemaAsync());
    const place = identityOf(hold.place, link.session, earlier);
    const { canMakeModels } = hold.place;
    let isMarked = hold.place.mark !== undefined;
    return {
      label: labelOf(link.session),
      place,
      generation: hold.place.generation,
      isWritable: true,
      readAsync: (files) => reader.readAsync(files),
      changedSourcesAsync: () => reader.changedSourcesAsync(),
      applyAsync: (items, plan, signal) => {
        const mark = place.by === "mark" && !isMarked ? place.value : undefined;
        if (items.length > 0) isMarked = true;
        return applyPushesAsync(link, { items, plan, reader, canMakeModels, mark, signal });
      },
      compileAsync: (sources) => compileAsync(link, sources),
      [Symbol.asyncDispose]: () => hold[Symbol.asyncDispose](),
    };
  } catch (error) {
    await hold[Symbol.asyncDispose]();
    throw error;
  }
}

/** A Studio that lets no plugin ask its compiler has nothing against any source. */
async function compileAsync(
  link: StudioLink,
  sources: readonly string[],
): Promise<ReadonlyMap<number, string>> {
  const { faults } = await link.callAsync("checkSources", { sources: [...sources] });
  return new Map(
    faults.map(({ index, line, message }) => [
      index,
      line === undefined ? message : `line ${line}: ${message}`,
    ]),
  );
}

const labelOf = ({ placeName, context }: SessionInfo): string => `${placeName} (${context})`;

/** What is edited while a test runs would be lost at its end. */
function checkEditMode({ state, placeName }: OpenedPlace): void {
  if (state === "Edit") return;
  throw new StudioBridgeError("EDIT_REFUSED", `${placeName} plays, and a sync works on the edited place.`, {
    hint: "End the test with `sb play stop`, then sync again.",
    outcome: "not_started",
  });
}

/**
 * An unpublished place gets its mark with the first change that a sync makes in it. Until then it is known by the life of
 * its plugin, so that a sync which finds nothing to do is remembered while the place is open.
 */
function identityOf(
  { placeId, mark, generation }: OpenedPlace,
  { placeFile }: SessionInfo,
  earlier: PlaceIdentity | undefined,
): PlaceIdentity {
  if (placeId !== 0) return { by: "placeId", value: String(placeId) };
  if (placeFile !== undefined) return { by: "file", value: placeFile };
  if (mark === undefined && earlier?.by === "mark") return earlier;
  return { by: "mark", value: mark ?? generation };
}
