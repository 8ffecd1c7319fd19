/** A checkpoint as one side of a comparison. */
import { StudioBridgeError } from "../../protocol/errors.ts";
import type { SessionInfo } from "../../protocol/network.ts";
import { wirePath } from "../instance-path.ts";
import { withDescendants } from "../instance-tree.ts";
import { pathsOf } from "../node-path.ts";
import type { TreeSide } from "../tree-side.ts";
import { sideOfCopy } from "./checkpoint-copy.ts";
import { loadCopyAsync } from "./checkpoint-store.ts";

/** The place as it was, or one Instance of it. */
export async function checkpointSideAsync(
  session: SessionInfo,
  name: string,
  root: string | undefined,
): Promise<TreeSide> {
  const side = sideOfCopy(await loadCopyAsync(session, name));
  if (root === undefined) return side;
  const pathOf = pathsOf(side.tree);
  const wire = wirePath(root);
  const node = [...side.tree.byId.values()].find((each) => `@${each.id}` === root || pathOf(each) === wire);
  if (node === undefined)
    throw new StudioBridgeError("INSTANCE_NOT_FOUND", `The checkpoint "${name}" has no ${root}.`);
  const rootPaths = new Map([[node.id, pathOf(node)]]);
  const byId = new Map(withDescendants(node).map((each) => [each.id, each]));
  const top = { ...node, parent: undefined };
  byId.set(node.id, top);
  for (const child of node.children) child.parent = top;
  return { ...side, tree: { ...side.tree, roots: [top], byId, rootPaths } };
}
