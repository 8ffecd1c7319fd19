/**
 * Keeps what a push replaces in one-way folders of Studio: `studio.json` in the trash of the plan. `sb sync undo` restores it in
 * Studio; the file is for a Studio that has been closed meanwhile, and so has no undo steps any more.
 */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { SerializedValue } from "../../protocol/values.ts";
import { writeNewFileAsync } from "../../util/whole-file.ts";
import { aspectsOfAdded, isPair } from "../plan/aspects.ts";
import { subtreeOn } from "../plan/edited.ts";
import { valuesOf } from "../plan/summary.ts";
import type { SyncPlan } from "../plan/plan.ts";
import type { PlanItem } from "../types.ts";
import type { Root } from "./safe-path.ts";
import { openTrashAsync, trashFolder } from "./trash.ts";

const PRIVATE_FILE = 0o600;

interface Replaced {
  readonly path: string;
  readonly className: string;
  readonly fsPath?: string;
  readonly held: Readonly<Record<string, SerializedValue>>;
}

/** Before the first push. `project`: the project's folder. Throws PathFault, or the system's error. */
export async function keepReplacedAsync(
  plan: SyncPlan,
  pushes: readonly PlanItem[],
  { project, planId }: { readonly project: Root | undefined; readonly planId: string },
): Promise<void> {
  const replaced = pushes
    .filter(({ reason, change }) => reason === "one_way" && change !== "add")
    .flatMap((item) => replacedBy(item, plan));
  if (replaced.length === 0 || project === undefined) return;
  await openTrashAsync(project);
  const folder = join(trashFolder(project), planId);
  await mkdir(folder, { recursive: true });
  const text = `${JSON.stringify(replaced, null, 2)}\n`;
  await writeNewFileAsync(join(folder, "studio.json"), Buffer.from(text), PRIVATE_FILE);
}

function replacedBy(item: PlanItem, plan: SyncPlan): Replaced[] {
  const entry = plan.state.entryOf.get(item);
  if (item.change !== "remove" || entry === undefined) return [replacedOf(item, plan)];
  const { entries, options, paths } = plan.state;
  return subtreeOn(entry, "studio", entries).flatMap((below) => {
    const { studio } = below;
    if (isPair(below) || studio === undefined) return [];
    const aspects = aspectsOfAdded(studio, "studio", options);
    const { className } = studio;
    return [replacedOf({ ...item, path: paths.of(below), className, aspects }, plan)];
  });
}

function replacedOf(item: PlanItem, plan: SyncPlan): Replaced {
  const { path, className, fsPath } = item;
  const held = valuesOf(plan, item).before ?? {};
  return { path, className, ...(fsPath === undefined ? {} : { fsPath }), held };
}
