/** Holds the imports of src against the table of `arrows.ts`, and the table against its own order. */
import { type Rule, rules } from "./arrows.ts";
import { importsIn, targetOf } from "./imports.ts";
import type { Sources } from "./sources.ts";

const within = (path: string, part: string) => path === part || path.startsWith(`${part}/`);

function isAllowed(rule: Rule, file: string, specifier: string): boolean {
  if (specifier.startsWith("node:") || specifier === "bun" || specifier === "bun:ffi") return true;
  if (!specifier.startsWith(".")) return rule.packages.some((name) => within(specifier, name));
  const target = targetOf(file, specifier);
  // Build products outside src are files to embed, not code.
  if (target.startsWith("../build/")) return true;
  return within(target, rule.part) || rule.may.some((part) => within(target, part));
}

/** `sources`: the TypeScript of src by path. */
export function arrowFaults(sources: Sources): string[] {
  return [...sources].flatMap(([file, text]) => {
    const rule = rules.find(({ part }) => within(file, part));
    return importsIn(text)
      .filter(({ specifier }) => rule === undefined || !isAllowed(rule, file, specifier))
      .map(({ specifier }) => `src/${file} must not import ${specifier}`);
  });
}

const roomOf = (path: string): string => path.split("/")[0] ?? "";

/** Rules that name a part above their own. Below one room, a folder may need the others. */
export function upwardFaults(table: readonly Rule[] = rules): string[] {
  const rooms = [...new Set(table.map(({ part }) => roomOf(part)))];
  const heightOf = (path: string) => rooms.indexOf(roomOf(path));
  return table.flatMap(({ part, may }) =>
    may
      .filter((other) => !other.startsWith("../") && heightOf(other) > heightOf(part))
      .map((other) => `the rule of src/${part} names ${other}, which stands above it`),
  );
}
