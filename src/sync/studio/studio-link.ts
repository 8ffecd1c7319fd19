/** What a sync needs of a session. */
import type { SessionLink } from "../../session/session-link.ts";
import type { ActionName, ActionRequest, ActionResult } from "../../protocol/actions.ts";

export interface StudioLink extends Pick<SessionLink, "session" | "caller" | "callAsync"> {
  /** Also after the person or the agent has given up, for what must be put in order all the same. */
  callAnywayAsync<Name extends ActionName>(
    name: Name,
    request: ActionRequest<Name>,
    timeoutMs?: number,
  ): Promise<ActionResult<Name>>;
}

export function studioLinkOf(link: SessionLink): StudioLink {
  const { session, caller, bridge } = link;
  return {
    session,
    caller,
    callAsync: (name, request, listeners) => link.callAsync(name, request, listeners),
    callAnywayAsync: (name, request, timeoutMs) =>
      bridge
        .session(session.sessionId)
        .callAsync(name, request, timeoutMs === undefined ? {} : { timeoutMs }),
  };
}
