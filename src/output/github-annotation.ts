/** The lines with which a program marks places in files for GitHub Actions. */
import { pathInside, staysInside } from "../util/path-inside.ts";
import { visibleControls } from "../util/visible-controls.ts";

export interface WorkflowFolders {
  /** The project's folder. */
  readonly folder: string;
  /** The value of GITHUB_WORKSPACE. Paths are relative to it if the project lies below it. */
  readonly workspace: string | undefined;
}

/** What stands before a path from the project's folder. */
export function prefixOf({ folder, workspace }: WorkflowFolders): string {
  if (workspace === undefined || workspace === "") return "";
  const inside = pathInside(workspace, folder);
  return inside === "" || !staysInside(inside) ? "" : `${inside}/`;
}

/** The properties come in the order given. */
export function annotation(
  level: "error" | "warning",
  properties: Readonly<Record<string, string | number>>,
  message: string,
): string {
  const list = Object.entries(properties).map(([name, value]) => `${name}=${property(String(value))}`);
  return `::${level} ${list.join(",")}::${data(message)}`;
}

const data = (text: string): string => visibleControls(text).replaceAll("%", "%25").replaceAll("\n", "%0A");
const property = (text: string): string => data(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
