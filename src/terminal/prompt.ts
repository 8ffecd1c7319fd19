/** A terminal with a person at it: puts keyboard, line editor, screen and Studio's log around one REPL. */
import type { Command } from "../command-kit/definition.ts";
import type { SessionCommandContext } from "../command-kit/context.ts";
import { LineEditor } from "./editor/line-editor.ts";
import { History } from "./history.ts";
import { Presence } from "./presence.ts";
import { PromptLoop } from "./prompt-loop.ts";
import { PromptScreen } from "./prompt-screen.ts";
import { promptLabel } from "./followed-context.ts";
import { connectedText, Repl } from "./repl.ts";
import { StudioLog } from "./studio-log.ts";

/** Resolves when the person has left, or the process is told to end. */
export async function runPromptAsync(
  context: SessionCommandContext,
  commands: readonly Command[],
): Promise<void> {
  const history = History.open();
  const editor = new LineEditor(process.stdout, history.entries);
  const screen = new PromptScreen(process.stdout, editor);
  const log = new StudioLog(screen.show, () => repl.isLogShown);
  const repl: Repl = new Repl(context, commands, {
    show: (emission) => {
      if (log.admits(emission)) screen.show(emission);
    },
    clear: screen.clear,
    status: screen.status,
    attached: (session) => {
      log.follow(context.bridge, session?.sessionId);
      editor.label = promptLabel(session);
    },
  });
  const loop = new PromptLoop({ repl, editor, history, screen, keyboard: process.stdin });
  const resize = () => editor.resize();
  process.stdout.on("resize", resize);
  process.once("exit", loop.stop);
  context.signal.addEventListener("abort", loop.close, { once: true });
  loop.start();
  screen.show({
    stream: "stdout",
    text: () => `${connectedText(context.session)}\nType .help for commands, .exit to disconnect.\n`,
  });
  editor.draw();
  using _presence = new Presence(repl);
  try {
    await loop.closed;
  } finally {
    context.signal.removeEventListener("abort", loop.close);
    process.stdout.off("resize", resize);
    process.off("exit", loop.stop);
    screen.close();
    repl.cancel();
    log.follow(context.bridge, undefined);
    loop.stop();
  }
}
