/** What proves that two nodes are one Instance: Studio's number in this session, a place's UniqueId, an id in files. */
import type { RojoNode } from "../../roblox/rojo/node.ts";

type Identity = (node: RojoNode) => number | string | undefined;

const IDENTITIES: readonly Identity[] = [
  ({ studioId }) => studioId,
  ({ properties }) => uniqueIdIn(properties.get("UniqueId")?.value),
  ({ id }) => id,
];

/** An Instance without a UniqueId has one of zeros. */
const uniqueIdIn = (value: unknown): string | undefined =>
  typeof value === "string" && /[^\0]/.test(value) ? value : undefined;

/** Pairs of positions, the surest first. */
export function identityPairs(
  lefts: readonly RojoNode[],
  rights: readonly RojoNode[],
): [left: number, right: number][] {
  return IDENTITIES.flatMap((identity) => pairsBy(identity, lefts, rights));
}

const SHARED = -1;

function pairsBy(
  identity: Identity,
  lefts: readonly RojoNode[],
  rights: readonly RojoNode[],
): [left: number, right: number][] {
  const leftPositions = positionsBy(identity, lefts);
  const rightPositions = leftPositions.size === 0 ? leftPositions : positionsBy(identity, rights);
  const pairs: [number, number][] = [];
  if (rightPositions.size === 0) return pairs;
  for (const [id, left] of leftPositions) {
    const right = rightPositions.get(id);
    if (right !== undefined && left !== SHARED && right !== SHARED) pairs.push([left, right]);
  }
  return pairs;
}

/** An identity that a copy shares proves nothing. */
function positionsBy(identity: Identity, nodes: readonly RojoNode[]): Map<number | string, number> {
  const positions = new Map<number | string, number>();
  for (let index = 0; index < nodes.length; index++) {
    const node = nodes[index];
    const id = node && identity(node);
    if (id !== undefined) positions.set(id, positions.has(id) ? SHARED : index);
  }
  return positions;
}
