/** Which scripts a change of others may concern: those that require them, also by way of others. */
import type { Sources } from "./place-files.ts";

const REQUIRES = /\brequire\b/;

/** The last name of a path, without the number that tells namesakes apart. */
const nameOf = (path: string): string => /([^.]*?)(?:\[\d+\])?$/.exec(path)?.[1] ?? path;

/**
 * The paths of the changed scripts and of all whose text names one of these and requires something. That may be more than need be, and
 * never fewer than a type checker follows, because it follows only names that stand in the text.
 */
export function withDependents(changed: Iterable<string>, sources: Sources): ReadonlySet<string> {
  const found = new Set(changed);
  const others = new Map([...sources].filter(([path, source]) => !found.has(path) && REQUIRES.test(source)));
  const waiting = [...found];
  const searched = new Set<string>();
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const name = nameOf(path);
    if (searched.has(name)) continue;
    searched.add(name);
    for (const [other, source] of others) {
      if (!source.includes(name)) continue;
      others.delete(other);
      found.add(other);
      waiting.push(other);
    }
  }
  return found;
}
