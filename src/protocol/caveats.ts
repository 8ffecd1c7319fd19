/**
 * How a headless Studio has differed from Roblox Studio: the form of this in results of commands and of test runs, and
 * its sums.
 */
import type { ActionResult } from "./actions.ts";
import { defineSchema, type OutputOf, type Zod } from "./schema.ts";

/** For the output of a command; absent where there is nothing to tell. */
export const caveatFields = (z: Zod) => ({
  /** Events that never fire in headless Studio, and how often scripts of the place connected to them or waited for them. */
  neverFires: z
    .array(
      z.object({
        event: z.string(),
        connections: z.int().positive(),
        /** The words of `sb` that make it fire; absent where there are none. */
        cure: z.string().optional(),
      }),
    )
    .optional(),
  /** Instances whose shape was taken for a simpler one, by class. */
  approximated: z.array(z.object({ class: z.string(), count: z.int().positive() })).optional(),
});
const caveatsSchema = defineSchema((z) => z.object(caveatFields(z)));
export type CaveatFields = OutputOf<typeof caveatsSchema>;

export const hasCaveats = ({ neverFires, approximated }: CaveatFields): boolean =>
  neverFires !== undefined || approximated !== undefined;

export type Counted = ActionResult<"queryCaveats">;

export const NOTHING_COUNTED: Counted = { neverFires: [], approximated: [] };

/** What was counted after `before` was. */
export function difference(after: Counted, before: Counted): Counted {
  const connections = new Map(before.neverFires.map((row) => [row.event, row.connections]));
  const counts = new Map(before.approximated.map((row) => [row.class, row.count]));
  return {
    neverFires: after.neverFires
      .map((row) => ({ ...row, connections: row.connections - (connections.get(row.event) ?? 0) }))
      .filter((row) => row.connections > 0),
    approximated: after.approximated
      .map((row) => ({ ...row, count: row.count - (counts.get(row.class) ?? 0) }))
      .filter(({ count }) => count > 0),
  };
}

/** What several Studios have counted together. */
export function sumOf(all: readonly Counted[]): Counted {
  const connections = new Map<string, number>();
  const counts = new Map<string, number>();
  for (const { neverFires, approximated } of all) {
    for (const row of neverFires)
      connections.set(row.event, row.connections + (connections.get(row.event) ?? 0));
    for (const row of approximated) counts.set(row.class, row.count + (counts.get(row.class) ?? 0));
  }
  return {
    neverFires: [...connections]
      .map(([event, sum]) => ({ event, connections: sum }))
      .sort((one, other) => other.connections - one.connections),
    approximated: [...counts]
      .map(([name, count]) => ({ class: name, count }))
      .sort((one, other) => other.count - one.count),
  };
}
