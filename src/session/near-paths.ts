/** For `catch` behind a request: says what a path that leads nowhere may have meant. */
import type { SessionLink } from "./session-link.ts";

export function tellingNearPaths(
  link: Pick<SessionLink, "callAsync" | "bridge" | "session">,
): (error: unknown) => Promise<never> {
  return async (error) => {
    const { pathFailureAsync } = await import("./path-failure.ts");
    throw await pathFailureAsync(error, link, link);
  };
}
