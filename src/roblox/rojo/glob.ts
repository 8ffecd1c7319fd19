/** The globs of project files and the paths that they are held against, by the rules of Rust's globset, which Rojo uses: `*` and `?` also match a slash. */

const ESCAPED = /[$()*+./?[\\\]^{|}-]/g;
const quoted = (text: string): string => text.replace(ESCAPED, "\\$&");

/** Each alternative with what it means; the order decides. */
const TOKEN =
  /(^\*\*\/)|(\/\*\*\/)|(\/\*\*$)|(\*+)|(\?)|\[([!^]?)(\]?[^\]]*)\]|(\{)|(\})|(,)|\\(.)|([^*?[{},\\/]+|.)/gs;

/** Throws an Error for a pattern that is none. */
export function globOf(pattern: string): RegExp {
  let depth = 0;
  let hasOpenSet = false;
  const source = pattern.replace(TOKEN, (...match: (string | undefined)[]) => {
    const [whole = "", first, between, last, star, one, negation, set, open, close, comma, escaped] = match;
    if (first !== undefined) return "(?:.*/)?";
    if (between !== undefined) return "/(?:.*/)?";
    if (last !== undefined) return "/.*";
    if (star !== undefined) return ".*";
    if (one !== undefined) return ".";
    // The first character of a set is never its end.
    if (whole === "[" || set === "") hasOpenSet = true;
    if (set !== undefined) return `[${negation === "" ? "" : "^"}${set.replace(/[\\\]^]/g, "\\$&")}]`;
    if (open !== undefined) depth += 1;
    if (open !== undefined) return "(?:";
    if (depth === 0) return quoted(escaped ?? whole);
    if (close !== undefined) depth -= 1;
    if (close !== undefined) return ")";
    if (comma !== undefined) return "|";
    return quoted(escaped ?? whole);
  });
  if (depth !== 0) throw new Error(`"${pattern}" is not a glob: a brace is never closed`);
  if (hasOpenSet) throw new Error(`"${pattern}" is not a glob: a bracket is never closed`);
  return new RegExp(`^${source}$`, "s");
}
