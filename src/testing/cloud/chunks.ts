/**
 * Divides test files into tasks of Open Cloud. There are few tasks, because each one boots a place, and they are short, because
 * all results of a task can be lost.
 */

/** Up to this time, one task runs all files, because a second task would spend 4 to 45 seconds on its boot. */
const ONE_TASK_MS = 60_000;
/** The aimed length of a task if there are several. */
const CHUNK_MS = 75_000;
/** The assumed duration of a file without a history. */
const UNKNOWN_MS = 500;

/** `expectedMs` gives the duration of a file if it is known. */
export function chunksOf<T>(
  files: readonly T[],
  expectedMs: (file: T) => number | undefined,
): readonly (readonly T[])[] {
  const msOf = (file: T): number => expectedMs(file) ?? UNKNOWN_MS;
  const totalMs = files.reduce((sum, file) => sum + msOf(file), 0);
  if (totalMs <= ONE_TASK_MS) return files.length === 0 ? [] : [files];
  const count = Math.min(files.length, Math.ceil(totalMs / CHUNK_MS));
  const chunks = Array.from({ length: count }, (): { files: T[]; ms: number } => ({ files: [], ms: 0 }));
  // Files are taken from the longest to the shortest, and each goes to the chunk with the least work.
  for (const file of files.toSorted((left, right) => msOf(right) - msOf(left))) {
    const least = chunks.reduce((best, chunk) => (chunk.ms < best.ms ? chunk : best));
    least.files.push(file);
    least.ms += msOf(file);
  }
  return chunks.map((chunk) => chunk.files);
}
