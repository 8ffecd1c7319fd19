/** Finds modules that import each other in a circle. */
import { importsIn, targetOf } from "./imports.ts";
import type { Sources } from "./sources.ts";

/** What each module needs. */
export type Graph = ReadonlyMap<string, readonly string[]>;

/** `sources`: the TypeScript of src by path. An import of a type counts, and so does one that is followed later. */
export function circleFaults(sources: Sources): string[] {
  return circlesIn(graphOf(sources)).map(
    (files) => `these files of src need each other: ${files.join(", ")}`,
  );
}

function graphOf(sources: Sources): Graph {
  const needed = ([file, text]: [string, string]) =>
    importsIn(text)
      .filter(({ specifier }) => specifier.startsWith("."))
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
