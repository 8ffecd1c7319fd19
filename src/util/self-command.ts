/** How this very program is started again, compiled or from source. It starts nothing itself. */

/** The words that run `sb` with `words` after them. */
export function selfCommand(...words: readonly string[]): string[] {
  const isCompiled = Bun.main.startsWith("/$bunfs/") || Bun.main.includes("~BUN");
  return isCompiled ? [process.execPath, ...words] : [process.execPath, Bun.main, ...words];
}
