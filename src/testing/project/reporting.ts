/** Connects the reporters of a run with this machine: the screen, files, and the source lines that failures show. */
import { readFileSync } from "node:fs";
import { availableParallelism, loadavg } from "node:os";
import { join, resolve, sep } from "node:path";
import type { TestSurface } from "./test-surface.ts";
import { remark } from "../../output/remark.ts";
import { EventPipe } from "../../programs/event-pipe.ts";
import { isBelow } from "../../util/path-inside.ts";
import { visibleOnOneLine } from "../../util/visible-controls.ts";
import { unwritableFile } from "../../files/unwritable-file.ts";
import type { TestEvent } from "../events.ts";
import type { PictureOf, SourceOf } from "../report/failure-text.ts";
import { isDifference } from "../pictures/picture-names.ts";
import type { FileCoverage } from "../coverage/file-coverage.ts";
import { EarlyFailures, earlyFailureText } from "../report/early-failures.ts";
import { shownOn } from "../report/layout.ts";
import { LiveLine } from "../report/live.ts";
import { isScreenReporter, Reporters, type WantedReporter } from "../report/reporters.ts";
import { showCoverage, writeCoverageAsync } from "./coverage.ts";
import type { CoverageWishes } from "./test-wishes.ts";

/** The interval at which the progress line is drawn. */
const TICK_MS = 100;
/** The number of failures that the reporter `agent` shows. */
const MAX_AGENT_FAILURES = 10;

export interface ReportWishes {
  /** The project's folder. */
  readonly folder: string;
  readonly reporters: readonly WantedReporter[];
  readonly showOutput: boolean;
  /** Show the lines of compiled files beside those of their sources. */
  readonly showCompiled?: boolean | undefined;
  readonly slowest: number;
  /** The command that runs the failed cases once more. */
  readonly again?: string | undefined;
  readonly coverage?: CoverageWishes | undefined;
}

type ReportSurface = Pick<TestSurface, "emit" | "status" | "isAgent">;

export interface Reporting {
  readonly reporters: Reporters;
  readonly report: (event: TestEvent) => void;
  readonly sourceOf: SourceOf;
  /** Writes the files of reporters and of coverage, each whole or not at all. */
  readonly writeFilesAsync: () => Promise<void>;
}

export function openReporting(
  { folder, reporters: wanted, showOutput, showCompiled = false, slowest, again, coverage }: ReportWishes,
  surface: ReportSurface,
): Reporting {
  const sourceOf = sourceReader(folder);
  const reporters = new Reporters(wanted, {
    write: (text) => surface.emit({ stream: "stdout", text }),
    sourceOf,
    pictureOf: pictureReader(folder),
    showsOutput: showOutput,
    showsCompiled: showCompiled,
    slowest,
    maxFailures: MAX_AGENT_FAILURES,
    unwritable: unwritableFile,
    ...(again === undefined ? {} : { again }),
    github: { folder, workspace: process.env["GITHUB_WORKSPACE"] },
    summaryFile: process.env["GITHUB_STEP_SUMMARY"],
    load: loadOfMachine,
  });
  const isForPeople = wanted.some(({ name, file }) => file === undefined && isScreenReporter(name));
  const showProgress = progressShower(surface, isForPeople ? new EarlyFailures() : undefined);
  const pipes = wanted.flatMap(({ argv }) =>
    argv === undefined ? [] : [{ argv, pipe: new EventPipe(argv, process.cwd()) }],
  );
  let covered: readonly FileCoverage[] | undefined;
  let startedAtMs = 0;
  const report = (event: TestEvent): void => {
    if (event.type === "run") startedAtMs = event.startedAt;
    if (event.type === "coverage") {
      covered = event.files;
      if (coverage !== undefined) showCoverage(event.files, coverage, wanted, surface);
    }
    reporters.report(event);
    for (const { pipe } of pipes) pipe.write(JSON.stringify(event));
    surface.emit({ stream: "stdout", json: event });
    showProgress(event);
  };
  const writeFilesAsync = async (): Promise<void> => {
    await reporters.writeFilesAsync();
    for (const { argv, pipe } of pipes) {
      const fault = await pipe.endAsync();
      const shown = visibleOnOneLine(argv.join(" "));
      if (fault !== undefined)
        surface.emit(remark(`Warning: --reporter exec (${shown}): ${fault}.`, "yellow"));
    }
    if (coverage !== undefined && covered !== undefined)
      await writeCoverageAsync(covered, coverage, { folder, startedAtMs }, surface);
  };
  return { reporters, report, sourceOf, writeFilesAsync };
}

/**
 * Shows progress, and the failures of files that still run. An agent gets one line per file instead of a live line, because each
 * line is a message to it.
 */
function progressShower(surface: ReportSurface, early?: EarlyFailures): (event: TestEvent) => void {
  if (surface.isAgent)
    return (event) => {
      if (event.type === "file-start") surface.status(event.source ?? event.file);
    };
  const live = new LiveLine();
  const show = (): void => {
    for (const end of early?.due(performance.now()) ?? [])
      surface.emit({ stream: "stdout", text: (style) => shownOn(earlyFailureText(end, style), style) });
    surface.status(live.text(performance.now()));
  };
  let ticking: Timer | undefined;
  return (event) => {
    live.add(event, performance.now());
    early?.add(event, performance.now());
    if (event.type === "run") {
      ticking = setInterval(show, TICK_MS).unref();
      show();
    }
    if (event.type === "run-end") clearInterval(ticking);
  };
}

/** The load average per processor; undefined on Windows, which has none. */
function loadOfMachine(): number | undefined {
  const [load = 0] = loadavg();
  return process.platform === "win32" ? undefined : load / availableParallelism();
}

/**
 * Reads the lines of the project's files when a failure shows them. A script chooses its own name in stacks, so that only files
 * of code below the folder are read.
 */
export function sourceReader(folder: string): SourceOf {
  const known = new Map<string, readonly string[] | undefined>();
  return (path) => {
    if (!known.has(path))
      known.set(path, isOwnScript(folder, path) ? linesOf(join(folder, path)) : undefined);
    return known.get(path);
  };
}

/** Reads the pictures of differences of a run, and no other file. */
function pictureReader(folder: string): PictureOf {
  return (path) => {
    const file = resolve(folder, path);
    if (!isBelow(folder, file) || !isDifference(file)) return undefined;
    try {
      return readFileSync(file);
    } catch {
      return undefined;
    }
  };
}

const isOwnScript = (folder: string, path: string): boolean =>
  /\.(?:luau?|[cm]?[jt]sx?)$/.test(path) && resolve(folder, path).startsWith(`${resolve(folder)}${sep}`);

function linesOf(file: string): readonly string[] | undefined {
  try {
    return readFileSync(file, "utf8").split(/\r?\n/);
  } catch {
    return undefined;
  }
}
