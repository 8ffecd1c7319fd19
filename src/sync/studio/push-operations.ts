/**
 * What the plugin does for the pushes of a plan: the operations in the order in which they are safe. Each expects the state
 * that the plan was made from, so that a change in between is refused and not overwritten.
 */
import { MODEL_CLASSES } from "../../tree/change/model-classes.ts";
import type { PatchOperation } from "../../protocol/fields/patches.ts";
import { builtFile } from "../../roblox/rojo/build.ts";
import { FRAME, isFrameHalf } from "../../roblox/part-frames.ts";
import type { RojoNode } from "../../roblox/rojo/node.ts";
import { propertyToWire } from "../../roblox/wire-values.ts";
import { isScript } from "../plan/normalize.ts";
import type { AspectChange, Plan, PlanItem } from "../types.ts";
import {
  attributeWire,
  hashOf,
  instanceIn,
  isSet,
  NIL,
  propertyWire,
  Refused,
  scriptName,
  textIn,
  valueIn,
  valuesOf,
  wireReference,
} from "./push-values.ts";
import type { StudioState, Values } from "./push-values.ts";

/** Says how a request names the Instance of a node of the files; throws Refused where there is none. */
export type Refer = (node: RojoNode) => string;

export interface PushStep {
  readonly item: PlanItem;
  /** The node whose Instance the operation makes, if it makes one. */
  readonly makes?: RojoNode;
  /** Throws Refused. */
  operation(refer: Refer): PatchOperation;
}

/** Additions first and removals last, so that nothing that stays is ever below something that is gone. */
export function pushSteps(items: readonly PlanItem[], plan: Plan, state: StudioState): PushStep[] {
  const parents = parentsOf(items, plan);
  const phase = (make: (item: PlanItem) => readonly PushStep[]) => items.flatMap(make);
  const steps = [
    ...phase((item) => additions(item, parents, state)),
    ...phase(replacements),
    ...phase((item) => edits(item, state)),
    ...phase(moves),
    ...phase((item) => references(item, state)),
    ...phase((item) => removals(item, state)),
  ];
  const begun = new Set<PlanItem>();
  return steps.map((step) => {
    if (begun.has(step.item) || step.item.change === "add") return step;
    begun.add(step.item);
    return expectingAll(step, state);
  });
}

/** The first operation of an item expects the state of all that the item changes, so that none of it is done by half. */
function expectingAll(step: PushStep, state: StudioState): PushStep {
  const { aspects, studio } = step.item;
  const has = (kind: AspectChange["aspect"]) => aspects.some(({ aspect }) => aspect === kind);
  const parent = instanceIn(aspects.find(({ aspect }) => aspect === "parent")?.studio)?.studioId;
  const hash = studio === undefined ? undefined : hashOf(studio);
  const expectation = {
    properties: { ...heldProperties(step.item, state), ...heldReferences(step.item, state) },
    attributes: heldAttributes(step.item, state),
    ...(has("name") && studio !== undefined ? { name: studio.name } : {}),
    ...(has("source") && hash !== undefined ? { hash } : {}),
    ...(parent === undefined ? {} : { parent: `@${parent}` }),
  };
  return {
    ...step,
    operation: (refer) => {
      const operation = step.operation(refer);
      return { ...operation, expect: { ...operation.expect, ...expectation } };
    },
  };
}

/**
 * A file cannot hold each number exactly, so Studio's own form is expected where it says the same. For a half of a CFrame,
 * that is the CFrame which it was read from.
 */
function heldProperties(item: PlanItem, state: StudioState): Values {
  const exact = state.exact.get(item.studio?.studioId ?? 0) ?? {};
  const aspects = ofOldClass(item, state).map((change) => wholeFrameOf(change, item, state));
  return valuesOf({ aspects }, "property", ({ name = "", studio }) => {
    const held = studio === undefined ? NIL : propertyWire(state, item.className, name, studio);
    return studio !== undefined && Object.hasOwn(exact, name) ? (exact[name] ?? held) : held;
  });
}

function wholeFrameOf(change: AspectChange, { studio }: PlanItem, { schema }: StudioState): AspectChange {
  const { aspect, name = "" } = change;
  const frame = studio?.properties.get(FRAME);
  const isHalf = aspect === "property" && isFrameHalf(schema, studio?.className ?? "", name);
  return isHalf && frame !== undefined
    ? { ...change, name: FRAME, studio: { type: "value", value: frame } }
    : change;
}

/** Without what the files give to another class and Studio's class does not have, so that it holds nothing to expect. */
function ofOldClass({ studio, aspects }: PlanItem, { schema }: StudioState): readonly AspectChange[] {
  const className = studio?.className ?? "";
  if (!schema.isClass(className)) return aspects;
  return aspects.filter(
    ({ name = "", studio: held }) => held !== undefined || schema.property(className, name) !== undefined,
  );
}

