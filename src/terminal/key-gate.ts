/**
 * Stands between the keyboard and the line editor: keys typed while a line runs wait until it is done, so that they never
 * mix with its output, and a pasted block is kept together. Knows bytes and lines, not what they mean.
 */
import { Readable } from "node:stream";
import { StringDecoder } from "node:string_decoder";

const CTRL_C = "\x03";
const PASTE_START = "\x1b[200~";
const PASTE_END = "\x1b[201~";
/** No key that is pressed alone ends like this. */
const BEGUN_MARK = /\x1b\[20?0?$/;
/** Ask the screen to mark what is pasted, and not to any more. */
export const MARK_PASTES = "\x1b[?2004h";
export const UNMARK_PASTES = "\x1b[?2004l";

/** The part of `process.stdin` that is needed. */
type KeySource = NodeJS.ReadableStream & {
  readonly isTTY?: boolean;
  setRawMode?(isRaw: boolean): unknown;
};

interface KeyGateEvents {
  /** Ctrl+C while a line runs. */
  interrupt(): void;
  /** Enter, and nothing else, while a line runs. True: it has been used. */
  enter(): boolean;
}

interface Piece {
  readonly text: string;
  /** A line of a pasted block that has more lines. */
  readonly isInner: boolean;
}

export class KeyGate extends Readable {
  readonly isTTY = true;
  /** The line that is being delivered is followed by more of the same block. */
  isInner = false;
  readonly #source: KeySource;
  readonly #events: KeyGateEvents;
  readonly #decoder = new StringDecoder("utf8");
  readonly #pieces: Piece[] = [];
  readonly #listener = (bytes: Buffer) => this.#hear(this.#decoder.write(bytes));
  /** The beginning of a mark whose rest is still to come. */
  #carried = "";
  /** What came of a paste that has not ended yet. */
  #paste: string | undefined;
  #busy: Promise<unknown> | undefined;
  #isPumping = false;

  constructor(source: KeySource, events: KeyGateEvents) {
    super({ read: () => undefined });
    this.#source = source;
    this.#events = events;
    source.on("data", this.#listener);
    source.on("end", () => this.push(null));
  }

  /** The line editor calls this; the keyboard behind obeys. */
  setRawMode(isRaw: boolean): this {
    if (this.#source.isTTY === true) this.#source.setRawMode?.(isRaw);
    return this;
  }

  /** Nothing passes until `work` has settled. */
  holdWhile(work: Promise<unknown>): void {
    this.#busy = work;
    void work.finally(() => {
      if (this.#busy === work) this.#busy = undefined;
    });
  }

  stop(): void {
    this.#source.off("data", this.#listener);
    this.#source.pause();
    this.setRawMode(false);
  }

  #hear(text: string): void {
    const whole = this.#carried + text;
    this.#carried = BEGUN_MARK.exec(whole)?.[0] ?? "";
    this.#receive(whole.slice(0, whole.length - this.#carried.length));
  }

  #receive(text: string): void {
    if (text === "") return;
    if (this.#paste !== undefined) return this.#continuePaste(text);
    if (this.#busy !== undefined && text.includes(CTRL_C)) {
      this.#pieces.length = 0;
      this.#events.interrupt();
      return this.#receive(text.slice(text.lastIndexOf(CTRL_C) + 1));
    }
    if (this.#busy !== undefined && /^[\r\n]$/.test(text) && this.#events.enter()) return;
    const start = text.indexOf(PASTE_START);
    this.#add(start === -1 ? text : text.slice(0, start));
    if (start === -1) return;
    this.#paste = "";
    this.#continuePaste(text.slice(start + PASTE_START.length));
  }

  #continuePaste(text: string): void {
    const whole = (this.#paste ?? "") + text;
    const end = whole.indexOf(PASTE_END);
    this.#paste = end === -1 ? whole : undefined;
    if (end === -1) return;
    this.#addBlock(whole.slice(0, end));
    this.#receive(whole.slice(end + PASTE_END.length));
  }

  /** One piece for each line and each Tab, since either may start something that holds up the next. */
  #add(text: string): void {
    for (const [piece] of text.matchAll(/\t|[^\r\n\t]*(?:\r\n|\r|\n)|[^\r\n\t]+/g))
      this.#pieces.push({ text: piece, isInner: false });
    void this.#pumpAsync();
  }

  #addBlock(block: string): void {
    const lines = plainText(block).split("\n");
    const last = lines.pop() ?? "";
    lines.forEach((line, index) => {
      const isLast = index === lines.length - 1 && last === "";
      this.#pieces.push({ text: `${line}\r`, isInner: !isLast });
    });
    if (last !== "") this.#pieces.push({ text: last, isInner: false });
    void this.#pumpAsync();
  }

  async #idleAsync(): Promise<void> {
    while (this.#busy !== undefined) {
      await this.#busy;
      // The editor draws its next prompt first.
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  async #pumpAsync(): Promise<void> {
    if (this.#isPumping) return;
    this.#isPumping = true;
    for (;;) {
      await this.#idleAsync();
      const piece = this.#pieces.shift();
      if (piece === undefined) break;
      this.isInner = piece.isInner;
      // At once and not through the stream's buffer: when this returns, the editor has said whether there is work.
      this.emit("data", Buffer.from(piece.text));
    }
    this.#isPumping = false;
  }
}

/** Pasted text must not press keys: no controls, and tabs as blanks. */
function plainText(block: string): string {
  return block
    .replace(/\r\n?/g, "\n")
    .replaceAll("\t", "  ")
    .replace(/[\u0000-\u0009\u000b-\u001f\u007f]/g, "");
}
