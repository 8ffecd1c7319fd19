/** Makes keys and pasted blocks of the bytes of a keyboard. Does not know what they mean. */
import { emitKeypressEvents } from "node:readline";
import { Readable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import type { Key } from "./key.ts";

export type KeyboardEvent =
  { readonly kind: "key"; readonly key: Key } | { readonly kind: "paste"; readonly text: string };

/** The part of `process.stdin` that is needed. */
export type KeySource = NodeJS.ReadableStream & {
  readonly isTTY?: boolean;
  setRawMode?(isRaw: boolean): unknown;
};

const PASTE_START = "\x1b[200~";
const PASTE_END = "\x1b[201~";

export class KeyInput {
  readonly #source: KeySource;
  readonly #hear: (event: KeyboardEvent) => void;
  readonly #utf8 = new StringDecoder("utf8");
  /** `node:readline` decodes what this stream carries, during the call that hands it over. */
  readonly #keys = new Readable({ read: () => undefined });
  readonly #listener = (bytes: Buffer) => this.#receive(this.#utf8.write(bytes));
  /** The last characters outside of a paste, which may be the beginning of its mark. */
  #recent = "";
  /** What came of a paste that has not ended yet. */
  #paste: string | undefined;

  constructor(source: KeySource, hear: (event: KeyboardEvent) => void) {
    this.#source = source;
    this.#hear = hear;
    emitKeypressEvents(this.#keys);
    this.#keys.on("keypress", (typed: string | undefined, key: Key) => {
      const isMark = key.name === "paste-start" || key.name === "paste-end";
      if (!isMark) hear({ kind: "key", key: { ...key, typed } });
    });
  }

  start(): void {
    this.setRawMode(true);
    this.#source.on("data", this.#listener);
    this.#source.resume();
  }

  stop(): void {
    this.#source.off("data", this.#listener);
    this.#source.pause();
    this.setRawMode(false);
  }

  /** In raw mode each key is reported at once, and none is shown or acted on by the system. */
  setRawMode(isRaw: boolean): void {
    if (this.#source.isTTY === true) this.#source.setRawMode?.(isRaw);
  }

  #receive(text: string): void {
    if (text === "") return;
    if (this.#paste !== undefined) return this.#continuePaste(this.#paste, text);
    const whole = this.#recent + text;
    const start = whole.indexOf(PASTE_START);
    const end = start === -1 ? whole.length : start + PASTE_START.length;
    this.#recent = start === -1 ? whole.slice(-(PASTE_START.length - 1)) : "";
    // The decoder is given the mark too: it may have had the beginning of it already.
    this.#keys.emit("data", Buffer.from(whole.slice(whole.length - text.length, end)));
    if (start !== -1) this.#continuePaste("", whole.slice(end));
  }

  #continuePaste(before: string, text: string): void {
    const whole = before + text;
    // The mark may have begun in what came before.
    const end = whole.indexOf(PASTE_END, Math.max(0, before.length - PASTE_END.length));
    this.#paste = end === -1 ? whole : undefined;
    if (end === -1) return;
    this.#hear({ kind: "paste", text: plainText(whole.slice(0, end)) });
    this.#receive(whole.slice(end + PASTE_END.length));
  }
}

/** Pasted text must not press keys: no controls, and tabs as blanks. */
function plainText(block: string): string {
  return block
    .replace(/\r\n?/g, "\n")
    .replaceAll("\t", "  ")
    .replace(/[\u0000-\u0009\u000b-\u001f\u007f]/g, "");
}
