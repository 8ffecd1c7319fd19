/** Changes a text by ranges, so that everything else in it stays the same to the byte. */

export interface TextEdit {
  /** Offsets into the text before any change, the end exclusive. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The ranges must not overlap; of those that start together, the first stays first. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  const ordered = edits.toReversed().toSorted((left, right) => right.start - left.start);
  return ordered.reduce(
    (result, edit) => result.slice(0, edit.start) + edit.text + result.slice(edit.end),
    text,
  );
}

/** The line end that the text uses. */
export function lineEndOf(text: string): "\n" | "\r\n" {
  return text.includes("\r\n") ? "\r\n" : "\n";
}

/** Where the line begins that `offset` is on. */
export function lineStart(text: string, offset: number): number {
  return text.lastIndexOf("\n", offset - 1) + 1;
}
