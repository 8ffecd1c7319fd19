/** Finds modules that import each other in a circle. */
import { importsIn, targetOf } from "./imports.ts";
import type { Sources } from "./sources.ts";

/** What each module needs. */
export type Graph = ReadonlyMap<string, readonly string[]>;

/** Two files may name each other's types, such as a thing and its part. Three or more are too many to read at once. */
const TYPE_CIRCLE_LIMIT = 2;

/** `sources`: the TypeScript of src by path. */
export function circleFaults(sources: Sources): string[] {
  const atLoad = circlesIn(graphOf(sources, true));
  const withTypes = circlesIn(graphOf(sources, false)).filter(({ length }) => length > TYPE_CIRCLE_LIMIT);
  return [
    ...atLoad.map((files) => `these files of src load each other: ${files.join(", ")}`),
    ...withTypes.map((files) => `these files of src need each other's types: ${files.join(", ")}`),
  ];
}

function graphOf(sources: Sources, isAtLoadOnly: boolean): Graph {
  const needed = ([file, text]: [string, string]) =>
    importsIn(text)
      .filter(({ specifier, isAtLoad }) => specifier.startsWith(".") && (isAtLoad || !isAtLoadOnly))
      .map(({ specifier }) => targetOf(file, specifier));
  return new Map([...sources].map((source) => [source[0], needed(source)]));
}

/** Every largest set of modules each of which leads to all others of it (Tarjan's algorithm). */
export function circlesIn(graph: Graph): string[][] {
  const circles: string[][] = [];
  const open: string[] = [];
  const numbers = new Map<string, number>();
  const closed = new Set<string>();
  /** Gives the lowest number that can be reached. */
  const visit = (node: string): number => {
    const number = numbers.size;
    numbers.set(node, number);
    open.push(node);
    let lowest = number;
    for (const next of graph.get(node) ?? []) {
      if (closed.has(next)) continue;
      lowest = Math.min(lowest, numbers.get(next) ?? visit(next));
    }
    if (lowest === number) {
      const circle = open.splice(open.indexOf(node));
      for (const member of circle) closed.add(member);
      if (circle.length > 1 || graph.get(node)?.includes(node) === true) circles.push(circle.sort());
    }
    return lowest;
  };
  for (const node of graph.keys()) if (!numbers.has(node)) visit(node);
  return circles;
}
