/**
 * Decides from which revision a place was made, and so which base counts: the one that the place names, in the life of a plugin
 * the last one that this life knows. Tells a plan what later revisions held, and what was taken back.
 */
import type { RojoNode, LeftOpen } from "../../roblox/rojo/node.ts";
import type { Entry } from "../plan/entries.ts";
import { pathKey, type Position, RevisionLine } from "./line.ts";
import type { HeldItem } from "./revision.ts";

/** What a place, and the life of its plugin, say of the revisions of this project. */
export interface PlaceNames {
  /** The name that the place carries. */
  readonly named?: string | undefined;
  /** The name that this life of the plugin has written last, or read first. */
  readonly last?: string | undefined;
  /** The one that the place was given last, apart from any undo step; Ctrl+Z leaves it alone. */
  readonly lasting?: string | undefined;
}

/** Aspects of items, by the numbers of the items. */
type Aspects = ReadonlyMap<number, ReadonlySet<string>>;

interface LineageFacts {
  readonly undone?: Aspects;
  readonly isConfirmed?: boolean;
  readonly isOnlyRead?: boolean;
}

export class Lineage {
  /** Undefined where the place names no revision that is kept. */
  readonly base: RojoNode | undefined;
  /** The revision that the place names, though its base may count in its place. */
  readonly #named: Position | undefined;
  readonly #line: RevisionLine;
  /** Of the base. */
  readonly #position: Position | undefined;
  /** What pushes brought to Studio, and Ctrl+Z took back there. */
  readonly #undone: Aspects;
  /** What an undo took back in the files, of which the place knows nothing. */
  readonly #takenBack: Aspects;
  readonly #isConfirmed: boolean;
  readonly #isOnlyRead: boolean;
  #items: ReadonlyMap<number, HeldItem> | undefined;
  #unsure: readonly ReadonlyMap<number, HeldItem>[] | undefined;

  private constructor(
    line: RevisionLine,
    named: Position | undefined,
    { undone = NOTHING, isConfirmed = true, isOnlyRead = false }: LineageFacts = {},
  ) {
    const position = surePosition(line, named, isConfirmed);
    this.#named = named;
    this.#line = line;
    this.#position = position;
    this.#undone = undone;
    this.#takenBack = position === undefined ? NOTHING : takenBackAfter(line, position);
    this.#isConfirmed = isConfirmed;
    this.#isOnlyRead = isOnlyRead;
    this.base = position === undefined ? undefined : line.treeAt(position);
  }

  /** Of a place file that is only read, and so carries no name of the sync that read it last: `name` is what `sb` remembers. */
  static ofFile(line: RevisionLine, name: string | undefined): Lineage {
    return new Lineage(line, line.position(name), { isOnlyRead: true });
  }

  /** `isConfirmed`: whether what the newest revision was to push has been read back. */
  static of(line: RevisionLine, { named, last, lasting }: PlaceNames, isConfirmed: boolean): Lineage {
    const at = line.position(named);
    const held = Math.max(...[last, lasting].map((name) => line.position(name) ?? -1));
    const isUndone = (at ?? -1) < held;
    const undone = isUndone ? pushedSince(line, named, held) : NOTHING;
    return new Lineage(line, isUndone ? held : at, { undone, isConfirmed });
  }

  /** Of a place that holds what `root` says, whose items have numbers. */
  static fresh(root: RojoNode): Lineage {
    return new Lineage(new RevisionLine("", root), 0);
  }

  /** Whether the line has steps without which nothing can be said of the place. */
  static needsSteps(line: RevisionLine, { named, last, lasting }: PlaceNames, isConfirmed: boolean): boolean {
    return !isConfirmed || [named, last ?? named, lasting ?? named].some((name) => name !== line.name);
  }

  get name(): string | undefined {
    return this.#named === undefined ? undefined : this.#line.nameAt(this.#named);
  }

  /** What was taken back of an aspect, or was left open, and waits for an answer. */
  leftOpen(entry: Entry, aspect: string): LeftOpen | undefined {
    for (const item of this.itemsOf(entry)) {
      const open = this.#leftOpenOf(item).get(aspect);
      if (open !== undefined) return open;
    }
    return undefined;
  }

