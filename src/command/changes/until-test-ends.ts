/** What the results of changing calls say in a play test: the changes are gone when the test ends. */
import type { SessionInfo } from "../../protocol/network.ts";
import type { Zod } from "../../protocol/schema.ts";

/** The field of a result; absent in the edited place, where changes last. */
export const untilTestEndsField = (z: Zod) => ({ untilTestEnds: z.literal(true).optional() });

export function untilTestEnds({ context }: Pick<SessionInfo, "context">): { readonly untilTestEnds?: true } {
  return context === "edit" ? {} : { untilTestEnds: true };
}
