/**
 * The rules of the product: its own plans, choices, agreements, revisions and undo decide, in its order of writing. Files,
 * Studio, git and the disk are those of the model.
 */
import { aspectsDone } from "../../src/sync/ending.ts";
import { agreementOf, isLeftOpen } from "../../src/sync/plan/agreed.ts";
import { planOf, type SyncPlan } from "../../src/sync/plan/plan.ts";
import { resolve } from "../../src/sync/plan/resolve.ts";
import { isApplied, nextStep } from "../../src/sync/plan/summary.ts";
import { Lineage } from "../../src/sync/revisions/lineage.ts";
import { RevisionLine } from "../../src/sync/revisions/line.ts";
import { numberItems } from "../../src/sync/revisions/number-items.ts";
import { NOTHING_DONE } from "../../src/sync/revisions/revision.ts";
import { isNoNews, type NewRevision, stepAfter } from "../../src/sync/revisions/store.ts";
import type { Override, PlanItem } from "../../src/sync/types.ts";
import { treeBefore } from "../../src/sync/undo-revision.ts";
import { FOLDER, schema } from "../unit/sync/plan/trees.ts";
import { lastKey } from "./name-history.ts";
import { gitOfPlan, keysOfItem, treeOfTexts } from "./product-trees.ts";
import type { Act, Acts, Ask, DonePlan, Look, Open, Rules } from "./rules.ts";
import type { Key } from "./side.ts";

/** The line of revisions, as the state folder keeps it. */
interface Kept {
  readonly line: RevisionLine;
  readonly isConfirmed: boolean;
  readonly nextItem: number;
}

/** What the state folder holds. */
class Memory {
  readonly key: string;
  readonly kept: Kept | undefined;
  /** The revision of the last plan that changed something. */
  readonly lastPlan: string | undefined;
  /** An undo that has begun: whether Studio was asked only, or is known to have done its part. */
  readonly undoing: "asked" | "taken back" | undefined;

  constructor(facts: Pick<Memory, "key"> & Partial<Pick<Memory, "kept" | "lastPlan" | "undoing">>) {
    this.key = facts.key;
    this.kept = facts.kept;
    this.lastPlan = facts.lastPlan;
    this.undoing = facts.undoing;
  }

  with(facts: {
    kept?: Kept | undefined;
    lastPlan?: string | undefined;
    undoing?: Memory["undoing"];
  }): Memory {
    return new Memory({ ...this, ...facts });
  }
}

const memoryOf = ({ state, newName }: Look): Memory =>
  state instanceof Memory ? state : new Memory({ key: newName() });

const WISHES = { allowedRemovals: Number.POSITIVE_INFINITY, mayOverwrite: true } as const;

export const product: Rules = {
  name: "product",
  *sync(look: Look, ask: Ask): Acts {
    const memory = yield* settled(memoryOf(look), look);
    const plan = planFor(look, memory);
    if (!choose(plan, ask)) return;
    const isPartial = plan.items.some(({ verdict }) => verdict === "unresolved");
    const step = nextStep(plan, { mode: "standard", canAsk: false, isPartial });
    if (step !== "apply" && step !== "empty") return;
    yield* applied(plan, memory, look);
  },
  *undo(look: Look, { pushes, isOfFilesOnly, isUndoneInStudio }: DonePlan): Generator<Act> {
    const memory = memoryOf(look);
    const hasOther = !isOfFilesOnly && pushes.length > 0;
    if (hasOther) {
      yield { act: "save", state: memory.with({ undoing: "asked" }) };
      yield { act: "undoStudio" };
    }
    yield { act: "save", state: memory.with({ undoing: "taken back" }) };
    yield { act: "undoFiles" };
    const kept = undone(memory, look);
    yield { act: "save", state: memory.with({ kept: kept ?? memory.kept, undoing: undefined }) };
    if (kept !== undefined && hasOther && !isUndoneInStudio)
      yield { act: "name", ...namesOf(memory.key, kept) };
  },
};

/** The next sync completes an undo that was killed. */
function* settled(memory: Memory, look: Look): Generator<Act, Memory, ReadonlySet<Key>> {
  if (memory.undoing === undefined) return memory;
  if (memory.undoing === "taken back") yield { act: "undoFiles" };
  const next = memory.with({ kept: undone(memory, look) ?? memory.kept, undoing: undefined });
  yield { act: "save", state: next };
  return next;
}

function planFor(look: Look, { key, kept }: Memory): SyncPlan {
  const held = look.heldNames.get(key) ?? [];
  const names = { named: look.names.get(key), last: held.at(-1), lasting: look.names.get(lastKey(key)) };
  const lineage = kept && Lineage.of(kept.line, names, kept.isConfirmed);
  const input = {
    ...WISHES,
    ...(look.isOneWay ? { oneWay: ["out/**"] } : {}),
    files: treeOfTexts(look.files, look.paths, true),
    studio: treeOfTexts(look.studio, look.paths, false),
    base: lineage?.base,
    lineage,
    isUnknownPlace: lineage?.base === undefined,
    schema,
    folder: FOLDER,
  };
  const plan = planOf(input);
  const git = gitOfPlan(plan, look.git);
  return git.size === 0 ? plan : planOf({ ...input, git });
}

