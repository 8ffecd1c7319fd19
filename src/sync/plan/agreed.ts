/**
 * The base for the next sync: what both sides hold once some items of a plan have been applied. Where they still differ,
 * what they held before stays, so that the difference is not taken for an agreement.
 */
import type { FileValue } from "../../roblox/model.ts";
import { LEFT_OPEN, type LeftOpen, newNode, type RojoNode } from "../../roblox/rojo/node.ts";
import { utf8ByteString } from "../../util/bytes.ts";
import type { AspectChange, AspectValue, Direction, PlanItem, Verdict } from "../types.ts";
import {
  aspectKey,
  aspectsOfAdded,
  choiceFor,
  type Difference,
  isPair,
  type PairEntry,
  plainValue,
  textValue,
} from "./aspects.ts";
import { differencesOf } from "./differences.ts";
import { parentOn, type Side, subtreeOn } from "./edited.ts";
import type { Entry } from "./entries.ts";
import { ownCopy } from "../revisions/held-items.ts";
import { EXISTENCE } from "../revisions/revision.ts";
import { isEqualAtOnce } from "./make-items.ts";
import { isSameAtOnce } from "./at-once.ts";
import type { NodeView } from "./normalize.ts";
import type { SyncPlan } from "./plan-state.ts";

/** `applied`: the items that were applied and read back. The tree belongs to the caller. */
export function agreedTree(plan: SyncPlan, applied: ReadonlySet<PlanItem>): RojoNode {
  return agreementOf(plan, applied).root;
}

export interface Agreed {
  readonly root: RojoNode;
  /** What pushes have changed in Studio. */
  readonly pushed: NodeAspects;
  /** What pulls have changed in the files. */
  readonly pulled: NodeAspects;
}

/** By the nodes of the tree, and by the numbers of items that are gone. */
export type NodeAspects = ReadonlyMap<RojoNode | number, readonly string[]>;

/** Whether it was open for a reason that later syncs could not find out again. */
export const isLeftOpen = ({ openedAs }: PlanItem): boolean => LEFT_OPEN.some((each) => each === openedAs);

/**
 * The tree, and what the pushes and pulls among `applied` have changed. What was open before a person chose to push it stays
 * so while the push is `unsure`.
 */
export function agreementOf(
  plan: SyncPlan,
  applied: ReadonlySet<PlanItem>,
  unsure: readonly PlanItem[] = [],
): Agreed {
  const agreement = new Agreement(plan, applied);
  const root = agreement.tree();
  for (const item of unsure) agreement.markUnsure(item);
  return { root, pushed: agreement.brought("push"), pulled: agreement.brought("pull") };
}

/** What a node of the base holds, by `aspectKey`. Name, class and parent are apart from it. */
type Held = Map<string, AspectValue>;

const TRUE: FileValue = { type: "Bool", value: true };
const EDGE_ASPECTS = new Set<AspectChange["aspect"]>(["name", "className", "parent"]);

class Agreement {
  readonly #plan: SyncPlan;
  readonly #made = new Map<Entry, RojoNode>();
  readonly #parents = new Map<Entry, Entry | undefined>();
  /** References are linked once all nodes exist. */
  readonly #targets = new Map<RojoNode, Map<string, RojoNode>>();
  readonly #verdicts = new Map<Entry, Map<string, PlanItem>>();
  readonly #added = new Set<Entry>();
  readonly #gone = new Set<Entry>();
  readonly #open = new Map<Entry, Map<string, LeftOpen>>();
  /** What has added or removed an Instance. */
  readonly #placed = new Map<Entry, PlanItem>();

  constructor(plan: SyncPlan, applied: ReadonlySet<PlanItem>) {
    this.#plan = plan;
    for (const item of applied) this.#note(item);
    for (const item of plan.items) if (!applied.has(item)) this.#noteOpen(item);
  }

