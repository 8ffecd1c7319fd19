/** What happens at the prompt: gives keys to the line editor, one after the other, and runs what is submitted. */
import { styleOf } from "../util/screen.ts";
import { completeTextAsync } from "./completion.ts";
import { isDotLine } from "./dot-line.ts";
import { candidateList, sharedBeginning } from "./editor/candidates.ts";
import { chordOf, isEnter } from "./editor/key.ts";
import type { Key } from "./editor/key.ts";
import { KeyInput } from "./editor/key-input.ts";
import type { KeyboardEvent, KeySource } from "./editor/key-input.ts";
import { KeyQueue } from "./editor/key-queue.ts";
import type { LineEditor } from "./editor/line-editor.ts";
import type { Action } from "./editor/prompt-state.ts";
import type { History } from "./history.ts";
import type { PromptScreen } from "./prompt-screen.ts";
import type { Repl, Submitted } from "./repl.ts";
import { canSuspend, suspendAsync } from "./suspend.ts";

/** A dot-command that takes longer goes on until it is told to stop, as a followed log does. */
const STOP_NOTE_MS = 500;

interface Parts {
  readonly repl: Repl;
  readonly editor: LineEditor;
  readonly history: History;
  readonly screen: PromptScreen;
  readonly keyboard: KeySource;
}

export class PromptLoop {
  /** Resolves when the person has left. */
  readonly closed: Promise<void>;
  /** Ends the loop. */
  readonly close: () => void;
  readonly #parts: Parts;
  readonly #input: KeyInput;
  readonly #queue: KeyQueue;
  /** The last key was Ctrl+C at an empty prompt; another one leaves. */
  #isLeaving = false;

  constructor(parts: Parts) {
    this.#parts = parts;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.closed = promise;
    this.close = resolve;
    this.#queue = new KeyQueue({
      take: (event) => this.#take(event),
      interrupt: () => parts.repl.cancel(),
      useNow: (key) => this.#useNow(key),
    });
    this.#input = new KeyInput(parts.keyboard, this.#queue.add);
  }

  /** From now on, keys are heard. */
  start(): void {
    this.#input.start();
    this.#parts.screen.markPastes(true);
  }

  /** Gives the keyboard and the screen back as they were. */
  readonly stop = (): void => {
    this.#parts.editor.leave();
    this.#parts.screen.markPastes(false);
    this.#input.stop();
  };

  #take(event: KeyboardEvent): Promise<void> | undefined {
    if (event.kind === "paste") return this.#paste(event.text);
    const wasLeaving = this.#isLeaving;
    this.#isLeaving = false;
    const action = this.#parts.editor.press(event.key);
    return action === undefined ? undefined : this.#act(action, wasLeaving);
  }

  #act(action: Action, wasLeaving: boolean): Promise<void> | undefined {
    switch (action) {
      case "submit":
        return this.#submitAsync();
      case "complete":
        return this.#completeAsync();
      case "suspend":
        return canSuspend ? this.#suspendAsync() : undefined;
      case "cancel":
        return void this.#cancel(wasLeaving);
      case "clear":
        return void this.#parts.screen.clearVisible();
      case "end":
        return void this.close();
    }
  }

  /** While a line runs, Enter ends a dot-command that only shows things, and Ctrl+Z stops the process. */
  #useNow(key: Key): boolean {
    const { repl } = this.#parts;
    if (isEnter(key)) return repl.isDotLineRunning && repl.cancel();
    if (chordOf(key) !== "ctrl+z" || !canSuspend) return false;
    void this.#suspendAsync();
    return true;
  }

  /** A block that ends with a line break runs. Dot-commands at its start run one by one, the rest as one text. */
  #paste(block: string): Promise<void> | undefined {
    const { editor } = this.#parts;
    const { text, cursor } = editor;
    const [first = "", ...rest] = (text === "" ? withoutBlankStart(block) : block).split("\n");
    if (text === "" && rest.length > 0 && isDotLine(first)) {
      this.#queue.addFirst({ kind: "paste", text: rest.join("\n") });
      editor.insert(first);
      return this.#submitAsync();
    }
    const runs = rest.length > 0 && rest.at(-1) === "" && cursor === text.length;
    editor.insert([first, ...(runs ? rest.slice(0, -1) : rest)].join("\n"));
    return runs ? this.#submitAsync() : undefined;
  }

  async #submitAsync(): Promise<void> {
    const { repl, editor } = this.#parts;
    const { text, cursor } = editor;
    const lastLine = text.lastIndexOf("\n") + 1;
    const hasTextAbove = text.slice(0, lastLine).trim() !== "";
    const isDotCommandBelow =
      hasTextAbove && cursor === text.length && repl.isDotCommand(text.slice(lastLine));
    editor.leave();
    if (isDotCommandBelow) {
      await this.#runAsync(text.slice(lastLine));
      editor.forget();
      editor.show({ text: text.slice(0, lastLine), cursor: lastLine });
    } else if ((await this.#runAsync(text.trimEnd())) === "more") {
      editor.insert("\n");
    } else {
      editor.forget();
      editor.clear();
    }
    if (repl.isExiting) this.close();
    else editor.drawOn();
  }

  async #runAsync(text: string): Promise<Submitted> {
    const { repl, history } = this.#parts;
    const note = isDotLine(text)
      ? setTimeout(() => repl.say("(press Enter to stop)"), STOP_NOTE_MS)
      : undefined;
    const submitted = await repl.submitAsync(text);
    clearTimeout(note);
    if (submitted === "done") history.add(text);
    return submitted;
  }

  async #completeAsync(): Promise<void> {
    const { repl, editor, screen } = this.#parts;
    const [candidates, fragment] = await completeTextAsync(repl, editor.text.slice(0, editor.cursor));
    const shared = sharedBeginning(candidates);
    if (shared.length > fragment.length) return editor.insert(shared.slice(fragment.length));
    if (candidates.length < 2) return;
    const maxRows = Math.max(3, screen.rows - 5);
    const text = () => candidateList(candidates, styleOf(1).columns, maxRows);
    screen.show({ stream: "stdout", text });
  }

  #cancel(wasLeaving: boolean): void {
    const { repl, editor } = this.#parts;
    if (editor.text !== "") {
      editor.leave();
      editor.clear();
      editor.draw();
    } else if (wasLeaving) {
      this.close();
    } else {
      this.#isLeaving = true;
      repl.say("(press Ctrl+C again to leave, or Ctrl+D)");
    }
  }

  async #suspendAsync(): Promise<void> {
    const { editor, screen } = this.#parts;
    const { isDrawn } = editor;
    editor.leave();
    screen.markPastes(false);
    this.#input.setRawMode(false);
    await suspendAsync();
    this.#input.setRawMode(true);
    screen.markPastes(true);
    editor.forget();
    if (isDrawn) editor.draw();
  }
}

function withoutBlankStart(block: string): string {
  return block.replace(/^\s*\n/, "");
}
