/**
 * A tree as lists, level by level, so that a node is a number. Plans of 60,000 Instances would else spend most of their
 * time looking up nodes.
 */

export const NO_NODE = -1;

/** What the matcher needs to know of a node by itself. */
export interface TreeNode<Node> {
  readonly name: string;
  readonly className: string;
  readonly children: readonly Node[];
}

export class FlatTree<Node extends TreeNode<Node>> {
  readonly nodes: Node[];
  /** Of the root: NO_NODE. */
  readonly parents: number[] = [NO_NODE];
  /** Where the children of each node begin; they follow each other. */
  readonly #firstChildren: number[] = [];
  /** Nodes to which others refer. */
  readonly targets = new Set<Node>();

  /** `addTargets` puts the nodes to which a node refers into the set. */
  constructor(root: Node, addTargets: (node: Node, targets: Set<Node>) => void) {
    const nodes = [root];
    // The list grows while it is walked.
    for (let index = 0; index < nodes.length; index++) {
      const node = nodes[index];
      if (node === undefined) continue;
      this.#firstChildren.push(nodes.length);
      for (const child of node.children) {
        nodes.push(child);
        this.parents.push(index);
      }
      addTargets(node, this.targets);
    }
    this.nodes = nodes;
  }

  get size(): number {
    return this.nodes.length;
  }

  childCount(index: number): number {
    return this.nodes[index]?.children.length ?? 0;
  }

  firstChild(index: number): number {
    return this.#firstChildren[index] ?? 0;
  }

  childrenOf(index: number): number[] {
    const first = this.firstChild(index);
    return Array.from({ length: this.childCount(index) }, (_, offset) => first + offset);
  }
}