/** False where a person is missing without whom nothing is to be changed. */
function choose(plan: SyncPlan, ask: Ask): boolean {
  const open = plan.items.filter(({ verdict }) => verdict === "unresolved");
  if (open.length === 0) return true;
  // One answer decides all that is open of an Instance.
  const byId = Map.groupBy(open, ({ id }) => id);
  const asked = new Map<Key, string>();
  const questions = [...byId].map(([id, items]): Open => {
    const [key, ...also] = items.flatMap(keysOfItem);
    if (key === undefined) throw new Error(`${id} decides nothing`);
    asked.set(key, id);
    return { key, also, reason: items[0]?.reason ?? "", isEitherOr: true };
  });
  const answers = ask(questions);
  if (answers === undefined) return false;
  const overrides = [...asked].flatMap(([key, to]): Override[] => {
    const answer = answers.get(key)?.answer;
    if (answer === undefined) return [];
    return [{ to, direction: answer === "studio" ? "pull" : "push" }];
  });
  resolve(plan, { ...WISHES, overrides });
  return true;
}

function* applied(plan: SyncPlan, memory: Memory, look: Look): Acts {
  const pulls = plan.items.filter(({ verdict }) => verdict === "pull");
  const pushes = plan.items.filter(({ verdict }) => verdict === "push");
  const told = toldOf(plan);
  for (const item of pulls) yield { act: "pull", keys: keysOfItem(item), told };
  const begun = revisionOf(
    plan,
    new Set([...pulls, ...pushes]),
    memory.kept,
    look.newName(),
    pushes.length === 0,
    pushes,
  );
  const lastPlan = pulls.length + pushes.length > 0 ? begun.line.name : memory.lastPlan;
  const next = memory.with({ kept: begun, lastPlan });
  yield { act: "save", state: next };
  const names = namesOf(memory.key, begun);
  let refused: ReadonlySet<Key> = new Set();
  for (const [index, item] of pushes.entries()) {
    const isLast = index === pushes.length - 1;
    refused = yield { act: "push", keys: keysOfItem(item), told, ...(isLast ? names : {}) };
  }
  if (pushes.length > 0) {
    const done = new Set(
      [...pulls, ...pushes].filter((item) => !keysOfItem(item).some((key) => refused.has(key))),
    );
    const isAsBegun = done.size === pulls.length + pushes.length && !pushes.some(isLeftOpen);
    const kept = isAsBegun
      ? { ...begun, isConfirmed: true }
      : revisionOf(plan, done, memory.kept, begun.line.name, true, [], true);
    yield { act: "save", state: next.with({ kept }) };
  } else if (look.names.get(memory.key) !== names.name.name) yield { act: "name", ...names };
}

/** What the place is given: the name, which Ctrl+Z may take away with the pushes, and the one that lasts. */
const namesOf = (key: string, { line: { name } }: Kept) => ({
  name: { key, name },
  lasting: { key: lastKey(key), name },
});

function toldOf({ items, state }: SyncPlan): ReadonlySet<Key> {
  const isTold = (item: PlanItem) =>
    item.reason === "studio_older" ||
    item.reason === "one_way" ||
    state.rulings.get(item)?.replacesCommitted === true;
  return new Set(items.filter((item) => isApplied(item.verdict) && isTold(item)).flatMap(keysOfItem));
}

/** The line with a revision in which these items are done. */
function revisionOf(
  plan: SyncPlan,
  done: ReadonlySet<PlanItem>,
  before: Kept | undefined,
  name: string,
  isConfirmed: boolean,
  unsure: readonly PlanItem[] = [],
  isCorrection = false,
): Kept {
  const agreed = agreementOf(plan, done, unsure);
  const { root } = agreed;
  const nextItem = numberItems(root, before?.line, before?.nextItem ?? 1);
  return withRevision(
    before,
    { root, doneOf: () => aspectsDone(agreed), base: plan.state.lineage?.name },
    { name, isConfirmed, nextItem, isCorrection },
  );
}

interface RevisionFacts {
  readonly name: string;
  readonly isConfirmed: boolean;
  readonly nextItem: number;
  readonly isCorrection?: boolean;
}

function withRevision(
  before: Kept | undefined,
  revision: Omit<NewRevision, "isConfirmed">,
  { name, isConfirmed, nextItem, isCorrection = false }: RevisionFacts,
): Kept {
  const step = stepAfter(before, revision, name);
  const isNew = isCorrection || before === undefined || !isNoNews(before, { ...revision, isConfirmed }, step);
  if (!isNew) return before;
  const line = new RevisionLine(name, revision.root, [...(before?.line.steps ?? []), step]);
  return { line, isConfirmed, nextItem };
}

/** Undefined where the revision of the last plan is not kept. */
function undone({ kept, lastPlan }: Memory, { newName }: Look): Kept | undefined {
  const position = kept?.line.position(lastPlan);
  const root = kept && position !== undefined ? treeBefore(kept.line, position) : undefined;
  if (kept === undefined || root === undefined) return undefined;
  const nextItem = numberItems(root, kept.line, kept.nextItem);
  const revision = { root, doneOf: () => NOTHING_DONE, base: lastPlan, isUndo: true } as const;
  return withRevision(kept, revision, { name: newName(), isConfirmed: true, nextItem });
}
