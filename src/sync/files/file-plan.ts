/**
 * From the pulls of a plan to the steps on files that carry them out. The result is read with the project's own reader before
 * anything is written; an item whose Instance would not be read back as it is in Studio is refused.
 */
import { realDisk, type ProjectDisk } from "../../roblox/rojo/disk.ts";
import { formOf } from "../../roblox/rojo/names.ts";
import type { RojoNode } from "../../roblox/rojo/node.ts";
import { newerProperties } from "../../roblox/file-model.ts";
import { FileFault, readRojoTreeAsync } from "../../roblox/rojo/project.ts";
import type { FileSchema } from "../../roblox/schema.ts";
import { Normalizer } from "../plan/normalize.ts";
import type { Plan, PlanItem } from "../types.ts";
import { differencesBetween, type TreeDifference } from "./compare-trees.ts";
import { ExpectedTree } from "./expected-tree.ts";
import { layoutOf } from "./layout.ts";
import { holdsScript } from "./layout-draft.ts";
import type { FileOperation } from "./operations.ts";
import { PlannedDisk } from "./planned-disk.ts";
import type { ReadProject } from "./read-project.ts";
import { writeReferences } from "./references.ts";
import { runContextOf } from "./statements.ts";
import { orderStepsAsync } from "./step-order.ts";
import { untouchedModels, withBareModels } from "./untouched-models.ts";

export interface FilePlanInput {
  readonly project: ReadProject;
  /** Studio's tree, from its top. */
  readonly studio: RojoNode;
  readonly pairs: Plan["pairs"];
  /** The items of which files take over Studio's state, with the verdict `pull` or `merge`. */
  readonly items: readonly PlanItem[];
  readonly schema: FileSchema;
  /** Whether files outside of the project may be written. */
  readonly allowsOutside?: boolean;
  /** Whether an Instance whose name no file can bear becomes a project of its own, which has the name. */
  readonly safeNames?: boolean;
  readonly disk?: ProjectDisk;
}

export interface FilePlan {
  readonly operations: readonly FileOperation[];
  /** Why files cannot take over an item, for people. */
  readonly refusals: ReadonlyMap<PlanItem, string>;
  /** The absolute path of the file or folder of each item. */
  readonly paths: ReadonlyMap<PlanItem, string>;
}

/** After so many rounds all items are refused that are still in question. */
const MAX_ROUNDS = 40;

/** Reads files, and changes none. Throws FileFault for a project that cannot be read. */
export async function planFilesAsync(input: FilePlanInput): Promise<FilePlan> {
  const refusals = new Map<PlanItem, string>();
  const paths = new Map<PlanItem, string>();
  const safe = new Set<PlanItem>();
  for (let round = 1; ; round++) {
    const items = input.items.filter((item) => !refusals.has(item));
    if (items.length === 0) return { operations: [], refusals, paths };
    const attempt = await attemptAsync(input, items, input.safeNames === true ? safe : undefined);
    for (const [item, path] of attempt.paths) paths.set(item, path);
    if (attempt.refusals.size === 0) return { operations: attempt.operations, refusals, paths };
    const refused = round < MAX_ROUNDS ? attempt.refusals : refuseAll(items, attempt.refusals);
    for (const [item, reason] of refused) {
      const canBeSafe = input.safeNames === true && item.change === "add" && !safe.has(item);
      if (canBeSafe && attempt.twins.has(item)) safe.add(item);
      else refusals.set(item, reason);
    }
  }
}

interface Attempt extends FilePlan {
  /** Those of the refused items whose names are taken. */
  readonly twins: ReadonlySet<PlanItem>;
}

/** `safe` are the items that become projects of their own, if any may. */
async function attemptAsync(
  input: FilePlanInput,
  items: readonly PlanItem[],
  safe: ReadonlySet<PlanItem> | undefined,
): Promise<Attempt> {
  const { project, schema, disk = realDisk } = input;
  const normalizer = new Normalizer(schema);
  const untouched = untouchedModels(project.tree.root, input.studio, input.pairs, items);
  const expected = new ExpectedTree({
    bare: new Set(untouched.values()),
    files: project.tree.root,
    studio: input.studio,
    pairs: input.pairs,
    newerProperties: (className, name, value) => newerProperties(schema, className, name, value),
    isSameProperty: (className, one, other) =>
      one === other || meaning(normalizer, className, one) === meaning(normalizer, className, other),
  });
  expected.take(items);
  writeReferences(expected, (node) => modelFileOf(node, expected, input));
  const layout = layoutOf({
    tree: project.tree,
    expected,
    schema,
    allowsOutside: input.allowsOutside === true,
    safeNames: safe,
    hasFile: (path) => project.disk.isListed(path),
  });
  const refusals = new Map([
    ...expected.refusals.map(({ item, reason }) => [item, reason] as const),
    ...layout.refusals,
  ]);
  if (refusals.size > 0) return { operations: [], refusals, paths: layout.paths, twins: layout.twins };
  const steps = await orderStepsAsync(layout, new PlannedDisk(disk), project.disk);
  const { operations } = steps;
  const found =
    steps.refusals.size > 0
      ? steps.refusals
      : await checkAsync(input, expected, operations, items, untouched);
  return { operations, refusals: found, paths: layout.paths, twins: steps.twins };
}

