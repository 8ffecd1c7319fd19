/**
 * Ends an undo with a revision of its own. What the undone sync had changed is left open, because the sides differ again: the
 * next sync would otherwise do at once what a person has just taken back.
 */
import { type LeftOpen, newNode, type RojoNode } from "../roblox/rojo/node.ts";
import { textOfByteString } from "../util/bytes.ts";
import { withLineAsync } from "./revision-lock.ts";
import { ownCopy, treeOf } from "./revisions/held-items.ts";
import { changesBetween, type Position, type RevisionLine } from "./revisions/line.ts";
import { keepPlaceAsync } from "./revisions/places.ts";
import { EXISTENCE, type HeldItem, NO_REVISION, NOTHING_DONE, type Step } from "./revisions/revision.ts";
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
    const doneOf = () => NOTHING_DONE;
    const undo = { root, doneOf, base: revision, isUndo: true, isConfirmed: true } as const;
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

function itemsWithout(line: RevisionLine, position: Position, step: Step): ReadonlyMap<number, HeldItem> {
  const items = new Map(line.itemsAt(position));
  const was = changedBy(line, position, step);
  const { pushed, pulled } = step;
  // One side may have got what the base has: an older place what the files had, and the files what a place still has.
  for (const item of new Set([...was.keys(), ...pushed.keys(), ...pulled.keys()])) {
    const now = items.get(item);
    const before = was.has(item) ? was.get(item) : now;
    const own = pushed.get(item) ?? [];
    const changed = new Set([...changedAspects(before, now), ...own, ...(pulled.get(item) ?? [])]);
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
