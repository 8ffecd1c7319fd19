/** Finds the word a person probably meant. Knows nothing about flags or commands. */

/**
 * The candidate within two edits (one for short words) of `word`, or a candidate it is the start of; one that is
 * twice as long or longer comes after those within one edit, and one with another first letter after its equals.
 */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  const allowed = word.length <= 3 ? 1 : 2;
  let best: { readonly candidate: string; readonly rank: number } | undefined;
  for (const candidate of candidates) {
    const isStart = word.length >= 2 && candidate.startsWith(word);
    const distance = isStart ? startDistance(word, candidate) : editDistance(word, candidate);
    const rank = distance + (candidate[0] === word[0] ? 0 : 0.25);
    if ((isStart || distance <= allowed) && (best === undefined || rank < best.rank))
      best = { candidate, rank };
  }
  return best?.candidate;
}

function startDistance(word: string, candidate: string): number {
  return candidate.length >= 2 * word.length ? 1.5 : 0.5;
}

/** Insertions, deletions, substitutions and swaps of neighbours that turn `from` into `to`. */
export function editDistance(from: string, to: string): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const cost = from[row - 1] === to[column - 1] ? 0 : 1;
      let best = Math.min(
        at(previous, column) + 1,
        at(current, column - 1) + 1,
        at(previous, column - 1) + cost,
      );
      if (row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1])
        best = Math.min(best, at(beforePrevious, column - 2) + 1);
      current.push(best);
    }
    beforePrevious = previous;
    previous = current;
  }
  return at(previous, to.length);
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY;
}
