/** A fault in a text that people write, with its place. */

export class TextFault extends Error {
  readonly offset: number;

  constructor(message: string, offset: number) {
    super(message);
    this.name = "TextFault";
    this.offset = offset;
  }
}

/** Both counted from 1, the column in UTF-16 units. */
export function placeOf(text: string, offset: number): { readonly line: number; readonly column: number } {
  const before = text.slice(0, offset);
  const line = before.split("\n").length;
  return { line, column: offset - before.lastIndexOf("\n") };
}
