/** Finds where the files of an Instance's children are. */
import { dirname, join } from "node:path";
import type { Entry } from "./entries.ts";

/** Undefined where no folder of the project would contain them. */
export function folderOf(entry: Entry | undefined): string | undefined {
  if (entry === undefined) return undefined;
  const origin = entry.file?.origin;
  if (origin === undefined) {
    const above = folderOf(entry.studioParent);
    const name = entry.studio?.name;
    return above === undefined || name === undefined ? undefined : join(above, name);
  }
  if (origin.init !== undefined) return dirname(origin.init);
  if (origin.kind === "folder") return origin.path;
  if (origin.project?.path !== undefined) return origin.project.path;
  return origin.kind === "projectNode" ? undefined : join(dirname(origin.path), entry.file?.name ?? "");
}
