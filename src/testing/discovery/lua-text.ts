/** Prepares the text of a Luau file for the patterns of discovery, without a parser. */

/** Removes comments, because they may name modules that the code does not use. */
export const withoutComments = (source: string): string =>
  source.replace(/--\[(=*)\[[\s\S]*?\]\1\]/g, "").replace(/--[^\n]*/g, "");
