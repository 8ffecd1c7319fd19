/**
 * What a project is likely to be about, as its file alone says. Studio is read by it while this process reads the files. A
 * guess that proves wrong costs time and nothing else, because the files then say what is read.
 */
import { dirname } from "node:path";
import { realDisk, readDiskTextAsync } from "../../roblox/rojo/disk.ts";
import { newNode, type RojoNode } from "../../roblox/rojo/node.ts";
import { STATED_BY_FILE } from "../../roblox/rojo/origin.ts";
import { parseJsonAsync } from "../../roblox/rojo/read-json.ts";
import { isRecord } from "../../roblox/rojo/values.ts";
import { DATA_MODEL } from "./studio-tree.ts";

/** Undefined for what is no place, and for a file that cannot be read, of which its reader tells. */
export async function likelyTreeAsync(projectFile: string): Promise<RojoNode | undefined> {
  try {
    const project = await parseJsonAsync(await readDiskTextAsync(realDisk, projectFile));
    if (!isRecord(project) || !isRecord(project["tree"])) return undefined;
    const { tree } = project;
    return tree["$className"] === DATA_MODEL ? nodeOf(dirname(projectFile), tree, projectFile) : undefined;
  } catch {
    return undefined;
  }
}

function nodeOf(name: string, entry: Readonly<Record<string, unknown>>, projectFile: string): RojoNode {
  const { $path, $className, $ignoreUnknownInstances } = entry;
  const ignores =
    typeof $ignoreUnknownInstances === "boolean" ? $ignoreUnknownInstances : $path === undefined;
  const node: RojoNode = {
    ...newNode(name, typeof $className === "string" ? $className : ""),
    origin: {
      ...STATED_BY_FILE,
      kind: "projectNode",
      path: projectFile,
      projectFile,
      ignoreUnknownInstances: ignores,
    },
  };
  for (const [key, child] of Object.entries(entry))
    if (!key.startsWith("$") && isRecord(child)) node.children.push(nodeOf(key, child, projectFile));
  return node;
}
