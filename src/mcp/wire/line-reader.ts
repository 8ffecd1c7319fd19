/**
 * Splits bytes into lines of strict UTF-8. Knows nothing of JSON: it drops carriage returns, blank lines and a byte order
 * mark, and reports lines that are too long or not UTF-8.
 */

export type Line =
  | { readonly kind: "text"; readonly text: string; readonly bytes: number }
  | { readonly kind: "not-utf-8" | "too-long"; readonly bytes: number };

const LINE_LIMIT_BYTES = 64 * 1024 * 1024;
const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf] as const;

export class LineReader {
  readonly #limitBytes: number;
  readonly #decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  #pieces: Uint8Array[] = [];
  #heldBytes = 0;
  /** The rest of a line that was too long is not kept. */
  #isSkipping = false;

  constructor(limitBytes = LINE_LIMIT_BYTES) {
    this.#limitBytes = limitBytes;
  }

  /** The lines that these bytes complete. The bytes must not change afterwards. */
  *push(bytes: Uint8Array): Generator<Line> {
    let start = 0;
    for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, start)) {
      const overflow = this.#hold(bytes.subarray(start, end));
      if (overflow !== undefined) yield overflow;
      start = end + 1;
      const line = this.#finish();
      if (line !== undefined) yield line;
    }
    const overflow = this.#hold(bytes.subarray(start));
    if (overflow !== undefined) yield overflow;
  }

  /** A last line without a newline. */
  *end(): Generator<Line> {
    const line = this.#finish();
    if (line !== undefined) yield line;
  }

  #hold(piece: Uint8Array): Line | undefined {
    if (this.#isSkipping || piece.byteLength === 0) return undefined;
    this.#heldBytes += piece.byteLength;
    if (this.#heldBytes <= this.#limitBytes) {
      this.#pieces.push(piece);
      return undefined;
    }
    this.#isSkipping = true;
    this.#pieces = [];
    return { kind: "too-long", bytes: this.#heldBytes };
  }

  #finish(): Line | undefined {
    const [first, ...more] = this.#pieces;
    const wasSkipped = this.#isSkipping;
    this.#pieces = [];
    this.#heldBytes = 0;
    this.#isSkipping = false;
    if (first === undefined || wasSkipped) return undefined;
    const whole = more.length === 0 ? first : Buffer.concat([first, ...more]);
    const line = trimmed(whole);
    if (line.every(isBlank)) return undefined;
    try {
      return { kind: "text", text: this.#decoder.decode(line), bytes: line.byteLength };
    } catch {
      return { kind: "not-utf-8", bytes: line.byteLength };
    }
  }
}

function trimmed(line: Uint8Array): Uint8Array {
  const end = line.at(-1) === CARRIAGE_RETURN ? line.byteLength - 1 : line.byteLength;
  const hasMark = BYTE_ORDER_MARK.every((byte, index) => line[index] === byte);
  return line.subarray(hasMark ? BYTE_ORDER_MARK.length : 0, end);
}

/** Space, tab or carriage return, the blanks of JSON beside the newline. */
function isBlank(byte: number): boolean {
  return byte === 0x20 || byte === 0x09 || byte === CARRIAGE_RETURN;
}
