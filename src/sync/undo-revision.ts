/**
 * Ends an undo with a revision of its own. What the undone sync had changed is left open, because the sides differ again: the
 * next sync would otherwise do at once what a person has just taken back.
 */
import { type LeftOpen, newNode, type RojoNode } from "../roblox/rojo/node.ts";
import { textOfByteString } from "../util/bytes.ts";
import { withLineAsync } from "./line-lock.ts";
import { ownCopy, treeOf } from "./revisions/held-items.ts";
import { changesBetween, type Position, type RevisionLine } from "./revisions/line.ts";
import { keepPlaceAsync } from "./revisions/places.ts";
import { EXISTENCE, type HeldItem, NO_REVISION, type Step } from "./revisions/revision.ts";
import { addRevisionAsync, loadLineAsync } from "./revisions/store.ts";
import type { SyncState } from "./state-paths.ts";
import type { PlaceIdentity } from "./types.ts";

/**
 * Gives back the name of the new revision; undefined where the revision of the undone sync is no longer kept, or never was,
 * so that the next sync finds out what is newer. Throws SYNC_IN_PROGRESS, and the system's error.
 */
export async function undoRevisionAsync(
  state: SyncState,
  place: PlaceIdentity,
  revision: string | undefined,
): Promise<string | undefined> {
  return withLineAsync(state, "sb sync undo", async () => {
    const { kept } = await loadLineAsync(state, true);
    const position = kept?.line.position(revision);
    const root = kept && position !== undefined ? treeBefore(kept.line, position) : undefined;
    if (kept === undefined || root === undefined) return undefined;
    const pushedOf = () => new Map<number, readonly string[]>();
    const undo = { root, pushedOf, base: revision, isUndo: true, isConfirmed: true } as const;
    const { line } = await addRevisionAsync(state, kept, undo);
    await keepPlaceAsync(state, place, line.name);
    return line.name;
  });
}

/**
 * What a revision held, apart from what its sync has changed, which is as it was before and waits for an answer. What other
 * places have brought since means nothing for its place. Undefined for a revision of which nothing else is kept.
 */
export function treeBefore(line: RevisionLine, position: Position): RojoNode | undefined {
  const step = line.steps[position - 1];
  return step === undefined ? undefined : treeOf(itemsWithout(line, position, step));
}

/** What its sync has changed, as it was before: the revision before it may be of another place. */
function changedBy(line: RevisionLine, position: Position, { base, after, was }: Step): Step["was"] {
  const from = line.sureBaseOf(position);
  const isKept = from !== undefined || (base ?? after) === NO_REVISION || line.baseOf(position) !== undefined;
  if (!isKept) return was;
  return changesBetween(from === undefined ? new Map() : line.itemsAt(from), line.itemsAt(position));
}

/**
 * What differs from the revisions before it whose pushes may not have come to be. The files had what those intended, so that
 * a pull of something else has changed them.
 */
function changedFromIntended(line: RevisionLine, position: Position): Step["was"] {
  const changed = new Map<number, HeldItem | undefined>();
  const now = line.itemsAt(position);
  for (let at = line.baseOf(position); at !== undefined && !line.isSure(at); at = line.baseOf(at))
    for (const [item, held] of changesBetween(line.itemsAt(at), now))
      if (!changed.has(item)) changed.set(item, held);
  return changed;
}

/** What was left open before and was answered: a pull of what the base had leaves no other trace. */
const answered = (before: HeldItem | undefined, now: HeldItem | undefined): readonly string[] =>
  [...(before?.node.leftOpen?.keys() ?? [])].filter((aspect) => now?.node.leftOpen?.has(aspect) !== true);

function itemsWithout(line: RevisionLine, position: Position, step: Step): ReadonlyMap<number, HeldItem> {
  const items = new Map(line.itemsAt(position));
  const was = changedBy(line, position, step);
  const { pushed } = step;
  const intended = changedFromIntended(line, position);
  // What was pushed to an older place may have been in the files, and so in the line, before.
  for (const item of new Set([...was.keys(), ...pushed.keys(), ...intended.keys(), ...step.was.keys()])) {
    const now = items.get(item);
    const before = was.has(item) ? was.get(item) : now;
    const own = pushed.get(item) ?? [];
    const changed = new Set([
      ...changedAspects(before, now),
      ...own,
      ...(intended.has(item) ? changedAspects(intended.get(item), now) : []),
      ...answered(step.was.get(item), now),
    ]);
    const held = before ?? now ?? (changed.size === 0 ? undefined : markOf(line.heldEver(item)));
    if (held === undefined) continue;
    items.set(item, { ...held, node: withOpen(held, now?.node.leftOpen, changed, own) });
  }
  return items;
}

/** An Instance that was pushed away again. It stands for what is open of it; both sides agree on nothing. */
function markOf(states: readonly (HeldItem | undefined)[]): HeldItem | undefined {
  const held = states.findLast((state) => state !== undefined);
  if (held === undefined) return undefined;
  const node = ownCopy(held.node);
  node.unsettled = new Set(changedAspects(undefined, held));
  return { ...held, node };
}

/** `known`: what the sync has left open itself stays so. */
function withOpen(
  { node }: HeldItem,
  known: ReadonlyMap<string, LeftOpen> | undefined,
  aspects: ReadonlySet<string>,
  pushed: readonly string[],
) {
  const copy = ownCopy(node);
  const open = new Map<string, LeftOpen>([...(copy.leftOpen ?? []), ...(known ?? [])]);
  for (const aspect of aspects) open.set(aspect, pushed.includes(aspect) ? "push_undone" : "pull_undone");
  if (open.size > 0) copy.leftOpen = open;
  return copy;
}

/** In the words of `aspectKey`. All that an Instance has changes with its existence. */
function changedAspects(before: HeldItem | undefined, now: HeldItem | undefined): string[] {
  const isPlaced = before === undefined || now === undefined;
  const held = before ?? now;
  if (held === undefined) return [];
  const none: HeldItem = {
    ...held,
    node: newNode(held.node.name, held.node.className),
    references: new Map(),
  };
  const changed = aspectsBetween(before ?? none, now ?? none);
  return isPlaced ? [EXISTENCE, ...changed] : changed;
}

function aspectsBetween(before: HeldItem, now: HeldItem): string[] {
  const [one, other] = [before.node, now.node];
  const changed: string[] = [];
  if (one.name !== other.name) changed.push("name");
  if (one.className !== other.className) changed.push("className");
  if (before.parent !== now.parent) changed.push("parent");
  const maps = [
    ["property", one.properties, other.properties],
    ["attribute", one.attributes, other.attributes],
    ["reference", before.references, now.references],
  ] as const;
  for (const [aspect, left, right] of maps)
    for (const name of new Set([...left.keys(), ...right.keys()]))
      if (!Bun.deepEquals(left.get(name), right.get(name))) changed.push(...keysOf(aspect, name, one, other));
  return changed;
}

function keysOf(aspect: string, name: string, one: RojoNode, other: RojoNode): string[] {
  if (aspect === "property" && name === "Source") return ["source"];
  if (aspect !== "property" || name !== "Tags") return [`${aspect} ${name}`];
  const [left, right] = [tagsOf(one), tagsOf(other)];
  return [...left.symmetricDifference(right)].map((tag) => `tag ${tag}`);
}

function tagsOf({ properties }: RojoNode): Set<string> {
  const tags = properties.get("Tags")?.value;
  return new Set(typeof tags === "string" && tags !== "" ? textOfByteString(tags).split("\0") : []);
}
