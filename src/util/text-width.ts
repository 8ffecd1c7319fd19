/** Measures, cuts, pads and wraps text in terminal cells, where one character may take two. */

export function cells(text: string): number {
  return Bun.stringWidth(text);
}

/** At most `width` cells; a cut is marked with `…`. */
export function fit(text: string, width: number): string {
  if (cells(text) <= width) return text;
  let kept = "";
  let used = 0;
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    const size = cells(segment);
    if (used + size > width - 1) break;
    kept += segment;
    used += size;
  }
  return `${kept.trimEnd()}…`;
}

/** The end of a text, in at most `width` cells; a cut is marked with `…`. */
export function fitEnd(text: string, width: number): string {
  if (cells(text) <= width) return text;
  let kept = "";
  let used = 0;
  for (const { segment } of [...new Intl.Segmenter().segment(text)].reverse()) {
    const size = cells(segment);
    if (used + size > width - 1) break;
    kept = segment + kept;
    used += size;
  }
  return `…${kept}`;
}

export function pad(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - cells(text)));
}

/** Breaks the lines that are longer than `width` at spaces. Other lines stay as they are. */
export function wrapLong(text: string, width: number): string {
  return text
    .split("\n")
    .flatMap((line) => (cells(line) > width ? wrap(line, width) : [line]))
    .join("\n");
}

/** Breaks at spaces so that no line is longer than `width`, a single longer word excepted. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && cells(line) + 1 + cells(word) > width) {
      lines.push(line);
      line = word;
    } else {
      line = line === "" ? word : `${line} ${word}`;
    }
  }
  lines.push(line);
  return lines;
}
