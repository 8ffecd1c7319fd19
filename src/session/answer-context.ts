/** In which context of a play test a command has worked, and where else something is that it did not find. */
import type { BridgeConnection } from "../bridge/index.ts";
import type { SessionInfo } from "../protocol/network.ts";
import { visibleOnOneLine } from "../util/visible-controls.ts";
import type { SessionLink } from "./session-link.ts";
import { shownPath } from "../tree/instance-path.ts";
import { contextsAsync } from "../play/play-test.ts";

/** How long another context may take to say whether it has a path. */
const LOOK_MS = 2_000;

/** As agents name it: `edit`, `server`, `client`, `client:2`. */
export function contextWord({ context, player }: Pick<SessionInfo, "context" | "player">): string {
  return player === undefined ? context : `${context}:${player.index}`;
}

/** The context of the session; undefined while no test plays in its Studio. */
export async function playedContextOfAsync(
  bridge: BridgeConnection,
  session: SessionInfo,
): Promise<string | undefined> {
  const isPlaying =
    session.state !== "Edit" ||
    (await contextsAsync({ bridge, session })).some(({ context }) => context !== "edit");
  return isPlaying ? contextWord(session) : undefined;
}

/** For people who named no context while a test plays. */
export function contextRemark(context: string): string {
  return context === "edit"
    ? "in the edited place; --context server looks into the running test"
    : `in the ${context} of the running test; --context edit means the edited place`;
}

/** The other contexts of the running test, or the edited place, that have this path; empty for an id. */
async function holdersAsync(
  path: string,
  { bridge, session }: Pick<SessionLink, "bridge" | "session">,
): Promise<readonly SessionInfo[]> {
  if (path.startsWith("@")) return [];
  const others = (await contextsAsync({ bridge, session })).filter(
    ({ sessionId }) => sessionId !== session.sessionId,
  );
  const looks = others.map(async (other) => {
    const request = { path, depth: 0, properties: [] };
    const has = await bridge
      .session(other.sessionId)
      .callAsync("queryDataModel", request, { timeoutMs: LOOK_MS })
      .then(
        () => true,
        () => false,
      );
    return has ? [other] : [];
  });
  return (await Promise.all(looks)).flat();
}

/** A sentence about where else the path exists; undefined if nowhere, or if no test plays. */
export async function elsewhereAsync(
  path: string,
  link: Pick<SessionLink, "bridge" | "session">,
): Promise<string | undefined> {
  const holders = await holdersAsync(path, link).catch(() => []);
  if (holders.length === 0) return undefined;
  const words = holders.map(contextWord);
  const contexts = words.length === 1 ? `the context ${words[0]}` : `the contexts ${words.join(", ")}`;
  return `${visibleOnOneLine(shownPath(path))} exists in ${contexts}.`;
}
