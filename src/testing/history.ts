/**
 * The history of a project: for each test file, which cases failed last, how long the file took, and how often its cases were
 * flaky. It is a file in the state folder to which runs only append lines, so that two runs at once lose no line. For each test
 * file, the newest line counts; of two runs of the same file at once, one is therefore missing in the counts of flaky cases.
 */
import { appendFile, mkdir, readFile, rename, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { defineSchema, type OutputOf } from "../protocol/schema.ts";
import { parsedJson } from "../util/parsed-json.ts";
import { FILE_CASE } from "./events.ts";
import { flakeCountsAfter, flakeCountsSchema } from "./flake-rate.ts";
import { failuresOf, type FileResult } from "./report/tally.ts";

const MAX_BYTES = 5_000_000;
/** A shorter file is never shortened, because it is read within 3 ms. */
const SHORT_BYTES = 250_000;
/** The file is shortened if it is this many times as long as its newest entries, because each run reads the whole file. */
const MAX_SHARE = 8;

const entrySchema = defineSchema((z) =>
  z.object({
    file: z.string(),
    /** Milliseconds since the epoch. */
    at: z.number(),
    durationMs: z.number().nonnegative(),
    /** Ids of the cases that failed. */
    failed: z.array(z.string()),
    /** How often its cases were flaky; absent before the first run that tried failed cases again. */
    flakes: flakeCountsSchema(z).optional(),
  }),
);
export type HistoryEntry = OutputOf<typeof entrySchema>;

/** The newest entry of each test file, by its path. */
export type History = ReadonlyMap<string, HistoryEntry>;

/** A missing or unreadable file gives an empty history. Broken lines are left out. */
export async function readHistoryAsync(path: string): Promise<History> {
  return entriesIn(await readFile(path, "utf8").catch(() => ""));
}

function entriesIn(text: string): Map<string, HistoryEntry> {
  const entries = new Map<string, HistoryEntry>();
  for (const line of text.split("\n")) {
    const entry = entryOf(line);
    if (entry !== undefined && entry.at >= (entries.get(entry.file)?.at ?? 0)) entries.set(entry.file, entry);
  }
  return entries;
}

const entryOf = (line: string): HistoryEntry | undefined => entrySchema.read(parsedJson(line))?.value;

/** The cases of a file that a run has chosen: all cases, the cases that failed the last time, or some others. */
export type Scope = "all" | "failed" | "some";

/** What the history has to know about a run. */
export interface RunFacts {
  readonly scope: Scope;
  /** True if failed cases are tried again. Other runs cannot find flaky cases. */
  readonly isRetrying: boolean;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/**
 * The entry of a file after a run, made from all results of the file. If only some of its cases ran, because the others were
 * not chosen or the run ended early, the failures of the others stay in the entry.
 */
export function entryAfter(
  results: readonly [FileResult, ...FileResult[]],
  before: HistoryEntry | undefined,
  { scope, isRetrying, at }: RunFacts,
): HistoryEntry {
  const failed = [...new Set(results.flatMap(failuresOf).map(({ id }) => id))];
  const longestMs = Math.max(...results.map((result) => result.durationMs));
  const isWhole = scope !== "some" && results.every(({ isFinished }) => isFinished);
  const hasAllCases = scope === "all" && isWhole;
  const flakes = isRetrying ? flakeCountsAfter(results, before?.flakes, hasAllCases) : before?.flakes;
  const entry = {
    file: results[0].path,
    at,
    durationMs: longestMs,
    failed,
    ...(flakes === undefined ? {} : { flakes }),
  };
  if (hasAllCases || before === undefined) return entry;
  const { durationMs } = before;
  if (isWhole) return { ...entry, durationMs };
  const ran = new Set(results.flatMap(({ cases }) => cases).map(({ id }) => id));
  // If cases ran, the file could be loaded, so that an earlier failure to load it is over.
  const others = before.failed.filter((id) => !ran.has(id) && (id !== FILE_CASE || ran.size === 0));
  return { ...entry, durationMs, failed: [...others, ...failed] };
}

/**
 * Appends entries in one piece. Keeps only the newest entry of each test file if the file has become long: beyond 5 MB, or
 * several times as long as `newest`, which has the newest entries of all test files.
 */
export async function addHistoryAsync(
  path: string,
  entries: readonly HistoryEntry[],
  newest: Iterable<HistoryEntry> = entries,
): Promise<void> {
  if (entries.length === 0) return;
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await appendFile(path, linesOf(entries), { mode: 0o600 });
  const { size } = await stat(path);
  const isLong = size > SHORT_BYTES && size > MAX_SHARE * linesOf([...newest]).length;
  if (isLong || size > MAX_BYTES) await shortenAsync(path);
}

/**
 * Moves the file away before it reads it, so that another run meanwhile appends to a new file. If the file cannot be moved,
 * another run is shortening it.
 */
async function shortenAsync(path: string): Promise<void> {
  const old = `${path}.${process.pid}.old`;
  try {
    await rename(path, old);
  } catch {
    return;
  }
  const newest = [...(await readHistoryAsync(old)).values()].toSorted((left, right) => right.at - left.at);
  let bytes = 0;
  const kept = newest.filter((entry) => (bytes += Buffer.byteLength(linesOf([entry]))) < MAX_BYTES / 2);
  await appendFile(path, linesOf(kept), { mode: 0o600 });
  await rm(old, { force: true });
}

const linesOf = (entries: readonly HistoryEntry[]): string =>
  entries.map((entry) => `${JSON.stringify(entry)}\n`).join("");
