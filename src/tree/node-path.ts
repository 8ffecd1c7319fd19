/** Paths of the Instances of a tree, in the form in which the plugin writes them. */
import type { InstanceNode, InstanceTree } from "./instance-tree.ts";

/** Gives the path of any Instance of the tree, from `game`. What it finds out about siblings serves the next one. */
export function pathsOf({ rootPaths }: InstanceTree): (node: InstanceNode) => string {
  const paths = new Map<InstanceNode, string>();
  const namesakes = new Map<InstanceNode, ReadonlyMap<string, readonly InstanceNode[]>>();
  const pathOf = (node: InstanceNode): string => {
    const known = paths.get(node);
    if (known !== undefined) return known;
    const { parent } = node;
    const path =
      parent === undefined ? (rootPaths.get(node.id) ?? `game.${segment(node.name)}`) : below(parent, node);
    paths.set(node, path);
    return path;
  };
  const below = (parent: InstanceNode, node: InstanceNode): string => {
    const ofParent = namesakes.get(parent) ?? Map.groupBy(parent.children, ({ name }) => name);
    namesakes.set(parent, ofParent);
    const same = ofParent.get(node.name) ?? [];
    const index = same.length > 1 ? `[${same.indexOf(node) + 1}]` : "";
    const dot = node.name === "" ? "" : ".";
    return `${pathOf(parent)}${dot}${segment(node.name)}${index}`;
  };
  return pathOf;
}

/** A name as it stands in a path. */
function segment(name: string): string {
  if (name === "") return '[""]';
  return name.replace(/[.[\\]/g, String.raw`\$&`).replace(/^[@$]/, String.raw`\$&`);
}
