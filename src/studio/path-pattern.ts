/** Turns a path pattern into the paths that exist. `*` stands for any part of one name, never for a separator. */
import { pathsOf } from "./machine.ts";
import type { Machine } from "./machine.ts";

export function matchingPaths(pattern: string, machine: Machine): string[] {
  const { sep } = pathsOf(machine);
  const [root = "", ...names] = pattern.split(sep);
  let found = [root === "" ? sep : root + sep];
  for (const name of names) found = found.flatMap((folder) => step(folder, name, machine));
  return found;
}

function step(folder: string, name: string, machine: Machine): string[] {
  const { join } = pathsOf(machine);
  if (!name.includes("*")) {
    const path = join(folder, name);
    return machine.files.kind(path) === undefined ? [] : [path];
  }
  const [before = "", after = ""] = name.split("*");
  return machine.files
    .names(folder)
    .filter((each) => each.length >= name.length - 1 && each.startsWith(before) && each.endsWith(after))
    .map((each) => join(folder, each));
}