  /** The same of anything that the Instance has or is. */
  anyLeftOpen(entry: Entry): LeftOpen | undefined {
    const [open] = this.itemsOf(entry).flatMap((item) => [...this.#leftOpenOf(item).values()]);
    return open;
  }

  #leftOpenOf(item: number): ReadonlyMap<string, LeftOpen> {
    const open = new Map<string, LeftOpen>();
    for (const aspect of this.#takenBack.get(item) ?? []) open.set(aspect, "pull_undone");
    for (const aspect of this.#undone.get(item) ?? []) open.set(aspect, "push_undone");
    for (const [aspect, reason] of this.#itemsOfNamed().get(item)?.node.leftOpen ?? [])
      open.set(aspect, reason);
    return open;
  }

  #itemsOfNamed(): ReadonlyMap<number, HeldItem> {
    return (this.#items ??= this.#named === undefined ? new Map() : this.#line.itemsAt(this.#named));
  }

  /** What the Instance held at revisions after the base; undefined where it did not exist. */
  later(entry: Entry): readonly (HeldItem | undefined)[] {
    const position = this.#position;
    if (position === undefined) return [];
    // Whether such a file is older or newer than the one that was read last, only its sources tell.
    if (this.#isOnlyRead) return [];
    return this.itemsOf(entry).flatMap((item) => this.#line.heldAfter(item, position));
  }

  /** The same of revisions that Studio may hold in part without naming them, because a sync was killed. */
  unsure(entry: Entry): readonly (HeldItem | undefined)[] {
    const items = this.itemsOf(entry);
    return this.#unsureItems().flatMap((held) => items.map((item) => held.get(item)));
  }

  #unsureItems(): readonly ReadonlyMap<number, HeldItem>[] {
    return (this.#unsure ??= laterPositions(this.#line, this.#position)
      .filter((position) => !isSure(this.#line, position, this.#isConfirmed))
      .map((position) => this.#line.itemsAt(position)));
  }

  /** The states of which a source in Studio says that the place is older. */
  olderSources(entry: Entry): readonly (HeldItem | undefined)[] {
    return this.#isOnlyRead ? this.ever(entry) : this.later(entry);
  }

  /** What the Instance held at any revision that is kept. */
  ever(entry: Entry): readonly (HeldItem | undefined)[] {
    return this.itemsOf(entry).flatMap((item) => this.#line.heldEver(item));
  }

  /** Instances that the base does not have are known by their path. */
  itemsOf(entry: Entry): readonly number[] {
    const item = entry.base?.item;
    return item === undefined ? [...this.#line.itemsAtPath(pathOf(entry))] : [item];
  }
}

const NOTHING: Aspects = new Map();

/** A sync that was killed had named its revision: of what it was to push nothing is sure, so that its own base counts. */
function surePosition(
  line: RevisionLine,
  named: Position | undefined,
  isConfirmed: boolean,
): Position | undefined {
  return named === undefined || isSure(line, named, isConfirmed) ? named : line.sureBaseOf(named);
}

const isSure = (line: RevisionLine, position: Position, isConfirmed: boolean): boolean =>
  position === line.last ? isConfirmed : line.isSure(position);

const laterPositions = ({ last }: RevisionLine, position: Position | undefined): readonly Position[] =>
  position === undefined ? [] : Array.from({ length: last - position }, (_, index) => position + index + 1);

/** The way back from the revision that was named last to the one that the place names now. */
function pushedSince(line: RevisionLine, named: string | undefined, held: Position): Aspects {
  const pushed = new Map<number, Set<string>>();
  for (
    let at: Position | undefined = held;
    at !== undefined && line.nameAt(at) !== named;
    at = line.baseOf(at)
  )
    for (const [item, aspects] of line.steps[at - 1]?.pushed ?? [])
      pushed.set(item, new Set([...(pushed.get(item) ?? []), ...aspects]));
  return pushed;
}

/** Of undos of what the base, or what it came from, had pulled. The place may not have been there to be told. */
function takenBackAfter(line: RevisionLine, position: Position): Aspects {
  const undos = line.steps.flatMap(({ isUndo }, index) =>
    isUndo === true && index >= position ? [index + 1] : [],
  );
  if (undos.length === 0) return NOTHING;
  const past = new Set<Position | undefined>();
  for (let at: Position | undefined = position; at !== undefined; at = line.baseOf(at)) past.add(at);
  const taken = new Map<number, Set<string>>();
  for (const undo of undos.filter((each) => past.has(line.baseOf(each)))) {
    const items = line.itemsAt(undo);
    const pushed = line.steps[(line.baseOf(undo) ?? 0) - 1]?.pushed;
    for (const item of line.steps[undo - 1]?.was.keys() ?? [])
      for (const aspect of items.get(item)?.node.leftOpen?.keys() ?? [])
        if (pushed?.get(item)?.includes(aspect) !== true)
          taken.set(item, new Set([...(taken.get(item) ?? []), aspect]));
  }
  return taken;
}

function pathOf(entry: Entry | undefined): string {
  const node = entry?.file ?? entry?.studio ?? entry?.base;
  const parent = entry?.file !== undefined ? entry.fileParent : (entry?.studioParent ?? entry?.baseParent);
  if (node === undefined || parent === undefined) return "";
  return pathKey(pathOf(parent), node.name);
}
