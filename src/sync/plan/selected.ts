/** Finds what a choice names: an Instance by id, path or file, or all that is below a folder or fits a glob. */
import { join } from "node:path";
import type { PlanItem } from "../types.ts";
import { folderOf } from "./folder-of.ts";
import type { PlanState, SyncPlan } from "./plan-state.ts";
import { fitsFile, isGlob, shown, writtenPath } from "./project-paths.ts";

export interface Selected {
  readonly items: readonly PlanItem[];
  /** Whether all that is below something was meant, and no single Instance. */
  readonly isFolder: boolean;
}

/** An Instance that is named itself stands alone, unless it is a folder. */
export function selectedItems(plan: SyncPlan, to: string): Selected {
  const exact = exactItems(plan.items, to);
  const isAlone =
    exact.length > 0 && (to.startsWith("@") || exact.some(({ className }) => className !== "Folder"));
  return isAlone ? { items: exact, isFolder: false } : { items: itemsBelow(plan, to), isFolder: true };
}

/** The Instance that is named, with all that is below it, or all that fits the glob. */
export function itemsBelow(
  { items, state }: Pick<SyncPlan, "items" | "state">,
  to: string,
): readonly PlanItem[] {
  const fits = isGlob(to) ? globOf(to) : belowOf(to);
  return items.filter((item) => fits(item.path, fileOf(item, state)));
}

function exactItems(items: readonly PlanItem[], to: string): readonly PlanItem[] {
  const byId = items.filter((item) => item.id === to);
  if (byId.length > 0) return byId;
  const byPath = items.filter((item) => item.path === pathOf(to));
  return byPath.length > 0
    ? byPath
    : items.filter(({ fsPath }) => fsPath !== undefined && fsPath === writtenPath(to));
}

const pathOf = (to: string): string => to.replace(/^game\./, "");

type Fits = (path: string, file: string | undefined) => boolean;

/** A file fits when it, or a folder that it is in, fits. */
function globOf(to: string): Fits {
  const [paths, fits] = [new Bun.Glob(pathOf(to)), fitsFile(to)];
  return (path, file) => paths.match(path) || (file !== undefined && fits(file));
}

function belowOf(to: string): Fits {
  const [above, fits] = [pathOf(to), fitsFile(to)];
  if (to === "game" || writtenPath(to) === ".") return () => true;
  return (path, file) => isBelow(path, above) || (file !== undefined && fits(file));
}

/** A twin among siblings is written `A[2]`, a child without a name `A[""]`. */
export const isBelow = (path: string, above: string): boolean =>
  path === above || path.startsWith(`${above}.`) || path.startsWith(`${above}[""]`);

/** The file of an item; of what only Studio has, where its file would be, without the ending. */
function fileOf(item: PlanItem, { entryOf, folder }: PlanState): string | undefined {
  if (item.fsPath !== undefined) return item.fsPath;
  const entry = entryOf.get(item);
  const above = folderOf(entry?.studioParent);
  return above === undefined ? undefined : shown(folder, join(above, item.studio?.name ?? ""));
}