  tree(): RojoNode {
    const { all, root, of } = this.#plan.state.entries;
    for (const entry of all) if (!this.#gone.has(entry)) this.#make(entry);
    for (const [entry, node] of this.#made) this.#parentNode(entry)?.children.push(node);
    for (const [node, targets] of this.#targets)
      for (const [name, target] of targets) {
        const entry = of(target);
        const made = entry === undefined ? undefined : this.#made.get(entry);
        const isOnBothSides = entry !== undefined && (isPair(entry) || this.#added.has(entry));
        if (made !== undefined && (isOnBothSides || entry?.base === target)) node.references.set(name, made);
        // What it referred to is gone, so that the base can no longer tell which side has changed it.
        else (node.unsettled ??= new Set()).add(`reference ${name}`);
      }
    return this.#made.get(root) ?? newNode("", "DataModel");
  }

  /** To the side that `direction` leads to. A merge goes to both. After `tree`. */
  brought(direction: Direction): NodeAspects {
    const opposite = direction === "push" ? "pull" : "push";
    const brought = new Map<RojoNode | number, readonly string[]>();
    const { lineage } = this.#plan.state;
    const add = (entry: Entry, aspect: string): void => {
      const key = this.#made.get(entry) ?? lineage?.itemsOf(entry)[0];
      if (key !== undefined) brought.set(key, [...(brought.get(key) ?? []), aspect]);
    };
    for (const [entry, verdicts] of this.#verdicts)
      for (const [aspect, { verdict }] of verdicts)
        if (isPair(entry) && verdict !== opposite) add(entry, aspect);
    for (const [entry, { verdict }] of this.#placed) if (verdict === direction) add(entry, EXISTENCE);
    return brought;
  }

  #note(item: PlanItem): void {
    const { entryOf, entries } = this.#plan.state;
    const entry = entryOf.get(item);
    if (entry === undefined) return;
    if (item.change === "add") {
      this.#added.add(entry);
      this.#placed.set(entry, item);
    } else if (item.change === "remove")
      for (const below of subtreeOn(entry, onlySide(entry), entries)) {
        if (isPair(below)) continue;
        this.#gone.add(below);
        this.#placed.set(below, item);
      }
    let verdicts = this.#verdicts.get(entry);
    if (verdicts === undefined) this.#verdicts.set(entry, (verdicts = new Map()));
    for (const aspect of item.aspects) verdicts.set(aspectKey(aspect), item);
  }

  /** After `tree`. */
  markUnsure(item: PlanItem): void {
    const entry = this.#noteOpen(item);
    const node = entry && this.#made.get(entry);
    if (entry === undefined || node === undefined) return;
    for (const aspect of this.#open.get(entry)?.keys() ?? []) this.#markOpen(node, entry, aspect);
  }

  /** What later syncs could not find out again. */
  #noteOpen(item: PlanItem): Entry | undefined {
    const { openedAs, change, aspects } = item;
    const reason = LEFT_OPEN.find((each) => each === openedAs);
    const entry = this.#plan.state.entryOf.get(item);
    if (reason === undefined || entry === undefined) return undefined;
    const keys = isPair(entry) ? aspects.map(aspectKey) : change === "edit" ? [] : [EXISTENCE];
    const open = this.#open.get(entry) ?? new Map<string, LeftOpen>();
    this.#open.set(entry, open);
    for (const key of keys) open.set(key, reason);
    return entry;
  }

  #make(entry: Entry): void {
    if (isPair(entry)) return this.#makePair(entry);
    if (this.#added.has(entry)) return this.#makeAdded(entry, onlySide(entry));
    if (entry.base === undefined) {
      if (this.#open.has(entry)) this.#makeOpen(entry);
      return;
    }
    if ((entry.file ?? entry.studio) === undefined) return;
    // One side alone lost it, and that is not settled yet.
    const node = ownCopy(entry.base);
    if (entry.base.studioId !== undefined) node.studioId = entry.base.studioId;
    this.#markOpen(node, entry, EXISTENCE);
    this.#keep(entry, node, entry.baseParent, entry.base.references);
  }

  /** An Instance that one side alone has and that waits for an answer. It stands for its mark; both sides agree on nothing. */
  #makeOpen(entry: Entry): void {
    const side = onlySide(entry);
    this.#makeAdded(entry, side);
    const node = this.#made.get(entry);
    const from = entry[side];
    if (node === undefined || from === undefined) return;
    node.unsettled = new Set(aspectsOfAdded(from, side, this.#plan.state.options).map(aspectKey));
    this.#markOpen(node, entry, EXISTENCE);
  }

  #keep(
    entry: Entry,
    node: RojoNode,
    parent: Entry | undefined,
    references: ReadonlyMap<string, RojoNode>,
  ): void {
    this.#made.set(entry, node);
    this.#parents.set(entry, parent);
    if (references.size > 0) this.#targets.set(node, new Map(references));
  }

  #makeAdded(entry: Entry, side: Side): void {
    const from = entry[side];
    if (from === undefined) return;
    const node = newNode(from.name, from.className);
    copyIdentity(node, entry);
    const { normalizer } = this.#plan.state.options;
    const references = this.#fill(node, heldBy(normalizer.view(from)));
    // Both sides hold the same now. Without this, later changes in Studio alone would not be seen.
    node.studioOnly = new Map();
    this.#keep(entry, node, parentOn(entry, side), references);
  }

  #makePair(entry: PairEntry): void {
    const { options } = this.#plan.state;
    const { file, studio } = entry;
    if (isEqualAtOnce(entry, options, "by name")) {
      const same = copyOf(file);
      copyIdentity(same, entry);
      same.studioOnly = isSameAtOnce(file, studio, true)
        ? new Map()
        : this.#studioOnly(entry, heldBy(options.normalizer.view(file)), []);
      return this.#keep(entry, same, entry.fileParent, file.references);
    }
    const node = newNode(file.name, file.className);
    copyIdentity(node, entry);
    const held = heldBy(options.normalizer.view(file));
    const differences = isEqualAtOnce(entry, options) ? [] : differencesOf(entry, options);
    for (const difference of differences) this.#settle(node, held, entry, difference);
    const references = this.#fill(node, held);
    const parent = differences.find(({ aspect }) => aspect === "parent");
    this.#keep(
      entry,
      node,
      parent === undefined ? entry.fileParent : this.#parentIn(node, entry),
      references,
    );
    node.studioOnly = this.#studioOnly(entry, held, differences);
  }

  /** One aspect in which the sides differed before the items were applied. */
  #settle(node: RojoNode, held: Held, entry: PairEntry, difference: Difference): void {
    const key = aspectKey(difference);
    const item = this.#verdicts.get(entry)?.get(key);
    const isUnknown = item === undefined && (entry.base === undefined || difference.cause === "unknown");
    if (isUnknown) (node.unsettled ??= new Set()).add(key);
    if (item === undefined && !isUnknown) this.#markOpen(node, entry, key);
    const value = isUnknown ? undefined : agreedValue(difference, item);
    if (difference.aspect === "name" || difference.aspect === "className") {
      if (value?.type === "text") node[difference.aspect] = value.value;
    } else if (!EDGE_ASPECTS.has(difference.aspect)) {
      if (value === undefined) held.delete(key);
      else held.set(key, value);
    }
  }

  #markOpen(node: RojoNode, entry: Entry, aspect: string): void {
    const reason = this.#open.get(entry)?.get(aspect);
    if (reason === undefined) node.leftOpen?.delete(aspect);
    else (node.leftOpen ??= new Map()).set(aspect, reason);
  }

  #parentIn(node: RojoNode, entry: PairEntry): Entry | undefined {
    const item = this.#verdicts.get(entry)?.get("parent");
    if (item?.verdict === "pull") return entry.studioParent;
    if (item?.verdict === "push" || node.unsettled?.has("parent") === true) return entry.fileParent;
    return entry.baseParent;
  }

