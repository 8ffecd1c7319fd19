/** Finds scripts that were moved or renamed and changed in one step, by how alike their sources are. */
import { textOfByteString } from "../../util/bytes.ts";
import type { RojoNode } from "../../roblox/rojo/node.ts";
import { isScript } from "./normalize.ts";

/** Shorter ones are alike by chance. */
const ENOUGH_LINES = 4;
const ALIKE = 0.6;
/** Comparing more would take longer than a person waits. */
const MAX_COMPARISONS = 20_000;

/** The pairs of scripts of which each is the only one that is alike enough to the other. */
export function alikeSources(
  lefts: readonly RojoNode[],
  rights: readonly RojoNode[],
): ReadonlyMap<RojoNode, RojoNode> {
  const [ones, others] = [linesOfAll(lefts), linesOfAll(rights)];
  if (ones.size * others.size > MAX_COMPARISONS) return new Map();
  const candidates = new Map<RojoNode, RojoNode[]>();
  const claims = new Map<RojoNode, number>();
  for (const [one, own] of ones)
    for (const [other, lines] of others) {
      if (one.className !== other.className || alikeness(own, lines) < ALIKE) continue;
      candidates.set(one, [...(candidates.get(one) ?? []), other]);
      claims.set(other, (claims.get(other) ?? 0) + 1);
    }
  const found = new Map<RojoNode, RojoNode>();
  for (const [one, [other, second]] of candidates)
    if (other !== undefined && second === undefined && claims.get(other) === 1) found.set(one, other);
  return found;
}

type Lines = ReadonlyMap<string, number>;

function linesOfAll(nodes: readonly RojoNode[]): ReadonlyMap<RojoNode, Lines> {
  const found = new Map<RojoNode, Lines>();
  for (const node of nodes) {
    const source = node.properties.get("Source")?.value;
    if (!isScript(node.className) || typeof source !== "string") continue;
    const lines = textOfByteString(source)
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => line !== "");
    if (lines.length < ENOUGH_LINES) continue;
    const counts = new Map<string, number>();
    for (const line of lines) counts.set(line, (counts.get(line) ?? 0) + 1);
    found.set(node, counts);
  }
  return found;
}

/** The share of the lines that both have. */
function alikeness(one: Lines, other: Lines): number {
  const [size, otherSize] = [one, other].map((lines) => [...lines.values()].reduce((sum, n) => sum + n, 0));
  let common = 0;
  for (const [line, count] of one) common += Math.min(count, other.get(line) ?? 0);
  return (2 * common) / ((size ?? 0) + (otherSize ?? 0));
}
