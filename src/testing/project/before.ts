/** Runs the program of `test.before`, such as a compiler, before the files of a run are read. If it fails, that is the run. */
import { basename } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { remark } from "../../output/remark.ts";
import { runProgramAsync } from "../../programs/run-program.ts";
import { StudioBridgeError } from "../../protocol/errors.ts";
import { visibleOnOneLine } from "../../util/visible-controls.ts";
import { version } from "../../version.ts";
import { isPackageFile } from "../discovery/find-files.ts";
import { targetText } from "../target.ts";
import { openReporting, type Reporting } from "./reporting.ts";
import type { ProjectRun } from "./run-selection.ts";
import type { TestSurface } from "./test-surface.ts";
import type { TestWishes } from "./test-wishes.ts";

const TIMEOUT_MS = 300_000;
/** The name of the failed case. */
const BEFORE_CASE = "(before)";
/** The longest output that a failure shows. The first errors of a compiler say most. */
const MAX_OUTPUT_CHARS = 20_000;

/** Undefined if there is no such program, or if it succeeded: the run goes on. `reportTo` is given if the run has other parts. */
export async function runBeforeAsync(
  wishes: TestWishes,
  surface: TestSurface,
  reportTo?: () => Reporting,
): Promise<ProjectRun | undefined> {
  const { before, folder, settingsFile = "" } = wishes;
  if (before === undefined) return undefined;
  const shown = visibleOnOneLine(before.join(" "));
  if (isPackageFile(folder.replaceAll("\\", "/"))) {
    surface.emit(remark(`test.before does not run (${shown}), because ${folder} is a package.`, "yellow"));
    return undefined;
  }
  surface.status(`Running ${shown}`);
  const startedMs = performance.now();
  const fault = await faultOfAsync(before, folder, surface.signal);
  const durationMs = performance.now() - startedMs;
  surface.note(`${shown} took ${Math.round(durationMs)} ms`);
  if (fault === undefined) return undefined;
  return reportAsync(
    { message: `${shown} ${fault}`, file: basename(settingsFile), durationMs },
    wishes,
    reportTo?.() ?? openReporting({ ...wishes, again: undefined, coverage: undefined }, surface),
  );
}

/** How the program failed, with its output; undefined if it did not. */
async function faultOfAsync(
  argv: readonly string[],
  cwd: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    const outcome = await runProgramAsync({ argv, cwd, signal, timeoutMs: TIMEOUT_MS, allowsBatch: true });
    const { exitCode, signalName, isTimedOut, stdout, stderr } = outcome;
    if (exitCode === 0 && !isTimedOut) return undefined;
    const how = isTimedOut
      ? `did not end within ${TIMEOUT_MS / 60_000} minutes`
      : signalName === undefined
        ? `ended with exit code ${exitCode}`
        : `was ended by ${signalName}`;
    const output = stripVTControlCharacters(`${stdout}${stderr}`).trim();
    return output === "" ? how : `${how}:\n${output.slice(0, MAX_OUTPUT_CHARS)}`;
  } catch (error) {
    if (!(error instanceof StudioBridgeError) || error.code !== "PROGRAM_FAILED") throw error;
    return `could not be started: ${error.message}`;
  }
}

interface Failed {
  readonly message: string;
  /** The name of the settings file, which stands for the test file. */
  readonly file: string;
  readonly durationMs: number;
}

/** Reports a run with one failed case, so that reports of an earlier run are not taken for its own. */
async function reportAsync(
  { message, file, durationMs }: Failed,
  wishes: TestWishes,
  { reporters, report, sourceOf, writeFilesAsync }: Reporting,
): Promise<ProjectRun> {
  const target = targetText(wishes.target);
  const of = { file, try: 1, id: BEFORE_CASE, names: [BEFORE_CASE] };
  report({ type: "run", id: crypto.randomUUID(), version, target, startedAt: Date.now(), files: [file] });
  report({ type: "file-start", file, try: 1, framework: "script", worker: 1 });
  report({ type: "case-end", ...of, status: "failed", durationMs, failure: { message, frames: [] } });
  report({ type: "file-end", file, try: 1, durationMs });
  report({ type: "run-end", durationMs });
  await writeFilesAsync();
  const files = reporters.tally.files();
  return { hasPassed: false, files, durationMs, sourceOf, caveats: {}, sourceRemarks: [] };
}
