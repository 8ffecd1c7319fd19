// Moves default values up the class tree: a value that most subclasses share is written once, on the class that
// declares the property, and subclasses carry only what differs.

export interface ClassNode {
  superclass: string | undefined;
  /** Names of the properties that this class itself declares. */
  declares: ReadonlySet<string>;
  /** Every default of the class, inherited properties included; empty where the class has none of its own. */
  defaults: ReadonlyMap<string, string>;
}

/** For each class, the defaults it has to write: those that differ from what its superclass hands down. */
export function hoistDefaults(nodes: ReadonlyMap<string, ClassNode>): Map<string, Map<string, string>> {
  const inherited = new Map<string, Map<string, string>>();
  const written = new Map<string, Map<string, string>>();
  for (const name of parentsFirst(nodes)) {
    const node = nodes.get(name);
    if (node === undefined) continue;
    const effective = new Map(node.superclass === undefined ? [] : inherited.get(node.superclass));
    const own = new Map<string, string>();
    for (const [property, value] of [...commonDefaults(name, node, nodes), ...node.defaults]) {
      if (effective.get(property) === value) continue;
      own.set(property, value);
      effective.set(property, value);
    }
    inherited.set(name, effective);
    written.set(name, own);
  }
  return written;
}

function parentsFirst(nodes: ReadonlyMap<string, ClassNode>): string[] {
  const depthOf = (name: string): number => {
    const superclass = nodes.get(name)?.superclass;
    return superclass === undefined ? 0 : 1 + depthOf(superclass);
  };
  return [...nodes.keys()].sort((a, b) => depthOf(a) - depthOf(b));
}

/** An abstract class has few defaults of its own: take, per declared property, what most descendants have. */
function commonDefaults(
  name: string,
  node: ClassNode,
  nodes: ReadonlyMap<string, ClassNode>,
): Map<string, string> {
  const descendants = [...nodes].filter(([candidate]) => descendsFrom(candidate, name, nodes));
  const common = new Map<string, string>();
  for (const property of node.declares) {
    const votes = new Map<string, number>();
    for (const [, descendant] of descendants) {
      const value = descendant.defaults.get(property);
      if (value !== undefined) votes.set(value, (votes.get(value) ?? 0) + 1);
    }
    const [winner] = [...votes].sort((a, b) => b[1] - a[1]);
    if (winner !== undefined) common.set(property, winner[0]);
  }
  return common;
}

function descendsFrom(name: string, ancestor: string, nodes: ReadonlyMap<string, ClassNode>): boolean {
  for (let at = nodes.get(name)?.superclass; at !== undefined; at = nodes.get(at)?.superclass) {
    if (at === ancestor) return true;
  }
  return false;
}
