/** The prompt of node:repl around a shell: submits what is typed, and gives each key to those who know what it means. */
import type { REPLServer } from "node:repl";
import { completeTextAsync } from "./completion.ts";
import { Editor, isEnter } from "./editor.ts";
import type { Key } from "./editor.ts";
import { HistoryKeys } from "./history-keys.ts";
import { History } from "./history.ts";
import type { KeyGate } from "./key-gate.ts";
import type { PromptScreen } from "./prompt-screen.ts";
import type { Shell, Submitted } from "./shell.ts";

// Asked for by name, so that the build does not store its bytecode: 270 KB for one millisecond.
const { start } = process.getBuiltinModule("node:repl");

const PROMPT = "> ";
/** A dot-command that takes longer goes on until it is told to stop, as a followed log does. */
const STOP_NOTE_MS = 500;
/** Its own history takes texts of several lines apart. The types of node:repl leave this out. */
const noHistory = { historySize: 0 };

export class PromptEditor {
  /** Resolves when it was left. */
  readonly closed: Promise<void>;
  readonly #shell: Shell;
  readonly #gate: KeyGate;
  readonly #screen: PromptScreen;
  readonly #repl: REPLServer;
  readonly #editor: Editor;
  readonly #history = History.open();
  readonly #keys: HistoryKeys;

  constructor(shell: Shell, gate: KeyGate, screen: PromptScreen) {
    this.#shell = shell;
    this.#gate = gate;
    this.#screen = screen;
    this.#repl = this.#start();
    this.#editor = new Editor(this.#repl, (typed, key) => this.#press(typed, key));
    this.#keys = new HistoryKeys(this.#editor, this.#history);
    this.closed = new Promise((resolve) => this.#repl.once("exit", resolve));
    screen.attach(this.#editor);
  }

  close(): void {
    this.#repl.close();
  }

  #start(): REPLServer {
    const repl = start({
      ...noHistory,
      prompt: PROMPT,
      input: this.#gate,
      output: process.stdout,
      terminal: true,
      useGlobal: true,
      ignoreUndefined: true,
      preview: false,
      completer: (text: string, done: (error: null, result: [string[], string]) => void) => {
        this.#gate.holdWhile(completeTextAsync(this.#shell, text).then((result) => done(null, result)));
      },
      eval: (text, _context, _file, done) => {
        if (this.#gate.isInner) return this.#editor.resume();
        const work = this.#submitAsync(text.replace(/\r\n?/g, "\n").trimEnd());
        this.#gate.holdWhile(
          work.then((submitted) => (submitted === "more" ? this.#editor.resume() : done(null, undefined))),
        );
      },
    });
    // The editor looks up the word after a dot here; any word at all is the shell's to answer.
    const answer = (keyword: string | symbol) => ({
      action: (rest: string) =>
        this.#runDotLine(`.${String(keyword)} ${rest}`, () => this.#repl.displayPrompt()),
    });
    Object.assign(repl, { commands: new Proxy({}, { get: (_, keyword) => answer(keyword) }) });
    return repl;
  }

  #press(typed: string | undefined, key: Key): boolean {
    if (this.#keys.press(typed, key)) return true;
    return isEnter(key) && !this.#gate.isInner && this.#enterInBlock();
  }

  /** A dot-command below unfinished text does its work, and the text is still there afterwards. */
  #enterInBlock(): boolean {
    const { text, cursor } = this.#editor;
    const end = text.lastIndexOf("\n") + 1;
    const line = text.slice(end);
    if (end === 0 || cursor !== text.length || !this.#shell.isDotCommand(line)) return false;
    this.#editor.leave();
    this.#runDotLine(line, () => this.#editor.show(text.slice(0, end)));
    return true;
  }

  #runDotLine(line: string, goOn: () => void): void {
    const note = setTimeout(() => this.#shell.say("(press Enter to stop)"), STOP_NOTE_MS);
    const work = this.#submitAsync(line);
    this.#gate.holdWhile(
      work.then(() => {
        clearTimeout(note);
        if (!this.#shell.isExiting) goOn();
      }),
    );
  }

  async #submitAsync(text: string): Promise<Submitted> {
    this.#screen.isEditing = false;
    const submitted = await this.#shell.submitAsync(text);
    this.#screen.isEditing = true;
    if (submitted === "done") this.#history.add(text.trimEnd());
    if (this.#shell.isExiting) this.#repl.close();
    return submitted;
  }
}
