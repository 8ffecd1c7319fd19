/**
 * Rules in which the place names the revision that it holds: what it was made from is known, however old it is. Written apart
 * from the product, so that both can be held against the same judge.
 */
import {
  basisOf,
  type Basis,
  type History,
  historyOf,
  lastKey,
  type Guards,
  type Revision,
  type UndoneReason,
} from "./name-history.ts";
import { type Facts, type Ruling, rulingsOn } from "./name-verdicts.ts";
import type { Act, Acts, Answer, Ask, DonePlan, Look, Rules, Texts } from "./rules.ts";
import { isExistence, type Key, keysOf, pathOf, YES } from "./side.ts";

type Answers = ReadonlyMap<Key, { readonly answer: Answer; readonly text: string }>;

interface Plan {
  readonly rulings: readonly Ruling[];
  readonly answers: Answers;
  readonly pulls: readonly Key[];
  readonly pushes: readonly Key[];
  readonly told: ReadonlySet<Key>;
}

export const nameRules = (name: string, guards: Guards): Rules => ({
  name,
  *sync(look: Look, ask: Ask): Acts {
    const history = historyOf(look);
    const basis = basisOf(history, look, guards);
    const plan = planOf({ look, history, basis, isForeign: isForeign(look, basis) }, ask);
    if (plan === undefined) return;
    const { pulls, pushes, told } = plan;
    for (const key of pulls) yield { act: "pull", keys: [key], told };
    const revision = revisionOf(look.newName(), plan, look, basis, new Set(), guards);
    if (!isNews(revision, plan, basis)) return;
    yield { act: "save", state: history.with(revision) };
    const name = { key: history.key, name: revision.name };
    const lasting = guards.lastName === true ? { lasting: { ...name, key: lastKey(name.key) } } : {};
    let refused: ReadonlySet<Key> = new Set();
    for (const [index, key] of pushes.entries()) {
      const isLast = index === pushes.length - 1;
      refused = yield { act: "push", keys: [key], told, ...(isLast ? { name, ...lasting } : {}) };
    }
    if (pushes.length === 0) yield { act: "name", name, ...lasting };
    const corrected = revisionOf(revision.name, plan, look, basis, refused, guards);
    if (pushes.length > 0) yield { act: "save", state: history.with({ ...corrected, isUnfinished: false }) };
  },
  *undo(look: Look, plan: DonePlan): Generator<Act> {
    const history = historyOf(look);
    const last = history.line.at(-1);
    const found = guards.undoLooks === true ? basisOf(history, look, guards) : last && basisAt(last);
    const revision = undoRevision(look, plan, history, found);
    yield { act: "save", state: history.with(revision) };
    if (!plan.isOfFilesOnly) yield { act: "undoStudio" };
    yield { act: "undoFiles" };
    const name = { key: history.key, name: revision.name };
    const lasting = guards.lastName === true ? { lasting: { ...name, key: lastKey(name.key) } } : {};
    yield { act: "name", name, ...lasting };
  },
});

export const ALL_GUARDS: Required<Guards> = {
  unfinished: true,
  lastName: true,
  marksOfPlace: true,
  followsUndo: true,
  undoLooks: true,
  olderStays: true,
  flagsProveNothing: true,
};
/** Only names, and what they say of a place. */
export const bareNames = nameRules("bare names", {});
export const guardedNames = nameRules("guarded names", ALL_GUARDS);

function isForeign({ paths, files, studio }: Look, { base }: Basis): boolean {
  if (base !== undefined) return false;
  const own = paths.filter((path) => files.get(keysOf(path)[0]) === YES);
  return own.length > 0 && own.every((path) => studio.get(keysOf(path)[0]) !== YES);
}

function planOf(facts: Facts, ask: Ask): Plan | undefined {
  const rulings = facts.look.paths.flatMap((path) => rulingsOn(path, facts));
  const open = rulings.filter(({ verdict }) => verdict === "open");
  const answers: Answers | undefined = open.length === 0 ? new Map() : ask(open);
  if (answers === undefined) return undefined;
  const chosen = (verdict: "pull" | "push", answer: Answer): Key[] =>
    rulings.flatMap((ruling) => {
      const given = answers.get(ruling.key)?.answer;
      return ruling.verdict === verdict || given === answer || given === "both" ? [ruling.key] : [];
    });
  const told = new Set(rulings.flatMap(({ key, isTold }) => (isTold === true ? [key] : [])));
  return { rulings, answers, pulls: chosen("pull", "studio"), pushes: chosen("push", "files"), told };
}