const heldAttributes = (item: PlanItem, state: StudioState): Values =>
  valuesOf(item, "attribute", ({ studio }) => attributeWire(state, studio));

function heldReferences(item: PlanItem, state: StudioState): Values {
  const held: Values = {};
  for (const { aspect, name = "", studio } of ofOldClass(item, state))
    if (aspect === "reference") held[scriptName(state.schema, item.className, name)] = wireReference(studio);
  return held;
}

/** A parent is added before its children, because the items of a plan stand in the order of the tree. */
function additions(item: PlanItem, parents: ReadonlyMap<RojoNode, RojoNode>, state: StudioState): PushStep[] {
  const { file: node, change } = item;
  if (change !== "add" || node === undefined) return [];
  const operation = (refer: Refer): PatchOperation => {
    const parent = parents.get(node);
    if (parent === undefined) throw new Refused("its parent is not in the place");
    const made = { op: "create", className: node.className, name: node.name, parent: refer(parent) } as const;
    if (needsModel(item, state)) return { ...made, model: modelOf(node, state) };
    return {
      ...made,
      properties: addedProperties(item, state),
      attributes: valuesOf(item, "attribute", ({ file }) => attributeWire(state, file)),
      tags: item.aspects.flatMap(({ aspect, name }) =>
        aspect === "tag" && name !== undefined ? [name] : [],
      ),
    };
  };
  const source = item.aspects.find(({ aspect }) => aspect === "source");
  const long = source !== undefined && textIn(source.file).length > MAX_ASSIGNED_SOURCE ? [source] : [];
  return [
    { item, makes: node, operation },
    ...long.map(({ file }) => sourceStep(item, textIn(file), undefined)),
  ];
}

/** Whether an Instance can only be made of a model's bytes, because scripts cannot write all that it has. */
function needsModel({ aspects, className }: PlanItem, { schema, canMakeModels }: StudioState): boolean {
  if (!canMakeModels) return false;
  return (
    MODEL_CLASSES.has(className) ||
    aspects.some(({ aspect, name = "", file }) => {
      const value = aspect === "property" && file !== undefined ? valueIn(file) : undefined;
      return value !== undefined && propertyToWire(schema, className, name, value) === undefined;
    })
  );
}

/** The Instance alone: its children are Instances of their own, and what it refers to may not be there yet. */
function modelOf(node: RojoNode, { schema }: StudioState): string {
  const alone = { ...node, children: [], references: new Map() };
  try {
    return Buffer.from(builtFile(alone, schema, "rbxm").content).toString("base64");
  } catch (error) {
    throw new Refused(error instanceof Error ? error.message : String(error));
  }
}

/**
 * UNVERIFIED(long-sources): the script editor accepts a source of 200,000 characters. Users report that Studio refuses such a
 * source as an assignment.
 */
const MAX_ASSIGNED_SOURCE = 190_000;

function addedProperties(item: PlanItem, state: StudioState): Values {
  const values = valuesOf(item, "property", ({ name = "", file }) =>
    propertyWire(state, item.className, name, file),
  );
  const source = textIn(item.aspects.find(({ aspect }) => aspect === "source")?.file);
  if (source !== "" && source.length <= MAX_ASSIGNED_SOURCE) values["Source"] = source;
  return values;
}

function replacements(item: PlanItem): PushStep[] {
  const change = item.aspects.find(({ aspect }) => aspect === "className");
  const { file: node, studio } = item;
  if (item.change === "add" || change === undefined || node === undefined || studio === undefined) return [];
  const operation = (refer: Refer): PatchOperation => ({
    op: "replace",
    path: refer(node),
    className: textIn(change.file),
    expect: { className: studio.className },
  });
  return [{ item, makes: node, operation }];
}

function edits(item: PlanItem, state: StudioState): PushStep[] {
  const { file: node, studio } = item;
  if (item.change === "add" || node === undefined || studio === undefined) return [];
  const aspects = ofNewClass(item, state);
  const steps: PushStep[] = [];
  if (aspects.some(({ aspect }) => aspect === "property" || aspect === "attribute"))
    steps.push({ item, operation: (refer) => setOperation(item, node, state, refer) });
  const tags = aspects.filter(({ aspect }) => aspect === "tag");
  if (tags.length > 0) steps.push({ item, operation: (refer) => tagOperation(tags, refer(node)) });
  const source = aspects.find(({ aspect }) => aspect === "source");
  if (source !== undefined) {
    const text = item.verdict === "merge" ? (item.merged ?? textIn(source.file)) : textIn(source.file);
    steps.push(sourceStep(item, text, hashOf(studio)));
  }
  return steps;
}

