/** Makes the script of a task in the cloud. It unpacks the project's place, runs the set-up scripts, and then the test files. */
import type { SnapshotMode } from "../events.ts";
import {
  COVERAGE_GLOBAL,
  coveringSource,
  HARNESS_GLOBAL,
  holdingSource,
  localGlobals,
  luauText,
  preparingSource,
} from "../harness.ts";
import { harnessInput } from "../harness-job.ts";
import type { CountedScript } from "../coverage/covered-files.ts";
import type { TestFile } from "../test-file.ts";
import task from "./Task.luau" with { type: "text" };

/** One file in a task. */
export interface TaskFile {
  readonly file: TestFile;
  /** Ids of the cases to run; undefined for all. */
  readonly ids?: readonly string[] | undefined;
  /** The seed of a random order of cases; undefined for the order in the file. */
  readonly seed?: number | undefined;
}

export interface TaskRequest {
  readonly files: readonly TaskFile[];
  /** The task only lists the cases of the files and runs none. */
  readonly lists: boolean;
  /** The scripts whose lines are counted; undefined if none are. */
  readonly covered?: readonly CountedScript[] | undefined;
  readonly setup: readonly { readonly name: string; readonly source: string }[];
  /** Which stored snapshots the files may write. */
  readonly snapshots: SnapshotMode;
  readonly caseTimeoutMs: number;
  readonly fileTimeoutMs: number;
  /** If present, the script ends at once if another task with this key has begun. */
  readonly key?: string | undefined;
  /** If present, the script ends at once in any other version of the place. */
  readonly version?: number | undefined;
}

/** The return value of a task that ran in another version of the place than the one that it was made for. */
export const OTHER_VERSION = "other version";

/** The return value of a task whose key another task has. */
export const RUNS_ALREADY = "runs already";

export function taskScript({ files, lists, setup, covered, key, version, ...times }: TaskRequest): string {
  const { caseTimeoutMs, snapshots } = times;
  // The files of a task share its place, so that a later file may find what an earlier one has left.
  const tellsLeft = files.length > 1 && !lists;
  const jobs = files.map(({ file, ids, seed }) => ({
    input: harnessInput({
      file,
      caseTimeoutMs,
      snapshots,
      chooses: lists || ids !== undefined,
      done: [],
      tellsLeft,
      seed,
    }),
    fileTimeoutSeconds: times.fileTimeoutMs / 1000,
    ...(ids === undefined ? {} : { ids }),
  }));
  const claim = `if not sbTask.claimAsync("${key}") then return { BinaryOutput = buffer.create(0), ReturnValues = { "${RUNS_ALREADY}" } } end`;
  const guard = `if game.PlaceVersion ~= ${version} then return { BinaryOutput = buffer.create(0), ReturnValues = { "${OTHER_VERSION}", game.PlaceVersion } } end`;
  return [
    "local sbInput = ({...})[1]",
    ...(version === undefined ? [] : [guard]),
    `local sbTask = (function() ${localGlobals} ${task}\nend)()`,
    ...(key === undefined ? [] : [claim]),
    'sbTask.step("place", function() sbTask.unpackAsync(sbInput and sbInput.BinaryInput) end)',
    ...(covered === undefined ? [] : [`sbTask.step("coverage", function() ${coveringSource(covered)}\nend)`]),
    ...(setup.length === 0 ? [] : [holdingSource]),
    ...setup.map(
      ({ name, source }) =>
        `sbTask.step(${luauText(`set-up script ${name}`)}, function() ${withoutExports(source)}\nend, ${times.fileTimeoutMs / 1000})`,
    ),
    `sbTask.step("harness", function() ${preparingSource()}\nend)`,
    `return sbTask.runAsync(${HARNESS_GLOBAL}, ${COVERAGE_GLOBAL}, ${luauText(JSON.stringify(jobs))})`,
  ].join("\n");
}

/** These scripts become the bodies of functions, where Luau does not allow `export type`. */
const withoutExports = (source: string): string => source.replace(/^export type /gm, "type ");
