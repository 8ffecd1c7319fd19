/** Makes one report of the runs of several machines, from the files that these have written. */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { remark } from "../../output/remark.ts";
import { StudioBridgeError } from "../../protocol/errors.ts";
import { invalidInput } from "../../protocol/messages.ts";
import { type Blob, mergeBlobs, readBlob } from "../blob.ts";
import type { FileCoverage } from "../coverage/file-coverage.ts";
import { missedThresholds } from "../coverage/thresholds.ts";
import { folderOf } from "../discovery/find-files.ts";
import type { WantedReporter } from "../report/reporters.ts";
import { ProjectHistory } from "./project-history.ts";
import { openReporting } from "./reporting.ts";
import type { TestSurface } from "./test-surface.ts";
import type { CoverageWishes } from "./test-wishes.ts";
import { isCi } from "../../util/ci.ts";
import { verdictOf } from "./verdict.ts";

export interface MergeWishes {
  /** The project's folder. */
  readonly folder: string;
  readonly coverage: CoverageWishes;
  /** The caller asked for the coverage, so that runs without it are refused. */
  readonly needsCoverage: boolean;
  readonly reporters: readonly WantedReporter[];
  /** The history to which the results are added. */
  readonly historyFile?: string;
  readonly allowOnly: boolean;
  readonly failOnFlaky: boolean;
  readonly passWithNoTests: boolean;
}

type Blobs = readonly [Blob, ...Blob[]];

/** Reports the runs as one, and tells whether it has passed. */
export async function mergeRunsAsync(
  blobs: Blobs,
  wishes: MergeWishes,
  surface: TestSurface,
): Promise<boolean> {
  const { folder, coverage, reporters: wanted } = wishes;
  const { events, faults } = mergeBlobs(blobs);
  const covered = events.find((event) => event.type === "coverage")?.files;
  const obsolete = events.find((event) => event.type === "obsolete-snapshots");
  if (wishes.needsCoverage && covered === undefined)
    throw invalidInput("--coverage: these runs have no coverage.", "Run each shard with --coverage too.");
  const { reporters, report, writeFilesAsync } = openReporting(
    { folder, coverage, reporters: wanted, showOutput: false, slowest: 3 },
    surface,
  );
  for (const event of events) report(event);
  await writeFilesAsync();
  if (wishes.historyFile !== undefined) {
    const history = await ProjectHistory.openAsync(folder, { historyFile: wishes.historyFile });
    const { startedAt: at, retries, scope = "all" } = events[0];
    await history.addAsync(reporters.tally.files(), { scope, isRetrying: retries !== undefined, at });
  }
  const { hasPassed, remarks } = verdictOf(reporters.tally.files(), faults.length === 0, {
    forbidsFocus: isCi() && !wishes.allowOnly,
    forbidsObsolete: isCi(),
    obsoleteFiles: obsolete === undefined || obsolete.areRemoved ? [] : obsolete.files,
    failsOnFlaky: wishes.failOnFlaky,
    passWithNoTests: wishes.passWithNoTests,
    missed: covered === undefined ? [] : missedIn(covered, coverage, events[0].thresholds),
  });
  for (const text of [...faults, ...remarks]) surface.emit(remark(text));
  return hasPassed;
}

/** The thresholds that were missed: those of each project, if the run had several. */
function missedIn(
  covered: readonly FileCoverage[],
  { thresholds }: CoverageWishes,
  ofProjects: Blob["run"]["thresholds"],
): readonly string[] {
  if (ofProjects === undefined) return missedThresholds(covered, thresholds);
  return ofProjects.flatMap(({ prefix, ...own }) =>
    missedThresholds(
      covered.filter(({ path }) => path.startsWith(prefix)),
      own,
    ).map((text) => `${prefix}: ${text}`),
  );
}

/** `words`: files, or patterns of them. */
export async function readBlobsAsync(words: readonly string[]): Promise<Blobs> {
  const [first = "", ...others] = (await Promise.all(words.map(filesOfWordAsync))).flat();
  const blobs = await Promise.all(others.map(blobAsync));
  return [await blobAsync(first), ...blobs];
}

/** The files that a word names. A pattern such as `*.jsonl` comes unchanged from the shells of Windows. */
async function filesOfWordAsync(word: string): Promise<readonly string[]> {
  if (!/[*?]/.test(word) || existsSync(word)) return [word];
  const pattern = process.platform === "win32" ? word.replaceAll("\\", "/") : word;
  const folder = folderOf(pattern);
  const cwd = resolve(folder);
  const found = existsSync(cwd)
    ? await Array.fromAsync(new Bun.Glob(pattern.slice(folder.length)).scan({ cwd }))
    : [];
  if (found.length > 0) return found.sort().map((name) => `${folder}${name}`);
  throw new StudioBridgeError("FILE_ERROR", `No file fits ${word}.`, {
    hint: "Write a blob in each shard: sb test --shard 1/2 --reporter blob=shard-1.jsonl",
  });
}

async function blobAsync(path: string): Promise<Blob> {
  const text = await readFile(path, "utf8").catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StudioBridgeError("FILE_ERROR", `Could not read ${path}: ${reason}`);
  });
  return readBlob(path, text);
}
