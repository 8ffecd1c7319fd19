/**
 * Marks of assumptions can be referred to: each one of the plugin has an id, no two have the same, and what belongs to an
 * id, such as a probe of `sb selftest`, has a mark.
 */
import type { AssumptionMark } from "../gen/assumption-marks.ts";

const ID = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;

/** `referred`: what refers to an id, by a name for people. One line for each fault. */
export function assumptionFaults(
  marks: readonly AssumptionMark[],
  referred: readonly { readonly by: string; readonly id: string }[],
): string[] {
  const faults: string[] = [];
  const paths = new Map<string, string>();
  for (const { id, path } of marks) {
    if (id === undefined) {
      if (path.startsWith("plugin/"))
        faults.push(`${path}: a mark of the plugin needs an id: UNVERIFIED(id):`);
      continue;
    }
    if (!ID.test(id)) faults.push(`${path}: the id of an assumption is words with hyphens, not "${id}"`);
    const other = paths.get(id);
    if (other !== undefined) faults.push(`${path}: the assumption ${id} is in ${other} already`);
    paths.set(id, path);
  }
  const lost = referred.filter(({ id }) => !paths.has(id));
  return [...faults, ...lost.map(({ by, id }) => `${by}: there is no assumption ${id}`)];
}

/** An assumption with an id has either a probe or a reason why there is none. */
export function unprobedFaults(
  marks: readonly AssumptionMark[],
  probed: readonly string[],
  reasons: readonly string[],
): string[] {
  return marks.flatMap(({ id, path }) =>
    id === undefined || probed.includes(id) !== reasons.includes(id)
      ? []
      : [`${path}: the assumption ${id} needs either a probe or a reason in unprobed.ts`],
  );
}
