/** What results of changing calls say about a play test: what they change is gone when the test ends. */
import type { SessionInfo } from "../../protocol/network.ts";

export function untilTestEnds({ context }: Pick<SessionInfo, "context">): { readonly untilTestEnds?: true } {
  return context === "edit" ? {} : { untilTestEnds: true };
}