  /** Puts what a node holds into its maps; the references are returned. */
  #fill(node: RojoNode, held: Held): Map<string, RojoNode> {
    const references = new Map<string, RojoNode>();
    const tags: string[] = [];
    for (const [key, value] of held) {
      const [aspect = "", name] = splitKey(key);
      if (aspect === "tag") tags.push(name);
      else if (value.type === "text") node.properties.set("Source", textFile(value.value));
      else if (value.type === "instance" && value.value !== null) references.set(name, value.value);
      else if (value.type === "value")
        (aspect === "attribute" ? node.attributes : node.properties).set(name, value.value);
    }
    if (tags.length > 0) node.properties.set("Tags", textFile(tags.join("\0")));
    return references;
  }

  /**
   * What Studio alone holds. A difference that waits for a decision keeps what Studio held before, and so does what no file
   * takes over, so that a later sync can still find it.
   */
  #studioOnly(entry: PairEntry, held: Held, differences: readonly Difference[]): Map<string, FileValue> {
    const { normalizer, properties } = this.#plan.state.options;
    const known = entry.base?.studioOnly;
    if (known !== undefined && choiceFor(entry, properties) === "listed")
      return new Map([...known].filter(([key]) => !held.has(key)));
    const only = new Map<string, FileValue>();
    const { className } = entry.studio;
    const isStated = (aspect: string) => [...held.keys()].some((key) => key.startsWith(`${aspect} `));
    const [hasAttributes, hasTags] = [isStated("attribute"), isStated("tag")];
    for (const [key, value] of heldBy(normalizer.view(entry.studio))) {
      const [aspect = "", name] = splitKey(key);
      const counts =
        aspect === "property"
          ? normalizer.property(className, name)?.isPartlyKnown !== true
          : aspect === "attribute"
            ? !hasAttributes
            : aspect === "tag"
              ? !hasTags
              : aspect === "reference";
      if (!counts || held.has(key)) continue;
      if (
        value.type === "value" &&
        aspect === "property" &&
        normalizer.isDefault(className, name, value.value)
      )
        continue;
      only.set(key, value.type === "value" ? value.value : TRUE);
    }
    for (const difference of differences) {
      const key = aspectKey(difference);
      const earlier = entry.base?.studioOnly?.get(key);
      if (this.#verdicts.get(entry)?.has(key) === true || !only.has(key)) continue;
      if (earlier === undefined) only.delete(key);
      else only.set(key, earlier);
    }
    return only;
  }

  #parentNode(entry: Entry): RojoNode | undefined {
    if (entry === this.#plan.state.entries.root) return undefined;
    const parent = this.#parents.get(entry);
    const found = parent === undefined ? undefined : this.#made.get(parent);
    return found ?? this.#made.get(this.#plan.state.entries.root);
  }
}

