/** What discovery reads in the text of a Luau file, without a parser. */

/** Comments may name what the code does not use. Strings stay, because modules are required by strings too. */
export const withoutComments = (source: string): string =>
  source.replace(/--\[(=*)\[[\s\S]*?\]\1\]/g, "").replace(/--[^\n]*/g, "");
