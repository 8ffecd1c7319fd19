/** Lines of a text. A line break ends its line, so that a text that ends in one has no empty line behind it. */

/** Each with its line break, so that joined they are the text. */
export function linesWithBreaks(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** The line without what ends it. */
export function bareLine(line: string): string {
  return line.replace(/\r?\n$/, "");
}
