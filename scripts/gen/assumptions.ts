/**
 * What `sb selftest` knows of each assumption that has an id, and which of them have a probe, a variant of headless Studio in
 * which they do not hold, or a reason why there is no probe.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { VARIANTS } from "../../src/headless/variants.ts";
import { PLAY_ASSUMPTIONS } from "../../src/selftest/play-assumptions.ts";
import { readAssumptionMarks } from "./assumption-marks.ts";

const PROBE_FOLDER = join(import.meta.dir, "../../src/selftest/probes");
/** A probe is a function in the table that a file of the folder returns, under the id of its assumption. */
const PROBE = /^\t\["([a-z0-9-]+)"\] = function/gm;

export interface KnownAssumption {
  readonly id: string;
  readonly text: string;
  readonly path: string;
}

/** The ids of the assumptions that have a probe. */
export function probedIds(): readonly string[] {
  const ofFiles = readdirSync(PROBE_FOLDER)
    .filter((name) => name.endsWith(".luau"))
    .sort()
    .flatMap((name) => [...readFileSync(join(PROBE_FOLDER, name), "utf8").matchAll(PROBE)])
    .map(([, id = ""]) => id);
  return [...ofFiles, ...Object.values(PLAY_ASSUMPTIONS)];
}

/** The variants in which the assumption does not hold. */
export const variantsOf = (id: string): readonly string[] =>
  VARIANTS.filter(({ assumption }) => assumption === id).map(({ name }) => name);

export function knownAssumptions(): readonly KnownAssumption[] {
  return readAssumptionMarks().flatMap(({ id, text, path }) =>
    id === undefined ? [] : [{ id, text, path }],
  );
}
