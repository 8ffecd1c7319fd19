/**
 * Ends a sync with a revision. The order of writing is what makes it safe to be killed at any moment: pulls are written and
 * read back, then the revision is written down with what the pushes will make of Studio, then Studio is changed and takes the
 * revision's name with the last part, then Studio is read back and the revision confirmed or corrected.
 */
import type { RojoNode } from "../roblox/rojo/node.ts";
import { agreementOf, type Agreed, isLeftOpen, type NodeAspects } from "./plan/agreed.ts";
import type { SyncPlan } from "./plan/plan.ts";
import { numberItems } from "./revisions/number-items.ts";
import { giveNumbers, keepNumbersAsync, keepPlaceAsync, numbersOf } from "./revisions/places.ts";
import type { DoneAspects, ItemAspects } from "./revisions/revision.ts";
import {
  addRevisionAsync,
  confirmRevisionAsync,
  correctRevisionAsync,
  type KeptLine,
} from "./revisions/store.ts";
import type { SyncState } from "./state-paths.ts";
import type { Counterpart, ItemResult, PlanItem } from "./types.ts";

/** The revision of one plan. For the process that holds the lock of the line. */
export class Ending {
  readonly #state: SyncState;
  readonly #counterpart: Counterpart;
  readonly #plan: SyncPlan;
  /** The line without this revision. */
  readonly #before: KeptLine | undefined;
  #last: { readonly done: ReadonlySet<PlanItem>; readonly agreed: Agreed } | undefined;
  #begun:
    | {
        readonly kept: KeptLine;
        readonly intended: ReadonlySet<PlanItem>;
        /** Whether it says that something is still open, which its pushes will settle. */
        readonly hasMarks: boolean;
      }
    | undefined;

  constructor(state: SyncState, counterpart: Counterpart, plan: SyncPlan, before: KeptLine | undefined) {
    this.#state = state;
    this.#counterpart = counterpart;
    this.#plan = plan;
    this.#before = before;
  }

  /** Writes down what both sides will hold after the pushes. Gives back the name of the revision. */
  async beginAsync(pulled: readonly ItemResult[], pushes: readonly PlanItem[]): Promise<string> {
    const intended = new Set([...itemsOf(pulled), ...pushes]);
    const answered = pushes.filter(isLeftOpen);
    const agreed = answered.length === 0 ? this.#agreed(intended) : this.#numbered(intended, answered);
    const revision = this.#revisionOf(agreed);
    const kept = await addRevisionAsync(this.#state, this.#before, { ...revision, isConfirmed: false });
    this.#begun = { kept, intended, hasMarks: answered.length > 0 };
    return kept.line.name;
  }

  /** The tree of what both sides should hold after these results, with the numbers of its items. */
  expected(results: readonly ItemResult[]): RojoNode {
    const done = new Set(itemsOf(results));
    const { kept, intended, hasMarks } = this.#begun ?? {};
    if (kept !== undefined && hasMarks === false && isSame(done, intended)) return kept.line.root;
    return this.#agreed(done).root;
  }

  /** Gives back the line with the revision, whose name the place has then. */
  async endAsync(results: readonly ItemResult[], agreed: RojoNode | undefined): Promise<KeptLine> {
    const kept = await this.#writeAsync(new Set(itemsOf(results)));
    const { place, generation } = this.#counterpart;
    if (generation !== undefined) {
      const numbers = numbersOf(agreed ?? kept.line.root);
      giveNumbers(kept.line.root, numbers);
      await keepNumbersAsync(this.#state, place, generation, numbers);
    }
    await keepPlaceAsync(this.#state, place, kept.line.name);
    if (this.#counterpart.names !== undefined && this.#counterpart.names.named !== kept.line.name)
      await this.#counterpart.nameAsync?.(kept.line.name);
    return kept;
  }

  async #writeAsync(done: ReadonlySet<PlanItem>): Promise<KeptLine> {
    const begun = this.#begun;
    if (begun !== undefined && !begun.hasMarks && isSame(done, begun.intended))
      return confirmRevisionAsync(this.#state, begun.kept);
    const revision = this.#revisionOf(this.#agreed(done));
    return begun === undefined
      ? addRevisionAsync(this.#state, this.#before, { ...revision, isConfirmed: true })
      : correctRevisionAsync(this.#state, this.#before, begun.kept, revision);
  }

  #revisionOf(agreed: Agreed) {
    const base = this.#plan.state.lineage?.name;
    return { root: agreed.root, base, doneOf: () => aspectsDone(agreed) };
  }

  /** Kept for the next question, because the tree of a large project takes a while. */
  #agreed(done: ReadonlySet<PlanItem>): Agreed {
    if (this.#last !== undefined && isSame(done, this.#last.done)) return this.#last.agreed;
    const agreed = this.#numbered(done);
    this.#last = { done, agreed };
    return agreed;
  }

  #numbered(done: ReadonlySet<PlanItem>, unsure: readonly PlanItem[] = []): Agreed {
    const agreed = agreementOf(this.#plan, done, unsure);
    numberItems(agreed.root, this.#before?.line, this.#before?.nextItem ?? 1);
    return agreed;
  }
}

const itemsOf = (results: readonly ItemResult[]): readonly PlanItem[] =>
  results.flatMap(({ item, applied }) => (applied ? [item] : []));

const isSame = (one: ReadonlySet<PlanItem>, other: ReadonlySet<PlanItem> = new Set()): boolean =>
  one.size === other.size && [...one].every((item) => other.has(item));

/** By the numbers of the items, which the nodes have by now. */
export const aspectsDone = ({ pushed, pulled }: Pick<Agreed, keyof DoneAspects>): DoneAspects => ({
  pushed: byItem(pushed),
  pulled: byItem(pulled),
});

function byItem(changed: NodeAspects): ItemAspects {
  const items = new Map<number, readonly string[]>();
  for (const [node, aspects] of changed) {
    const item = typeof node === "number" ? node : node.item;
    if (item !== undefined) items.set(item, aspects);
  }
  return items;
}
