/** Divides test files into tasks: few, because each one boots a place, and short, because all of a task can be lost. */

/** Below this, one task runs everything: a further one boots for 4 to 45 seconds. */
const ONE_TASK_MS = 60_000;
const CHUNK_MS = 75_000;
/** What a file of unknown duration is taken for. */
const UNKNOWN_MS = 500;

export function chunksOf<T>(
  files: readonly T[],
  expectedMs: (file: T) => number | undefined,
): readonly (readonly T[])[] {
  const msOf = (file: T): number => expectedMs(file) ?? UNKNOWN_MS;
  const totalMs = files.reduce((sum, file) => sum + msOf(file), 0);
  if (totalMs <= ONE_TASK_MS) return files.length === 0 ? [] : [files];
  const count = Math.min(files.length, Math.ceil(totalMs / CHUNK_MS));
  const chunks = Array.from({ length: count }, (): { files: T[]; ms: number } => ({ files: [], ms: 0 }));
  // The longest file first, each into the chunk that has least work.
  for (const file of files.toSorted((left, right) => msOf(right) - msOf(left))) {
    const least = chunks.reduce((best, each) => (each.ms < best.ms ? each : best));
    least.files.push(file);
    least.ms += msOf(file);
  }
  return chunks.map((chunk) => chunk.files);
}