const meaning = (normalizer: Normalizer, className: string, name: string): string =>
  normalizer.property(className, name)?.key ?? name;

/** Reads the project as it would be, and refuses the items that would not be in it as Studio has them. */
async function checkAsync(
  { project, schema }: FilePlanInput,
  expected: ExpectedTree,
  operations: readonly FileOperation[],
  items: readonly PlanItem[],
  untouched: ReadonlyMap<string, RojoNode>,
): Promise<ReadonlyMap<PlanItem, string>> {
  const planned = new PlannedDisk(withBareModels(project.disk, untouched, schema));
  for (const operation of operations) planned.take(operation);
  try {
    const { root } = await readRojoTreeAsync(project.tree.file, schema, planned);
    const differences = differencesBetween(expected.root, root, new Normalizer(schema));
    return blamed(differences, expected, items);
  } catch (error) {
    if (!(error instanceof FileFault)) throw error;
    const { path, message } = error;
    const guilty = operations.filter(
      (operation) => operation.path === path || ("to" in operation && operation.to === path),
    );
    const owners = guilty.flatMap(({ items: own }) => own);
    return new Map((owners.length > 0 ? owners : items).map((item) => [item, message]));
  }
}

/**
 * The items to which the differences are due. The surest guess at any of them comes first alone, because without those items
 * the others may be read as they should.
 */
function blamed(
  differences: readonly TreeDifference[],
  expected: ExpectedTree,
  items: readonly PlanItem[],
): ReadonlyMap<PlanItem, string> {
  for (const ownersOf of [ownItems, namesakesItems, itemsAround, () => items]) {
    const refusals = new Map<PlanItem, string>();
    for (const difference of differences)
      for (const item of ownersOf(difference, expected))
        refusals.set(item, `files cannot express it: ${difference.expected.name}: ${difference.reason}`);
    if (refusals.size > 0) return refusals;
  }
  return new Map();
}

/** Those that change the Instance; for one that should not be there, those of an Instance of its name and class. */
function ownItems({ expected: node, extra }: TreeDifference, expected: ExpectedTree): readonly PlanItem[] {
  if (extra === undefined) return [...(expected.changeOf(node)?.items ?? [])];
  const isLikeExtra = ({ name, className }: RojoNode) => name === extra.name && className === extra.className;
  const removals = [...expected.removed].flatMap(([removed, item]) => (isLikeExtra(removed) ? [item] : []));
  if (removals.length > 0) return removals;
  return [...expected.changes].flatMap(([changed, { items }]) => (isLikeExtra(changed) ? [...items] : []));
}

/** Those of siblings of the same name, with which it may share a meta file or a folder. */
function namesakesItems({ expected: node }: TreeDifference, expected: ExpectedTree): readonly PlanItem[] {
  const siblings = expected.parentOf(node)?.children ?? [];
  const namesakes = siblings.filter(({ name }) => name === node.name);
  return namesakes.flatMap((sibling) => [...(expected.changeOf(sibling)?.items ?? [])]);
}

/** Those of the nearest Instance around it that is changed, or has a child that is. */
function itemsAround({ expected: node }: TreeDifference, expected: ExpectedTree): readonly PlanItem[] {
  for (let at: RojoNode | undefined = node; at !== undefined; at = expected.parentOf(at)) {
    const own = [...(expected.changeOf(at)?.items ?? [])];
    const near =
      own.length > 0 ? own : at.children.flatMap((child) => [...(expected.changeOf(child)?.items ?? [])]);
    if (near.length > 0) return near;
  }
  return [];
}

function refuseAll(
  items: readonly PlanItem[],
  reasons: ReadonlyMap<PlanItem, string>,
): ReadonlyMap<PlanItem, string> {
  const [reason = "the items get in each other's way"] = reasons.values();
  return new Map(items.map((item) => [item, reasons.get(item) ?? reason]));
}

/** The binary or XML model that an Instance will be in: its path, or the Instance at its top if it is new. */
function modelFileOf(
  node: RojoNode,
  expected: ExpectedTree,
  input: Pick<FilePlanInput, "schema" | "project">,
): unknown {
  const origin = expected.oldOf(node)?.origin;
  const isModel = origin?.fileKind === "rbxm" || origin?.fileKind === "rbxmx";
  if (origin !== undefined && expected.changeOf(node)?.isMoved !== true)
    return isModel ? origin.path : undefined;
  const parent = expected.parentOf(node);
  const around = parent === undefined ? undefined : modelFileOf(parent, expected, input);
  if (around !== undefined) return around;
  const facts = {
    className: node.className,
    hasChildren: node.children.length > 0,
    holdsScripts: node.children.some(holdsScript),
    runContext: runContextOf(node),
  };
  const form = formOf(facts, input.schema, input.project.tree.rules);
  return form.type === "file" && form.file.kind === "rbxm" ? node : undefined;
}
