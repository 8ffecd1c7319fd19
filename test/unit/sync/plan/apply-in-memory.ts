/** Applies a plan to the two trees that it was made from, as files and Studio would be changed. */
import { newNode, type RojoNode } from "../../../../src/roblox/rojo/node.ts";
import type { Entry } from "../../../../src/sync/plan/entries.ts";
import type { SyncPlan } from "../../../../src/sync/plan/plan.ts";
import type { AspectChange, AspectValue, PlanItem } from "../../../../src/sync/types.ts";
import { allBelow } from "./random-trees.ts";
import { schema, text } from "./trees.ts";

type Side = "file" | "studio";
const APPLIED = new Set(["push", "pull", "merge"]);

/** The items that were applied. Throws where an item cannot be applied as it says. */
export function applyInMemory(plan: SyncPlan): Set<PlanItem> {
  const items = plan.items.filter(({ verdict }) => APPLIED.has(verdict));
  const made = new Map<Entry, RojoNode>();
  const entryOf = (item: PlanItem): Entry => {
    const entry = plan.state.entryOf.get(item);
    if (entry === undefined) throw new Error(`${item.path} is no item of the plan`);
    return entry;
  };
  const nodeOn = (entry: Entry | undefined, side: Side): RojoNode => {
    const node = entry && (entry[side] ?? made.get(entry));
    if (node === undefined) throw new Error(`the ${side} side lacks an Instance that an item needs`);
    return node;
  };
  const targets = items.flatMap((item) =>
    sidesOf(item).map((side) => ({ item, entry: entryOf(item), side })),
  );
  for (const { item, entry } of targets) {
    if (item.change !== "add") continue;
    const from = item.file ?? item.studio;
    if (from !== undefined) made.set(entry, newNode(from.name, from.className));
  }
  for (const { item, entry, side } of targets) {
    if (item.change === "remove") continue;
    if (item.change === "add") {
      const parent = side === "studio" ? entry.fileParent : entry.studioParent;
      nodeOn(parent, side).children.push(nodeOn(entry, side));
    }
    for (const aspect of item.aspects) setAspect(item, aspect, entry, side);
  }
  for (const { item, entry, side } of targets) if (item.change === "remove") detach(entry, side);
  return new Set(items);

  function setAspect(item: PlanItem, aspect: AspectChange, entry: Entry, side: Side): void {
    const node = nodeOn(entry, side);
    const value = valueFor(item, aspect, side);
    const { name = "" } = aspect;
    switch (aspect.aspect) {
      case "name":
      case "className":
        if (value?.type === "text") node[aspect.aspect] = value.value;
        if (aspect.aspect === "className") dropForeignProperties(node, aspect);
        return;
      case "source":
        if (value?.type === "text") node.properties.set("Source", text(value.value));
        else node.properties.delete("Source");
        return;
      case "parent":
        return move(entry, side);
      case "tag":
        return setTag(node, name, value !== undefined);
      case "reference": {
        const target =
          value?.type === "instance" && value.value !== null ? plan.state.entries.of(value.value) : undefined;
        if (target === undefined) node.references.delete(name);
        else node.references.set(name, nodeOn(target, side));
        return;
      }
      case "property":
      case "attribute": {
        const map = aspect.aspect === "property" ? node.properties : node.attributes;
        if (value?.type === "value") map.set(name, value.value);
        else map.delete(name);
      }
    }
  }

  function move(entry: Entry, side: Side): void {
    const node = nodeOn(entry, side);
    const parent = side === "studio" ? entry.fileParent : entry.studioParent;
    removeChild(side === "studio" ? entry.studioParent : entry.fileParent, node, side);
    nodeOn(parent, side).children.push(node);
  }

  /** What refers to a removed Instance then refers to none. */
  function detach(entry: Entry, side: Side): void {
    removeChild(side === "studio" ? entry.studioParent : entry.fileParent, nodeOn(entry, side), side);
    const gone = new Set(allBelow(nodeOn(entry, side)));
    for (const { references } of allBelow(nodeOn(plan.state.entries.root, side)))
      for (const [name, target] of references) if (gone.has(target)) references.delete(name);
  }

  function removeChild(parent: Entry | undefined, node: RojoNode, side: Side): void {
    const { children } = nodeOn(parent, side);
    const at = children.indexOf(node);
    if (at < 0) throw new Error(`${node.name} is not where it was`);
    children.splice(at, 1);
  }
}

/** A new Instance of another class takes over what both classes have. */
function dropForeignProperties(node: RojoNode, { file, studio }: AspectChange): void {
  for (const name of node.properties.keys()) {
    const [one, other] = [file, studio].map((value) =>
      value?.type === "text" ? schema.property(value.value, name)?.type : undefined,
    );
    if (name !== "UniqueId" && one !== other) node.properties.delete(name);
  }
}

/** A merge changes both sides. */
const sidesOf = ({ verdict }: PlanItem): Side[] =>
  verdict === "merge" ? ["studio", "file"] : [verdict === "push" ? "studio" : "file"];

function valueFor(item: PlanItem, { file, studio }: AspectChange, side: Side): AspectValue | undefined {
  if (item.verdict === "merge") return { type: "text", value: item.merged ?? "" };
  return side === "studio" ? file : studio;
}

function setTag(node: RojoNode, tag: string, isSet: boolean): void {
  const held = node.properties.get("Tags")?.value;
  const tags = new Set(typeof held === "string" ? held.split("\0").filter((each) => each !== "") : []);
  if (isSet) tags.add(tag);
  else tags.delete(tag);
  node.properties.set("Tags", text([...tags].join("\0")));
}
