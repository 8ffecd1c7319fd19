/** Names an Instance of a plan as paths name Instances everywhere: `ReplicatedStorage.Shared.M7`. */
import type { RojoNode } from "../../roblox/rojo/node.ts";
import type { Entry } from "./entries.ts";

/** Finds the paths of many Instances; what was found out about a parent serves all its children. */
export class ItemPaths {
  readonly #positions = new Map<RojoNode, ReadonlyMap<RojoNode, number>>();

  /** In Studio if it is there, else in the files, else where it was. */
  of(entry: Entry): string {
    const node = nodeOf(entry);
    const parent = parentOf(entry);
    if (node === undefined || (parent === undefined && node.className === "DataModel")) return "";
    const above = parent === undefined ? "" : this.of(parent);
    const segment = segmentText(node.name, this.#position(nodeOf(parent), node));
    return above === "" || segment.startsWith("[") ? `${above}${segment}` : `${above}.${segment}`;
  }

  /** Among siblings of the same name, counted from 1; undefined for the only one. */
  #position(parent: RojoNode | undefined, node: RojoNode): number | undefined {
    if (parent === undefined || parent.className === "DataModel") return undefined;
    let positions = this.#positions.get(parent);
    if (positions === undefined) this.#positions.set(parent, (positions = positionsIn(parent)));
    return positions.get(node);
  }
}

const nodeOf = (entry: Entry | undefined): RojoNode | undefined =>
  entry?.studio ?? entry?.file ?? entry?.base;

const parentOf = ({ studio, file, studioParent, fileParent, baseParent }: Entry): Entry | undefined =>
  studio !== undefined ? studioParent : file !== undefined ? fileParent : baseParent;

function positionsIn({ children }: RojoNode): ReadonlyMap<RojoNode, number> {
  const byName = new Map<string, RojoNode[]>();
  for (const child of children) {
    const twins = byName.get(child.name);
    if (twins === undefined) byName.set(child.name, [child]);
    else twins.push(child);
  }
  const positions = new Map<RojoNode, number>();
  for (const twins of byName.values())
    if (twins.length > 1) twins.forEach((twin, index) => positions.set(twin, index + 1));
  return positions;
}

/** As the plugin writes a segment of a path. */
function segmentText(name: string, position: number | undefined): string {
  const escaped = name.replace(/[.[\\]/g, "\\$&").replace(/^[@$]/, "\\$&");
  const text = name === "" ? '[""]' : escaped;
  return position === undefined ? text : `${text}[${position}]`;
}
