/** Splits Luau into words, strings and signs, without comments: enough to read where a `require` leads. */

export interface Token {
  readonly kind: "word" | "text" | "sign";
  /** Of a text, what stands between its quotes. */
  readonly value: string;
  readonly line: number;
  readonly column: number;
}

const PARTS =
  /--\[(=*)\[[\s\S]*?(?:\]\1\]|$)|--[^\n]*|"((?:\\[\s\S]|[^"\\\n])*)"|'((?:\\[\s\S]|[^'\\\n])*)'|`((?:\\[\s\S]|[^`\\])*)`|\[(=*)\[([\s\S]*?)(?:\]\5\]|$)|([A-Za-z_]\w*)|(\d[\w.]*)|[^\s]/g;

export function luauTokens(source: string): readonly Token[] {
  const tokens: Token[] = [];
  let [line, lineStart, read] = [1, 0, 0];
  for (const match of source.matchAll(PARTS)) {
    for (
      let at = source.indexOf("\n", read);
      at !== -1 && at < match.index;
      at = source.indexOf("\n", at + 1)
    )
      [line, lineStart] = [line + 1, at + 1];
    read = match.index;
    const [whole, , double, single, backquoted, , long, word] = match;
    if (whole.startsWith("--")) continue;
    const text = double ?? single ?? backquoted ?? long;
    const kind = text !== undefined ? "text" : word !== undefined ? "word" : "sign";
    tokens.push({ kind, value: text ?? whole, line, column: match.index - lineStart + 1 });
  }
  return tokens;
}
