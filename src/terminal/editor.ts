/**
 * The line editor inside node:repl, where its public surface ends: its text, its keys, what it has drawn. All that is
 * known about its inside stands here. It must not know what the text means.
 */
import type { REPLServer } from "node:repl";

export interface Key {
  readonly name?: string;
  readonly sequence?: string;
  readonly ctrl?: boolean;
  readonly meta?: boolean;
  readonly shift?: boolean;
}

/** True: the key has been used, and the editor does not see it. */
type KeyHandler = (typed: string | undefined, key: Key) => boolean;

/** How the editor begins each further line of a text. */
const FURTHER_LINE = "| ";

export class Editor {
  readonly #repl: REPLServer;
  readonly #home: string;
  #submitted = { text: "", cursor: 0 };

  constructor(repl: REPLServer, onKey: KeyHandler) {
    this.#repl = repl;
    this.#home = repl.getPrompt();
    const press = methodOf(repl, "_ttyWrite");
    const hear = (typed: string | undefined, key: Key = {}) => {
      if (onKey(typed, key)) return;
      if (isEnter(key)) {
        this.#submitted = { text: this.text, cursor: this.cursor };
        this.#assign({ text: this.text, cursor: this.cursor });
      }
      press(typed, key);
    };
    Object.assign(repl, { _ttyWrite: hear });
  }

  get text(): string {
    return this.#repl.line;
  }

  get cursor(): number {
    return this.#repl.cursor;
  }

  /** How far below the first line of the prompt the cursor is on the screen. */
  get rowsAbove(): number {
    return this.#repl.getCursorPos().rows;
  }

  /** Another prompt while something else than a line is typed; without one, its own again. */
  setPrompt(prompt: string = this.#home): void {
    this.#repl.setPrompt(prompt);
  }

  /** Puts `text` in the place of what is edited. */
  show(text: string, cursor = text.length): void {
    this.#assign({ text, cursor });
    this.#repl.prompt(true);
  }

  /** Draws prompt and text where the cursor is now, as though nothing of it were on the screen. */
  redraw(): void {
    Object.assign(this.#repl, { prevRows: 0 });
    this.#repl.prompt(true);
  }

  /** Moves on to the line below the text, which stays on the screen; nothing is edited then. */
  leave(): void {
    methodOf(this.#repl, "clearLine")();
  }

  /** Takes the submitted text back, which its Enter made a line longer. */
  resume(): void {
    const { text, cursor } = this.#submitted;
    const [before, after] = [text.slice(0, cursor), text.slice(cursor)];
    this.#assign({ text, cursor: text.length });
    const rows = this.rowsAbove + 1;
    this.#assign({ text: `${before}\n${after}`, cursor: cursor + 1 });
    if (after !== "") {
      Object.assign(this.#repl, { prevRows: rows });
      return this.#repl.prompt(true);
    }
    // What is there already stays, so that a long text is not drawn again at each of its lines.
    this.#repl.output.write(FURTHER_LINE);
    Object.assign(this.#repl, { prevRows: this.rowsAbove });
  }

  #assign({ text, cursor }: { readonly text: string; readonly cursor: number }): void {
    const symbols = Object.getOwnPropertySymbols(this.#repl);
    const flag = symbols.find(({ description }) => description === "_isMultiline");
    const isMultiline = flag === undefined ? {} : { [flag]: text.includes("\n") };
    Object.assign(this.#repl, { line: text, cursor, ...isMultiline });
  }
}

/** One that the types of node:repl leave out. */
function methodOf(repl: REPLServer, name: string): (...values: unknown[]) => unknown {
  const method: unknown = Reflect.get(repl, name);
  if (typeof method !== "function") throw new Error(`The line editor has no ${name}.`);
  return (...values) => Reflect.apply(method, repl, values);
}

export function isEnter({ name, ctrl, meta }: Key): boolean {
  return (name === "return" || name === "enter") && ctrl !== true && meta !== true;
}
