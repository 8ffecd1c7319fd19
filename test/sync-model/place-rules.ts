/**
 * Rules that know a place by its id or its file: the base is what the last sync of it left, whatever the place holds now.
 * Without a base, a file as it was committed is older than Studio, and a text that is committed is older than the file.
 * A place that was reopened without saving makes them lose work, which shows that the judge sees it.
 */
import type { Act, Acts, Ask, GitFacts, Look, Open, Rules, Texts } from "./rules.ts";
import { type Key, keyOf, keysOf, pathOf, YES } from "./side.ts";

type Verdict = "same" | "push" | "pull" | "open";
interface Ruling {
  readonly key: Key;
  readonly verdict: Verdict;
  readonly reason: string;
  readonly isByGit?: boolean;
}

/** What the state folder holds: a base for each place, and the one before, which an undo brings back. */
class Bases {
  readonly byPlace: ReadonlyMap<string, Texts>;
  readonly before: { readonly place: string; readonly base: Texts | undefined } | undefined;

  constructor(byPlace: ReadonlyMap<string, Texts>, before?: Bases["before"]) {
    this.byPlace = byPlace;
    this.before = before;
  }
}

const basesOf = ({ state }: Look): Bases => (state instanceof Bases ? state : new Bases(new Map()));

export const placeBases: Rules = {
  name: "place bases",
  *sync(look: Look, ask: Ask): Acts {
    const bases = basesOf(look);
    const base = bases.byPlace.get(look.placeIdentity);
    const rulings = look.paths.flatMap((path) => rulingsOn(path, look, base));
    const open: Open[] = rulings.filter(({ verdict }) => verdict === "open");
    const answers = open.length === 0 ? new Map() : ask(open);
    if (answers === undefined) return;
    const isAnswered = ({ key }: Ruling, ...wished: string[]) => wished.includes(answers.get(key)?.answer);
    const pulls = rulings.filter((each) => each.verdict === "pull" || isAnswered(each, "studio", "both"));
    const pushes = rulings.filter((each) => each.verdict === "push" || isAnswered(each, "files", "both"));
    const told = new Set(rulings.flatMap(({ key, isByGit }) => (isByGit === true ? [key] : [])));
    for (const { key } of pulls) yield { act: "pull", keys: [key], told };
    let refused: ReadonlySet<Key> = new Set();
    for (const { key } of pushes) refused = yield { act: "push", keys: [key], told };
    const next = new Map(base);
    const settled = rulings.filter(
      ({ key, verdict }) => (verdict !== "open" || answers.has(key)) && !refused.has(key),
    );
    for (const { key, verdict } of settled)
      settle(
        next,
        key,
        verdict,
        answers.get(key) ?? { answer: verdict === "pull" ? "studio" : "files" },
        look,
      );
    const byPlace = new Map(bases.byPlace).set(look.placeIdentity, next);
    const before = pulls.length + pushes.length > 0 ? { place: look.placeIdentity, base } : bases.before;
    yield { act: "save", state: new Bases(byPlace, before) };
  },
  *undo(look: Look): Generator<Act> {
    const { byPlace, before } = basesOf(look);
    yield { act: "undoStudio" };
    yield { act: "undoFiles" };
    if (before !== undefined)
      yield { act: "save", state: new Bases(new Map(byPlace).set(before.place, before.base ?? new Map())) };
  },
};

function settle(
  base: Map<Key, string>,
  key: Key,
  verdict: Verdict,
  { answer, text }: { readonly answer: string; readonly text?: string },
  { files, studio }: Look,
): void {
  const from = answer === "studio" ? studio : files;
  const isWhole = key.endsWith("exists") && verdict !== "same";
  for (const each of isWhole ? keysOf(pathOf(key)) : [key]) {
    const held = each === key && text !== undefined ? text : from.get(each);
    if (held === undefined) base.delete(each);
    else base.set(each, held);
  }
}

function rulingsOn(path: number, { files, studio, git }: Look, base: Texts | undefined): Ruling[] {
  const [exists, source, flag] = keysOf(path);
  const [hasFile, hasStudio, hadBase] = [files, studio, base].map((side) => side?.get(exists) === YES);
  if (!hasFile && !hasStudio) return [{ key: exists, verdict: "same", reason: "" }];
  if (hasFile && hasStudio) {
    const known = hadBase ? base : undefined;
    const both: Ruling = { key: exists, verdict: "same", reason: "" };
    return [both, ...[source, flag].map((key) => rulingOn(key, files, studio, known, git))];
  }
  const present = hasFile ? files : studio;
  const [add, remove] = hasFile ? (["push", "pull"] as const) : (["pull", "push"] as const);
  if (!hadBase) return [{ key: exists, verdict: add, reason: "added" }];
  const isEdited = [source, flag].some((key) => present.get(key) !== base?.get(key));
  return [
    isEdited
      ? { key: exists, verdict: "open", reason: "delete_vs_edit" }
      : { key: exists, verdict: remove, reason: "removed" },
  ];
}

function rulingOn(
  key: Key,
  files: Texts,
  studio: Texts,
  base: Texts | undefined,
  git: GitFacts | "failed" | undefined,
): Ruling {
  const [file, held, before] = [files, studio, base].map((side) => side?.get(key));
  if (file === held) return { key, verdict: "same", reason: "" };
  if (before === undefined) return rulingByGit(key, file, held, git);
  if (held === before) return { key, verdict: "push", reason: "file_changed" };
  if (file === before) return { key, verdict: "pull", reason: "studio_changed" };
  return { key, verdict: "open", reason: "both_changed" };
}

function rulingByGit(
  key: Key,
  file: string | undefined,
  held: string | undefined,
  git: GitFacts | "failed" | undefined,
): Ruling {
  const path = pathOf(key);
  if (git !== undefined && git !== "failed" && key === keyOf(path, "source")) {
    const current = [git.head(path), git.index(path)].filter((text) => text !== undefined);
    if (current.some((text) => text === file))
      return { key, verdict: "pull", reason: "committed", isByGit: true };
    if (current.some((text) => text === held))
      return { key, verdict: "push", reason: "committed", isByGit: true };
  }
  return { key, verdict: "open", reason: "no_base" };
}