const onlySide = ({ file }: Entry): Side => (file === undefined ? "studio" : "file");

/** Without an item, what both held before. */
function agreedValue(difference: Difference, item: PlanItem | undefined): AspectValue | undefined {
  if (item === undefined) return difference.base;
  const values: { readonly [V in Verdict]?: AspectValue | undefined } = {
    push: difference.file,
    pull: difference.studio,
    merge: item.merged === undefined ? undefined : textValue(item.merged),
  };
  return values[item.verdict];
}

function splitKey(key: string): [aspect: string, name: string] {
  const blank = key.indexOf(" ");
  return blank < 0 ? [key, ""] : [key.slice(0, blank), key.slice(blank + 1)];
}

const textFile = (value: string): FileValue => ({ type: "String", value: utf8ByteString(value) });

function heldBy({ source, properties, attributes, tags, references }: NodeView): Held {
  const held: Held = new Map();
  if (source !== undefined) held.set("source", textValue(source));
  for (const { name, value } of properties.values()) held.set(`property ${name}`, plainValue(value));
  for (const [name, value] of attributes) held.set(`attribute ${name}`, plainValue(value));
  for (const tag of tags ?? []) held.set(`tag ${tag}`, { type: "flag", value: true });
  for (const [name, value] of references) held.set(`reference ${name}`, { type: "instance", value });
  return held;
}

/** What the Instance is known by: its number in revisions, Studio's number, the files' id, and a place file's UniqueId. */
function copyIdentity(node: RojoNode, { file, studio, base }: Entry): void {
  if (base?.item !== undefined) node.item = base.item;
  if (studio?.studioId !== undefined) node.studioId = studio.studioId;
  if (file?.id !== undefined) node.id = file.id;
  const uniqueId = studio?.properties.get("UniqueId");
  if (uniqueId !== undefined) node.properties.set("UniqueId", uniqueId);
}

/** Without references and children, which lead to other nodes. */
const copyOf = ({ name, className, properties, attributes }: RojoNode): RojoNode => ({
  name,
  className,
  properties: new Map(properties),
  attributes: new Map(attributes),
  references: new Map(),
  children: [],
});