/** Without what the files take out and another class does not have: the Instance of that class begins without it. */
function ofNewClass({ file, aspects }: PlanItem, { schema }: StudioState): readonly AspectChange[] {
  const className = file?.className ?? "";
  if (!schema.isClass(className)) return aspects;
  return aspects.filter(({ aspect, name = "", file: stated }) => {
    if (stated !== undefined) return true;
    if (aspect === "source") return isScript(className);
    return aspect !== "property" || schema.property(className, name) !== undefined;
  });
}

function setOperation(item: PlanItem, node: RojoNode, state: StudioState, refer: Refer): PatchOperation {
  const { className } = node;
  return {
    op: "set",
    path: refer(node),
    properties: valuesOf({ aspects: ofNewClass(item, state) }, "property", ({ name = "", file }) =>
      propertyWire(state, className, name, file),
    ),
    attributes: valuesOf(item, "attribute", ({ file }) => attributeWire(state, file)),
    expect: {
      // What another class has taken over was read from the Instance that it replaced.
      ...(item.studio?.className === className ? { properties: heldProperties(item, state) } : {}),
      attributes: heldAttributes(item, state),
    },
  };
}

function tagOperation(tags: readonly AspectChange[], path: string): PatchOperation {
  const named = (isWanted: boolean) =>
    tags.flatMap(({ name, file }) => (name !== undefined && isSet(file) === isWanted ? [name] : []));
  return { op: "tag", path, add: named(true), remove: named(false) };
}

function sourceStep(item: PlanItem, source: string, hash: string | undefined): PushStep {
  return {
    item,
    operation: (refer) => ({
      op: "source",
      path: refer(nodeOf(item)),
      source,
      ...(hash === undefined ? {} : { expect: { hash } }),
    }),
  };
}

/** Of the name and the parent. */
function moves(item: PlanItem): PushStep[] {
  const { file: node, studio, aspects, change } = item;
  if (change === "add" || node === undefined || studio === undefined) return [];
  return aspects.flatMap((aspect): PushStep[] => {
    if (aspect.aspect === "name") {
      const { name } = studio;
      const operation = (refer: Refer): PatchOperation => ({
        op: "rename",
        path: refer(node),
        name: textIn(aspect.file),
        expect: { name },
      });
      return [{ item, operation }];
    }
    return aspect.aspect === "parent" ? [moveStep(item, node, aspect)] : [];
  });
}

function moveStep(item: PlanItem, node: RojoNode, { file, studio }: AspectChange): PushStep {
  const operation = (refer: Refer): PatchOperation => {
    const parent = instanceIn(file);
    if (parent === null) throw new Refused("its parent is not in the place");
    const before = instanceIn(studio)?.studioId;
    return {
      op: "move",
      path: refer(node),
      parent: refer(parent),
      ...(before === undefined ? {} : { expect: { parent: `@${before}` } }),
    };
  };
  return { item, operation };
}

/** After all that they can lead to is there. */
function references(item: PlanItem, state: StudioState): PushStep[] {
  const changes = item.aspects.filter(({ aspect }) => aspect === "reference");
  const { file: node, studio } = item;
  if (changes.length === 0 || node === undefined) return [];
  const operation = (refer: Refer): PatchOperation => {
    const properties: Values = {};
    for (const { name = "", file: after } of changes) {
      const target = instanceIn(after);
      properties[scriptName(state.schema, node.className, name)] =
        target === null ? NIL : { type: "Instance", className: "", id: refer(target) };
    }
    const isSameClass = studio?.className === node.className;
    return {
      op: "set",
      path: refer(node),
      properties,
      ...(isSameClass ? { expect: { properties: heldReferences(item, state) } } : {}),
    };
  };
  return [{ item, operation }];
}

/** What has changed below an Instance since it was read is not removed with it. */
function removals(item: PlanItem, { mark }: StudioState): PushStep[] {
  const { studio, change } = item;
  if (change !== "remove" || studio?.studioId === undefined) return [];
  const operation = (): PatchOperation => ({
    op: "delete",
    path: `@${studio.studioId}`,
    expect: {
      name: studio.name,
      className: studio.className,
      ...(mark === undefined ? {} : { unchangedSince: mark }),
    },
  });
  return [{ item, operation }];
}

/** For each node of the files, its parent there. */
function parentsOf(items: readonly PlanItem[], { pairs }: Plan): ReadonlyMap<RojoNode, RojoNode> {
  const parents = new Map<RojoNode, RojoNode>();
  const take = (node: RojoNode): void => {
    for (const child of node.children) parents.set(child, node);
  };
  for (const node of pairs.keys()) take(node);
  for (const { file } of items) if (file !== undefined) take(file);
  return parents;
}

function nodeOf({ file, path }: PlanItem): RojoNode {
  if (file === undefined) throw new Refused(`${path} is not in the files`);
  return file;
}
