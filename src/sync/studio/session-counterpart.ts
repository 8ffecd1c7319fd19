/** An open Studio as the other side of a sync. */
import { basename, dirname } from "node:path";
import { checkServedPlaceAsync } from "../../project/place-rules.ts";
import { loadFileSchemaAsync } from "../../headless/index.ts";
import { StudioBridgeError } from "../../protocol/errors.ts";
import type { SessionInfo } from "../../protocol/network.ts";
import type { Counterpart, PlaceIdentity } from "../types.ts";
import type { ByteString } from "../../util/bytes.ts";
import { applyPushesAsync } from "./apply-pushes.ts";
import { words } from "../../protocol/words.ts";
import { knownProjectIdAsync } from "../revisions/project-id.ts";
import { syncStateAsync } from "../state-paths.ts";
import { likelyTreeAsync } from "./likely-tree.ts";
import { NamesInPlace } from "./names-in-place.ts";
import { PlaceHold, type OpenedPlace } from "./place-hold.ts";
import type { StudioLink } from "./studio-link.ts";
import { StudioReader } from "./studio-reader.ts";

export interface SessionCounterpart extends Counterpart, AsyncDisposable {
  /** As `StudioReader.changedSourcesAsync`. */
  changedSourcesAsync(): Promise<ReadonlyMap<number, ByteString> | undefined>;
  /** Asks the place again what it names. */
  refreshNamesAsync(): Promise<void>;
}

/** The place that a watch had before its Studio went away. */
export interface EarlierPlace {
  readonly place: PlaceIdentity;
  /** Whether this is the window that had it: its plugin was only loaded again. */
  readonly isSameWindow: boolean;
}

/**
 * Holds the place for this sync until the result is disposed. A place without an identity of its own is the `earlier` one
 * where its window is the same, or where it names a revision of the project. Throws PLACE_NOT_ALLOWED, SYNC_IN_PROGRESS, and
 * EDIT_REFUSED while the place plays.
 */
export async function openSessionAsync(
  project: string,
  link: StudioLink,
  earlier?: EarlierPlace,
): Promise<SessionCounterpart> {
  await checkServedPlaceAsync(link.session, dirname(project));
  const state = await syncStateAsync(project);
  const key = await knownProjectIdAsync(state);
  const hold = await PlaceHold.takeAsync(link, key);
  try {
    checkEditMode(hold.place);
    const names = new NamesInPlace(link, state, hold.place.revision);
    const reader = new StudioReader(link, await loadFileSchemaAsync());
    const place = identityOf(hold.place, link.session, earlier);
    const { canMakeModels } = hold.place;
    let isMarked = hold.place.mark !== undefined;
    const refreshNamesAsync = async () =>
      names.learn(await hold.revisionAsync(await knownProjectIdAsync(state)));
    return {
      label: labelOf(link.session),
      place,
      generation: hold.place.generation,
      isWritable: true,
      names,
      nameAsync: (name) => names.writeAsync(name),
      foresee: (projectFile) => reader.foresee(likelyTreeAsync(projectFile)),
      readAsync: async (files) => {
        const root = await reader.readAsync(files);
        // In this order, so that Ctrl+Z in between is never taken for an edit.
        await refreshNamesAsync();
        return root;
      },
      refreshNamesAsync,
      changedSourcesAsync: () => reader.changedSourcesAsync(),
      applyAsync: async (items, plan, signal, { step, revision }) => {
        const attributes: Record<string, string> = await names.attributeAsync(revision);
        if (place.by === "mark" && !isMarked) attributes[words.placeMark] = place.value;
        if (items.length > 0) isMarked = true;
        reader.doubt(items.flatMap(({ studio }) => studio?.studioId ?? []));
        const push = { items, plan, reader, canMakeModels, attributes, signal, step };
        const { results, isNamed } = await applyPushesAsync(link, push);
        if (isNamed) names.take(revision);
        return results;
      },
      compileAsync: (sources) => compileAsync(link, sources),
      leave: (left) => hold.leave({ ...left, folder: basename(dirname(project)) }),
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
  { placeId, mark, generation, revision }: OpenedPlace,
  { placeFile }: SessionInfo,
  earlier: EarlierPlace | undefined,
): PlaceIdentity {
  if (placeId !== 0) return { by: "placeId", value: String(placeId) };
  if (placeFile !== undefined) return { by: "file", value: placeFile };
  const isKnown = earlier?.isSameWindow === true || revision?.named !== undefined;
  if (mark === undefined && isKnown && earlier?.place.by === "mark") return earlier.place;
  return { by: "mark", value: mark ?? generation };
}
