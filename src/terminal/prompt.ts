/** The prompt: node's line editor with its history, search and multi-line editing, around a shell. */
import { Recoverable, REPLServer, start } from "node:repl";
import type { SessionCommandContext } from "../commands/define.ts";
import { completeLineAsync } from "./completion.ts";
import { prepareHistoryFile } from "./history-file.ts";
import { KeyGate, MARK_PASTES, UNMARK_PASTES } from "./key-gate.ts";
import { Presence } from "./presence.ts";
import { PromptScreen } from "./prompt-screen.ts";
import { connectedText, Shell } from "./shell.ts";
import { StudioLog } from "./studio-log.ts";

const PROMPT = "> ";
/** A dot-command that takes longer goes on until it is told to stop, as a followed log does. */
const STOP_NOTE_MS = 500;
/** The types of node:repl leave this out, though its editor takes it. */
const historyOptions = { historySize: 1_000 };

/** Resolves when the person has left, or the process is told to end. */
export async function runPromptAsync(context: SessionCommandContext): Promise<void> {
  const screen = new PromptScreen(process.stdout);
  const log = new StudioLog(screen.show);
  const shell = new Shell(context, {
    show: (emission) => {
      if (log.admits(emission)) screen.show(emission);
    },
    clear: screen.clear,
    status: screen.status,
    attached: (session) => log.follow(context.bridge, session?.sessionId),
  });
  const gate = new KeyGate(process.stdin, {
    interrupt: () => shell.cancel(),
    enter: () => shell.isDotLineRunning && shell.cancel(),
  });
  const leaveRawMode = () => gate.stop();
  process.once("exit", leaveRawMode);
  screen.show({
    stream: "stdout",
    text: () => `${connectedText(context.session)}\nType .help for commands, .exit to disconnect.\n`,
  });
  const repl = openEditor(shell, gate, screen);
  using _presence = new Presence(shell);
  const closed = new Promise<void>((resolve) => repl.once("exit", resolve));
  const abort = () => repl.close();
  context.signal.addEventListener("abort", abort, { once: true });
  try {
    await closed;
  } finally {
    context.signal.removeEventListener("abort", abort);
    screen.close();
    shell.cancel();
    log.follow(context.bridge, undefined);
    gate.stop();
    process.off("exit", leaveRawMode);
    // `.exit` has ended its line already.
    process.stdout.write(shell.isExiting ? UNMARK_PASTES : `${UNMARK_PASTES}\n`);
  }
}

function openEditor(shell: Shell, gate: KeyGate, screen: PromptScreen): REPLServer {
  const repl = start({
    ...historyOptions,
    prompt: PROMPT,
    input: gate,
    output: process.stdout,
    terminal: true,
    useGlobal: true,
    ignoreUndefined: true,
    preview: false,
    completer: (line: string, done: (error: null, result: [string[], string]) => void) => {
      const work = completeLineAsync(shell, line).then((result) => done(null, result));
      gate.holdWhile(work);
    },
    eval: (text, _context, _file, done) => {
      if (gate.isInner) return done(new Recoverable(new SyntaxError("pasted")), undefined);
      const work = submitAsync(repl, shell, screen, text.replace(/\r\n?/g, "\n").trimEnd());
      gate.holdWhile(work);
      void work.then((isUnfinished) =>
        isUnfinished
          ? done(new Recoverable(new SyntaxError("unfinished")), undefined)
          : done(null, undefined),
      );
    },
  });
  answerDotLines(repl, shell, gate, screen);
  screen.attach(repl);
  process.stdout.write(MARK_PASTES);
  keepHistory(repl, shell, gate);
  return repl;
}

function answerDotLines(repl: REPLServer, shell: Shell, gate: KeyGate, screen: PromptScreen): void {
  const run = (keyword: string, rest: string) => {
    const work = submitAsync(repl, shell, screen, `.${keyword} ${rest}`);
    gate.holdWhile(work);
    const note = setTimeout(() => shell.say("(press Enter to stop)"), STOP_NOTE_MS);
    void work.then(() => {
      clearTimeout(note);
      if (!shell.isExiting) repl.displayPrompt();
    });
  };
  // The editor looks up the word after the dot here; any word at all is ours to answer.
  const answer = (keyword: string | symbol) => ({ action: (rest: string) => run(String(keyword), rest) });
  Object.assign(repl, { commands: new Proxy({}, { get: (_, keyword) => answer(keyword) }) });
}

function keepHistory(repl: REPLServer, shell: Shell, gate: KeyGate): void {
  const path = prepareHistoryFile();
  if (path === undefined) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  gate.holdWhile(promise);
  repl.setupHistory(path, (error) => {
    if (error !== null) shell.say(`History is not kept: ${error.message}`);
    resolve();
  });
}

/** True where the text is not finished. */
async function submitAsync(
  repl: REPLServer,
  shell: Shell,
  screen: PromptScreen,
  text: string,
): Promise<boolean> {
  screen.isEditing = false;
  const submitted = await shell.submitAsync(text);
  screen.isEditing = true;
  if (shell.isExiting) repl.close();
  return submitted === "more";
}