/** Without `refused` the pushes count as they are meant. */
function revisionOf(
  name: string,
  { rulings, answers, pulls, pushes }: Plan,
  { files, studio }: Look,
  basis: Basis,
  refused: ReadonlySet<Key>,
  guards: Guards,
): Revision {
  const { base, marks, name: from } = basis;
  const before = base ?? new Map<Key, string>();
  const tree = new Map<Key, string>();
  const left = new Map<Key, UndoneReason>();
  for (const { key, verdict, reason } of rulings) {
    const given = answers.get(key);
    const isSettled = (verdict !== "open" || given !== undefined) && !refused.has(key);
    const isFromStudio = verdict === "pull" || given?.answer === "studio";
    const held = isSettled ? (isFromStudio ? studio : files) : before;
    for (const each of isExistence(key) && isWhole(key, verdict) ? keysOf(pathOf(key)) : [key]) {
      const text = isSettled && each === key && given !== undefined ? given.text : held.get(each);
      if (text !== undefined) tree.set(each, text);
      if (!isSettled)
        mark(
          left,
          each,
          marks.get(each) ?? undoneReason(reason, base !== undefined && guards.olderStays === true),
        );
    }
  }
  const own = new Set([...tree.keys()].filter((key) => tree.get(key) !== before.get(key)));
  const isUnfinished = pushes.length > 0;
  const kind = pulls.length + pushes.length > 0 ? "plan" : "agreement";
  const marksBefore = marksOf(pushes.flatMap(wholeKeys), basis);
  const done = pushes.filter((key) => !refused.has(key));
  return {
    name,
    from,
    tree,
    own,
    pushes: done.flatMap(wholeKeys),
    marks: left,
    marksBefore,
    before,
    kind,
    isUnfinished,
  };
}

const marksOf = (keys: readonly Key[], { marks, undone }: Basis): ReadonlyMap<Key, UndoneReason> =>
  new Map(
    keys.flatMap((key) => {
      const reason = marks.get(key) ?? (undone.has(key) ? "push_undone" : undefined);
      return reason === undefined ? [] : [[key, reason]];
    }),
  );

const wholeKeys = (key: Key): readonly Key[] => (isExistence(key) ? keysOf(pathOf(key)) : [key]);

/** A script that both sides have has rulings for its source and its flag, too. */
const isWhole = (key: Key, verdict: string): boolean => isExistence(key) && verdict !== "same";

const undoneReason = (reason: string, keepsOlder: boolean): UndoneReason | undefined => {
  if (reason === "studio_older" && keepsOlder) return reason;
  return reason === "push_undone" || reason === "pull_undone" ? reason : undefined;
};

function mark(marks: Map<Key, UndoneReason>, key: Key, reason: UndoneReason | undefined): void {
  if (reason !== undefined) marks.set(key, reason);
}

/** A sync that changes nothing and finds nothing new ends no revision. */
function isNews({ tree, marks }: Revision, { pulls, pushes }: Plan, { base, marks: known }: Basis): boolean {
  if (pulls.length > 0 || pushes.length > 0 || base === undefined) return true;
  return !Bun.deepEquals(new Map(base), tree) || !Bun.deepEquals(new Map(known), marks);
}

/** As if the newest revision were what the place holds. */
const basisAt = ({ name, tree, marks }: Revision): Omit<Basis, "later"> => ({
  name,
  base: tree,
  marks,
  undone: new Set(),
});

function undoRevision(
  look: Look,
  { pulls, pushes }: DonePlan,
  history: History,
  found: Omit<Basis, "later"> | undefined,
): Revision {
  const tree = new Map(found?.base);
  const marks = new Map(found?.marks);
  const before: Texts = history.line.findLast(({ kind }) => kind === "plan")?.before ?? new Map();
  const takeBack = (keys: Iterable<Key>, reason: UndoneReason) => {
    for (const key of keys) {
      const text = before.get(key);
      if (text === undefined) tree.delete(key);
      else tree.set(key, text);
      marks.set(key, reason);
    }
  };
  takeBack(found?.undone ?? [], "push_undone");
  takeBack(pulls, "pull_undone");
  takeBack(pushes, "push_undone");
  return {
    name: look.newName(),
    from: found?.name,
    tree,
    own: new Set(),
    pushes: [],
    marks,
    before: found?.base ?? new Map(),
    kind: "undo",
    marksBefore: new Map(),
    isUnfinished: false,
  };
}
