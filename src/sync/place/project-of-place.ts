/** Makes the Rojo project for a place that has none yet: a folder for each service that holds scripts. */
import { IS_MODEL_NOT_PLACE } from "../../roblox/model-file.ts";
import type { RojoNode } from "../../roblox/rojo/node.ts";
import type { FileSchema } from "../../roblox/schema.ts";

const SCRIPTS: ReadonlySet<string> = new Set(["Script", "LocalScript", "ModuleScript"]);
/** The service that is made of containers, which cannot be folders of files themselves. */
const STARTER_PLAYER = "StarterPlayer";
const STARTER_CONTAINERS: ReadonlySet<string> = new Set(["StarterPlayerScripts", "StarterCharacterScripts"]);
/** Where the files of the new project are, beside its project file. */
const SOURCE = "src";

export interface NewProject {
  /** The whole project file. */
  readonly text: string;
  /** The folders that it names, relative to it, with slashes. */
  readonly folders: readonly string[];
  readonly scriptCount: number;
}

interface TreeEntry {
  readonly $className?: string;
  readonly $path?: string;
  readonly [child: string]: TreeEntry | string | undefined;
}

/** `roots` are those of the file `place`. Undefined where it holds no scripts, or is a model that is a script itself. */
export function projectOfPlace(
  name: string,
  place: string,
  roots: readonly RojoNode[],
  schema: FileSchema,
): NewProject | undefined {
  const scriptCount = roots.reduce((sum, root) => sum + countScripts(root), 0);
  const tree = IS_MODEL_NOT_PLACE.test(place) ? modelTree(roots) : placeTree(roots, schema);
  if (scriptCount === 0 || tree === undefined) return undefined;
  return { text: `${JSON.stringify({ name, tree }, null, 2)}\n`, folders: foldersOf(tree), scriptCount };
}

function modelTree([root, second]: readonly RojoNode[]): TreeEntry | undefined {
  if (root === undefined || second !== undefined || SCRIPTS.has(root.className)) return undefined;
  return { ...(root.className === "Folder" ? {} : { $className: root.className }), $path: SOURCE };
}

function placeTree(roots: readonly RojoNode[], schema: FileSchema): TreeEntry {
  const services = roots.filter((root) => schema.isService(root.className) && countScripts(root) > 0);
  const entries = services.map((service) => [service.className, serviceEntry(service)] as const);
  return { $className: "DataModel", ...Object.fromEntries(entries) };
}

function serviceEntry({ className, children }: RojoNode): TreeEntry {
  const path = `${SOURCE}/${className}`;
  if (className !== STARTER_PLAYER) return { $path: path };
  const containers = children.filter(
    (child) => STARTER_CONTAINERS.has(child.className) && countScripts(child) > 0,
  );
  return Object.fromEntries(
    containers.map((container) => [container.className, { $path: `${path}/${container.className}` }]),
  );
}

function foldersOf(entry: TreeEntry): string[] {
  return Object.values(entry).flatMap((value) => {
    if (typeof value === "object") return foldersOf(value);
    return value !== undefined && value === entry.$path ? [value] : [];
  });
}

function countScripts(node: RojoNode): number {
  const own = SCRIPTS.has(node.className) ? 1 : 0;
  return node.children.reduce((sum, child) => sum + countScripts(child), own);
}
