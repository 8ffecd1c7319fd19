/**
 * Finds uses of members that headless Studio refuses. A type checker knows what a member belongs to, so that it is asked twice: the
 * second time with definitions in which the refused members are missing. What it then misses is what headless Studio refuses.
 */
import type { CoveredClass } from "../headless/index.ts";
import { byPlace, type Finding } from "./finding.ts";

export const HEADLESS_REFUSES = "HeadlessRefuses";

const CLASS = /^declare (?:extern type|class) (\w+)/;
const MEMBER = /^\t(?:function )?(\w+)\s*[:(]/;

/** The definitions without the methods and properties that headless Studio refuses. Its events never fire, but they are there. */
export function withoutRefused(definitions: string, coverage: readonly CoveredClass[]): string {
  const refused = new Map(
    coverage.map(({ name, members }) => [
      name,
      new Set(
        members.filter(({ simulated, kind }) => !simulated && kind !== "event").map((member) => member.name),
      ),
    ]),
  );
  let ofClass: ReadonlySet<string> | undefined;
  const kept = definitions.split("\n").filter((line) => {
    const className = CLASS.exec(line)?.[1];
    if (className !== undefined) ofClass = refused.get(className);
    else if (line === "end") ofClass = undefined;
    const member = ofClass === undefined ? undefined : MEMBER.exec(line)?.[1];
    return member === undefined || ofClass?.has(member) !== true;
  });
  return kept.join("\n");
}

/** `Key 'Name' not found in external type 'Class'`, with words that differ from version to version. */
const MISSING = /^Key '(\w+)' (?:is )?not found in .*?(?:type|class) '(\w+)'/;

/** Of what only the second check found, the uses of refused members, in words of their own. */
export function refusedUses(first: readonly Finding[], second: readonly Finding[]): readonly Finding[] {
  const known = new Set(first.map((finding) => JSON.stringify(finding)));
  return second
    .filter((finding) => !known.has(JSON.stringify(finding)))
    .flatMap((finding): Finding[] => {
      const [, member, className] = MISSING.exec(finding.message) ?? [];
      if (member === undefined || className === undefined) return [];
      const message = `Headless Studio does not simulate ${className}.${member}.`;
      return [{ ...finding, severity: "warning", code: HEADLESS_REFUSES, message }];
    })
    .sort(byPlace);
}
