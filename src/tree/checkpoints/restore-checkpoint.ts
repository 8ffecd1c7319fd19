/** Restores a checkpoint: finds out what differs and who changed it, and changes it back as one undo step. */
import type { ActionResult } from "../../protocol/actions.ts";
import type { WireChange } from "../../protocol/fields/changes.ts";
import { StudioBridgeError } from "../../protocol/errors.ts";
import { stepName } from "../change/step-name.ts";
import { changesAsync, compareTreesAsync } from "../compare-trees.ts";
import type { Comparison, Difference } from "../compare-trees.ts";
import { withDescendants } from "../instance-tree.ts";
import type { InstanceNode } from "../instance-tree.ts";
import { pathsOf } from "../node-path.ts";
import { sessionSideAsync } from "../tree-side.ts";
import { shownPath } from "../instance-path.ts";
import { applyOperationsAsync, type RestoreLink } from "./apply-operations.ts";
import type { TreeSource } from "../read-tree.ts";
import { sideOfCopy } from "./checkpoint-copy.ts";
import type { PlaceCopy } from "./checkpoint-copy.ts";
import { restoreOperations } from "./restore-operations.ts";

type OthersChanges = ActionResult<"othersChanges">;

export interface Restored {
  /** How many Instances differed. */
  readonly changes: number;
  readonly undo: ActionResult<"applyPatch">["undo"];
  /** What still differs, because Studio does not let scripts write it. */
  readonly remaining?: readonly WireChange[];
}

interface Wish {
  readonly name: string;
  readonly mark: string;
  readonly copy: PlaceCopy;
  readonly force: boolean;
}

const MAX_NAMED = 5;

export async function compareWithPlaceAsync(copy: PlaceCopy, link: TreeSource): Promise<Comparison> {
  // The mark of a watched tree tells a removal whether anything below it has changed since.
  return compareTreesAsync(sideOfCopy(copy), await sessionSideAsync(link, "edit", { watch: true }));
}

/** Throws CHANGED_BY_OTHERS, unless `force` is set, where a person has changed what would be restored. */
export async function restoreAsync(wish: Wish, link: RestoreLink): Promise<Restored> {
  const { name, mark, copy, force } = wish;
  const step = stepName(`restore checkpoint ${name}`);
  link.status("Comparing the place with the checkpoint");
  const others = await link.callAsync("othersChanges", { since: mark });
  const comparison = await compareWithPlaceAsync(copy, link);
  const differences = comparison.differences.length;
  if (differences === 0)
    return { changes: 0, undo: { recorded: false, name: step, reason: "nothing differs" } };
  if (!force) refuseOthers(comparison, others, name);
  const items = new Map(copy.items.map((item) => [item.id, item]));
  const operations = restoreOperations(comparison, { items, models: new Map(copy.models) });
  link.status("Restoring the checkpoint");
  const { undo } = await applyOperationsAsync(operations, step, link);
  const after = await compareWithPlaceAsync(copy, link);
  const left = await changesAsync(after, after.differences);
  return { changes: differences, undo, ...(left.length === 0 ? {} : { remaining: left }) };
}

function refuseOthers(comparison: Comparison, others: OthersChanges, name: string): void {
  const theirs = othersIn(comparison, others);
  if (theirs.length === 0) return;
  const pathA = pathsOf(comparison.a.tree);
  const pathB = pathsOf(comparison.b.tree);
  const paths = theirs.map(({ a, b }) =>
    shownPath(b === undefined ? (a === undefined ? "" : pathA(a)) : pathB(b)),
  );
  const more = paths.length > MAX_NAMED ? `, and ${paths.length - MAX_NAMED} more` : "";
  const who = others.isKnown
    ? "A person or another plugin has changed"
    : "It is not known who has changed, because Studio was opened again or very much has changed:";
  throw new StudioBridgeError(
    "CHANGED_BY_OTHERS",
    `${who} ${paths.slice(0, MAX_NAMED).join(", ")}${more}. Nothing was restored.`,
    { data: { checkpoint: name, paths } },
  );
}

/** The differences that are not, or not only, changes of sb. */
function othersIn(comparison: Comparison, { isKnown, changes }: OthersChanges): readonly Difference[] {
  if (!isKnown) return comparison.differences;
  const { a, b } = comparison;
  const byPath = new Set(changes.flatMap(({ path }) => path ?? []));
  const idsOf = (generation: string) =>
    new Set(changes.flatMap((change) => (change.generation === generation ? [change.id] : [])));
  const changed = { a: idsOf(a.tree.generation), b: idsOf(b.tree.generation) };
  const paths = { a: pathsOf(a.tree), b: pathsOf(b.tree) };
  const isTheirs = (node: InstanceNode, side: "a" | "b") =>
    changed[side].has(node.id) || byPath.has(paths[side](node));
  const isWithin = (node: InstanceNode | undefined, side: "a" | "b", isAlone: boolean) => {
    if (node === undefined) return false;
    return isAlone ? withDescendants(node).some((each) => isTheirs(each, side)) : isTheirs(node, side);
  };
  return comparison.differences.filter(
    (each) => isWithin(each.a, "a", each.b === undefined) || isWithin(each.b, "b", each.a === undefined),
  );
}
