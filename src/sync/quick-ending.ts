/** Ends a sync of single sources with a revision, in the order of `ending.ts`, without a look at the whole tree. */
import type { RevisionLine } from "./revisions/line.ts";
import { keepPlaceAsync } from "./revisions/places.ts";
import { addSourcesAsync, confirmRevisionAsync, type KeptLine } from "./revisions/store.ts";
import type { SyncState } from "./state-paths.ts";
import type { RojoNode } from "../roblox/rojo/node.ts";
import { textOfByteString } from "../util/bytes.ts";
import type { Counterpart, ItemResult, PlanItem } from "./types.ts";

type Source = readonly [item: number, source: string];

/** For the process that holds the lock of the line. */
export class QuickEnding {
  readonly #state: SyncState;
  readonly #counterpart: Counterpart;
  readonly #before: KeptLine;
  readonly #items: ItemsOfStudio;
  #begun: { readonly kept: KeptLine; readonly sources: readonly Source[] } | undefined;

  constructor(state: SyncState, counterpart: Counterpart, before: KeptLine, items: ItemsOfStudio) {
    this.#state = state;
    this.#counterpart = counterpart;
    this.#before = before;
    this.#items = items;
  }

  /** Writes down what both sides will hold after the pushes. Gives back the name of the revision. */
  async beginAsync(pulled: readonly ItemResult[], pushes: readonly PlanItem[]): Promise<string> {
    const sources = this.#sourcesOf([...doneIn(pulled), ...pushes]);
    const pushed = this.#sourcesOf(pushes).map(([item]) => item);
    const kept = await addSourcesAsync(this.#state, this.#before, { sources, pushed });
    this.#begun = { kept, sources };
    return kept.line.name;
  }

  /** Gives back the line with the revision, whose name the place has then. */
  async endAsync(results: readonly ItemResult[]): Promise<KeptLine> {
    const kept = await this.#writeAsync(this.#sourcesOf(doneIn(results)));
    const { place, names } = this.#counterpart;
    await keepPlaceAsync(this.#state, place, kept.line.name);
    if (names !== undefined && names.named !== kept.line.name)
      await this.#counterpart.nameAsync?.(kept.line.name);
    return kept;
  }

  async #writeAsync(done: readonly Source[]): Promise<KeptLine> {
    if (this.#begun === undefined)
      return done.length === 0
        ? this.#before
        : addSourcesAsync(this.#state, this.#before, { sources: done, pushed: [] });
    const { kept, sources } = this.#begun;
    const confirmed = await confirmRevisionAsync(this.#state, kept);
    const applied = new Set(done.map(([item]) => item));
    const failed = sources.filter(([item]) => !applied.has(item));
    if (failed.length === 0) return confirmed;
    // What was not written is as it was before, in a revision after that.
    const step = confirmed.line.steps.at(-1);
    const earlier = failed.map(([item]): Source => [item, sourceText(step?.was.get(item)?.node)]);
    return addSourcesAsync(this.#state, confirmed, { sources: earlier, pushed: [] });
  }

  #sourcesOf(items: readonly PlanItem[]): readonly Source[] {
    return items.flatMap(({ verdict, studio, aspects: [source] }): Source[] => {
      const held = verdict === "push" ? source?.file : source?.studio;
      const item = this.#items.get(studio?.studioId ?? 0);
      return item === undefined || held?.type !== "text" ? [] : [[item, held.value]];
    });
  }
}

/** The numbers of items by those that Studio has for them. Revisions in which only sources differ have the same. */
export type ItemsOfStudio = ReadonlyMap<number, number>;

export const itemsOfStudio = ({ items }: RevisionLine): ItemsOfStudio =>
  new Map(
    [...items].flatMap(([item, { node }]): [number, number][] =>
      node.studioId === undefined ? [] : [[node.studioId, item]],
    ),
  );

const doneIn = (results: readonly ItemResult[]): readonly PlanItem[] =>
  results.flatMap(({ item, applied }) => (applied ? [item] : []));

function sourceText(node: RojoNode | undefined): string {
  const source = node?.properties.get("Source")?.value;
  return typeof source === "string" ? textOfByteString(source) : "";
}
