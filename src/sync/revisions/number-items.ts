/** Gives the Instances of a tree the numbers by which revisions know them. */
import type { RojoNode } from "../../roblox/rojo/node.ts";
import { pathKey, type RevisionLine } from "./line.ts";

/**
 * Nodes that have a number keep it. One that a line has had at the same path is taken for the same Instance, because a place
 * with an older base does not know what later revisions have added. `next` is the first number that was never used. Gives
 * back the first number that is free afterwards.
 */
export function numberItems(root: RojoNode, line: RevisionLine | undefined, next: number): number {
  const taken = new Set<number>();
  const visit = (node: RojoNode, use: (node: RojoNode, path: string) => void, path = ""): void => {
    use(node, path);
    for (const child of node.children) visit(child, use, pathKey(path, child.name));
  };
  let free = next;
  visit(root, ({ item }) => {
    if (item === undefined) return;
    taken.add(item);
    free = Math.max(free, item + 1);
  });
  visit(root, (node, path) => {
    if (node.item !== undefined) return;
    const known = [...(line?.itemsAtPath(path) ?? [])].find((item) => !taken.has(item));
    node.item = known ?? free++;
    taken.add(node.item);
  });
  return free;
}
