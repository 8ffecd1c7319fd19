/** What a headless Studio in the foreground shows: its Output, and its play sessions as they come and go. */
import type { BridgeCommandContext } from "../../command-kit/context.ts";
import { droppedNote, logLine } from "../../command-kit/scripts/log-line.ts";
import { sessionNews } from "../../session/session-messages.ts";
import { StudioBridgeError } from "../../protocol/errors.ts";
import type { SessionInfo } from "../../protocol/network.ts";

/**
 * `first` is its edit session. After a script has used up the memory, the next Studio of the same launch has another. While
 * the Studio ends, the end of its sessions is no news.
 */
export function showStudio(
  first: SessionInfo,
  { bridge, signal, emit }: BridgeCommandContext,
  isEnding: () => boolean,
): Disposable {
  const { launchId } = first;
  void followAsync(first.sessionId);
  const stop = bridge.onSessionEvent(({ event, session }) => {
    if (session.launchId !== launchId || event === "state-changed") return;
    if (signal.aborted || isEnding()) return;
    emit({ stream: "stderr", text: (style) => style.dim(sessionNews(event, session)) });
    if (event === "connected" && session.context === "edit") void followAsync(session.sessionId);
  });
  return { [Symbol.dispose]: stop };

  /** The edit session hears of the lines of every DataModel. */
  async function followAsync(sessionId: string): Promise<void> {
    const onDropped = (count: number) => emit(droppedNote(count));
    try {
      await bridge.session(sessionId).subscribeAsync(
        ["logPush"],
        (push) => {
          if (push.event !== "logPush") return;
          const { entries, dropped = 0 } = push.payload;
          if (dropped > 0) onDropped(dropped);
          for (const entry of entries)
            emit({ stream: "stdout", text: (style) => logLine(entry, style), json: entry });
        },
        { onDropped },
      );
    } catch (error) {
      // A Studio that is gone again has nothing to show.
      if (!(error instanceof StudioBridgeError)) throw error;
    }
  }
}
