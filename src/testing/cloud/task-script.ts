/** The script of a task in the cloud: the project's place, the set-up scripts, the harness, and the files to run. */
import type { SnapshotMode } from "../events.ts";
import { COVERAGE_GLOBAL, coveringSource, HARNESS_GLOBAL, luauText, preparingSource } from "../harness.ts";
import { harnessInput } from "../harness-job.ts";
import type { CountedScript } from "../coverage/covered-files.ts";
import type { TestFile } from "../test-file.ts";
import task from "./Task.luau" with { type: "text" };

/** One file in a task. */
export interface TaskFile {
  readonly file: TestFile;
  /** The only cases that run, by their ids; undefined for all. */
  readonly ids?: readonly string[] | undefined;
  /** Of the order of its cases. */
  readonly seed?: number | undefined;
}

export interface TaskFacts {
  readonly files: readonly TaskFile[];
  /** Nothing is run, and only the cases of the files are wanted. */
  readonly lists: boolean;
  /** The scripts whose lines are counted; undefined where none are. */
  readonly covered?: readonly CountedScript[] | undefined;
  readonly setup: readonly { readonly name: string; readonly source: string }[];
  /** Which stored snapshots may change. */
  readonly snapshots: SnapshotMode;
  readonly caseTimeoutMs: number;
  readonly fileTimeoutMs: number;
  /** The script ends at once in any other version of the place. */
  readonly version?: number | undefined;
}

/** What a task returns that was begun in another version than the one it is for. */
export const OTHER_VERSION = "other version";

export function taskScript({ files, lists, setup, covered, version, ...times }: TaskFacts): string {
  const { caseTimeoutMs, snapshots } = times;
  // The files of a task share its place, so that what one leaves is told.
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
  const guard = `if game.PlaceVersion ~= ${version} then return { BinaryOutput = buffer.create(0), ReturnValues = { "${OTHER_VERSION}", game.PlaceVersion } } end`;
  return [
    "local sbInput = ({...})[1]",
    ...(version === undefined ? [] : [guard]),
    `local sbTask = (function() ${task}\nend)()`,
    'sbTask.step("place", function() sbTask.unpackAsync(sbInput and sbInput.BinaryInput) end)',
    ...(covered === undefined ? [] : [`sbTask.step("coverage", function() ${coveringSource(covered)}\nend)`]),
    ...setup.map(
      ({ name, source }) =>
        `sbTask.step(${luauText(`set-up script ${name}`)}, function() ${withoutExports(source)}\nend)`,
    ),
    `sbTask.step("harness", function() ${preparingSource()}\nend)`,
    `return sbTask.runAsync(${HARNESS_GLOBAL}, ${COVERAGE_GLOBAL}, ${luauText(JSON.stringify(jobs))})`,
  ].join("\n");
}

/** Types are exported by modules only, and these scripts become functions. */
const withoutExports = (source: string): string => source.replace(/^export type /gm, "type ");
