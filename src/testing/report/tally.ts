/** Adds up the events of a run to results. The last try of a case counts; a case that passed in a later try is flaky. */
import { type CaseEnd, FILE_CASE, type FlakeRate, type SnapshotCounts, type TestEvent } from "../events.ts";

export interface CaseResult {
  readonly file: string;
  readonly id: string;
  /** The end of its last try. */
  readonly end: CaseEnd;
  /** The ends of its earlier tries that failed. A case that passed is tried again too if the file itself has failed. */
  readonly earlier: readonly CaseEnd[];
  readonly isFlaky: boolean;
  /** How often a flaky case was flaky so far; absent until the end of the run. */
  readonly flakeRate?: FlakeRate;
  readonly output: readonly string[];
}

export interface FileResult {
  readonly path: string;
  /** The source from which the file was compiled, if a source map names it. */
  readonly source?: string;
  /** The project of the file, if the run has several and its name is not the path of its folder. */
  readonly project?: string;
  /** The suite, if the run has several. */
  readonly suite?: string;
  readonly framework: string;
  /** The target, and the context if it is not the edited place: `headless/server`. */
  readonly ranIn: string;
  readonly context?: string;
  readonly repeat?: number;
  readonly durationMs: number;
  readonly hasFocus: boolean;
  /** Paths of Instances that the file left in the place, and errors that it raised after its end. */
  readonly leaked: readonly string[];
  readonly cases: readonly CaseResult[];
  /** Output while no case ran. */
  readonly output: readonly string[];
  /** False if the run ended before the file did. */
  readonly isFinished: boolean;
  /** The file has cases, and none of them was chosen. */
  readonly isLeftOut: boolean;
  /** Ids of cases that had begun and not ended when the run ended. */
  readonly running: readonly string[];
  readonly snapshots?: SnapshotCounts;
  /** The numbers of expected pictures. */
  readonly pictures?: SnapshotCounts;
}

export interface Counts {
  /** Cases that passed at the first try. */
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly todo: number;
  /** Cases that passed at a later try. */
  readonly flaky: number;
}

interface OpenCase {
  readonly ends: CaseEnd[];
  readonly printed: string[];
}
interface OpenFile {
  readonly path: string;
  readonly source?: string;
  readonly project?: string;
  readonly suite?: string;
  readonly framework: string;
  readonly ranIn: string;
  readonly context?: string;
  readonly repeat?: number;
  readonly cases: Map<string, OpenCase>;
  readonly printed: string[];
  durationMs: number;
  hasFocus: boolean;
  isFinished: boolean;
  isLeftOut: boolean;
  leaked: readonly string[];
  snapshots?: SnapshotCounts;
  pictures?: SnapshotCounts;
}

type LateError = Extract<TestEvent, { readonly type: "late-error" }>;
type FileEvent = Extract<TestEvent, { readonly try: number }>;

/** The key of one run of a file. A file has results of its own for each context and each repetition. */
export const runOfFile = ({
  file,
  suite = "",
  context = "",
  repeat = 1,
}: Pick<FileEvent, "file" | "suite" | "context" | "repeat">): string =>
  `${file}\0${suite}\0${context}\0${repeat}`;

interface Titled {
  readonly path: string;
  readonly source?: string | undefined;
  readonly project?: string | undefined;
  readonly suite?: string | undefined;
  readonly context?: string | undefined;
  readonly repeat?: number | undefined;
}

/** The file's path, or that of its source. If the file has several results, its context and repetition follow: `Cart.spec.luau [client 2, run 3]`. */
export function titleOf({
  path: ownPath,
  source: path = ownPath,
  project,
  suite,
  context,
  repeat,
}: Titled): string {
  const marks = [
    ...(project === undefined ? [] : [project]),
    ...(suite === undefined ? [] : [suite]),
    ...(context === undefined ? [] : [context]),
    ...(repeat === undefined ? [] : [`run ${repeat}`]),
  ];
  return marks.length === 0 ? path : `${path} [${marks.join(", ")}]`;
}

export class Tally {
  readonly #files = new Map<string, OpenFile>();
  /** By the file and the id of the case. */
  readonly #flakeRates = new Map<string, FlakeRate>();
  #target = "headless";

  add(event: TestEvent): void {
    if (event.type === "run") this.#target = event.target;
    if (event.type === "flake-rate") {
      const { file, suite, id, flakyRuns, runs } = event;
      this.#flakeRates.set(caseKey(file, suite, id), { flakyRuns, runs });
    }
    if (!("try" in event)) return;
    const key = runOfFile(event);
    if (event.type === "file-start") {
      const { file: path, source, project, suite, framework, context, repeat } = event;
      if (!this.#files.has(key))
        this.#files.set(key, {
          path,
          ...(source === undefined ? {} : { source }),
          ...(project === undefined ? {} : { project }),
          ...(suite === undefined ? {} : { suite }),
          framework,
          ranIn: [this.#target, ...(context === undefined ? [] : [context])].join("/"),
          ...(context === undefined ? {} : { context }),
          ...(repeat === undefined ? {} : { repeat }),
          cases: new Map(),
          printed: [],
          durationMs: 0,
          hasFocus: false,
          isFinished: false,
          isLeftOut: false,
          leaked: [],
        });
      return;
    }
    const file = this.#files.get(key);
    if (file === undefined) return;
    switch (event.type) {
      case "case-start":
        return void opened(file, event.id);
      case "case-end":
        return void opened(file, event.id).ends.push(event);
      case "output": {
        const { printed } = event.id === undefined ? file : opened(file, event.id);
        const mark = event.level === "Warning" ? "[warn] " : event.level === "Error" ? "[error] " : "";
        printed.push(`${mark}${event.text}`);
        return;
      }
      case "snapshots":
      case "pictures":
        // The first try counts, because later tries run only the failed cases.
        return void (file[event.type] ??= storedIn(event));
      case "file-end":
        file.durationMs += event.durationMs;
        file.hasFocus ||= event.hasFocus === true;
        file.isFinished = event.isUnfinished !== true;
        file.isLeftOut = event.isLeftOut === true;
        file.leaked = event.leaked ?? [];
        return;
      case "late-error":
        file.leaked = [...file.leaked, lateText(event)];
    }
  }

  /** The results of all files, in the order in which the files began. */
  files(): FileResult[] {
    return [...this.#files.values()].map((file) => this.#resultOf(file));
  }

  /** The result of the file that an event is about. */
  of(event: FileEvent): FileResult | undefined {
    const file = this.#files.get(runOfFile(event));
    return file === undefined ? undefined : this.#resultOf(file);
  }

  #resultOf({ cases, printed, ...file }: OpenFile): FileResult {
    return {
      ...file,
      output: printed,
      running: [...cases].flatMap(([id, { ends }]) => (ends.length === 0 ? [id] : [])),
      cases: [...cases].flatMap(([id, of]) => {
        // If the file cannot be loaded, the cause may be in a module that it requires, and only the output has that error.
        const output = id === FILE_CASE ? printed : of.printed;
        return caseResult(file, id, { ...of, printed: output }, this.#flakeRates) ?? [];
      }),
    };
  }
}

const storedIn = ({ written, updated, removed, obsolete, failed }: SnapshotCounts): SnapshotCounts => ({
  written,
  updated,
  removed,
  obsolete,
  failed,
});

const caseKey = (file: string, suite: string | undefined, id: string): string =>
  `${file}\0${suite ?? ""}\0${id}`;

/** Undefined for a case that has not ended. */
function caseResult(
  { path: file, suite }: Pick<OpenFile, "path" | "suite">,
  id: string,
  { ends, printed: output }: OpenCase,
  flakeRates: ReadonlyMap<string, FlakeRate>,
): CaseResult | undefined {
  const end = ends.at(-1);
  if (end === undefined) return undefined;
  const earlier = ends.slice(0, -1).filter(({ status }) => status === "failed");
  const isFlaky = end.status === "passed" && earlier.length > 0;
  const flakeRate = isFlaky ? flakeRates.get(caseKey(file, suite, id)) : undefined;
  return { file, id, end, earlier, isFlaky, output, ...(flakeRate === undefined ? {} : { flakeRate }) };
}

function lateText({ during, failure: { message, frames } }: LateError): string {
  const place = frames[0] === undefined ? "" : ` at ${frames[0].path}:${frames[0].line}`;
  return `an error${place} while ${during} ran (${message.split("\n")[0]})`;
}

function opened(file: OpenFile, id: string): OpenCase {
  const known = file.cases.get(id);
  if (known !== undefined) return known;
  const made = { ends: [], printed: [] };
  file.cases.set(id, made);
  return made;
}

export function countsOf(files: readonly FileResult[]): Counts {
  const all = files.flatMap(({ cases }) => cases);
  const count = (status: string): number => all.filter(({ end }) => end.status === status).length;
  const flaky = all.filter(({ isFlaky }) => isFlaky).length;
  return {
    passed: count("passed") - flaky,
    failed: count("failed"),
    skipped: count("skipped"),
    todo: count("todo"),
    flaky,
  };
}

/** The number of files. A file that ran in several clients has several results and counts once. */
export const fileCount = (files: readonly FileResult[]): number =>
  new Set(files.map(({ path }) => path)).size;

/** The numbers of stored snapshots, or of expected pictures, of all files. */
export function storedOf(files: readonly FileResult[], kind: "snapshots" | "pictures"): SnapshotCounts {
  const sum = (key: keyof SnapshotCounts): number =>
    files.reduce((total, { [kind]: counts }) => total + (counts?.[key] ?? 0), 0);
  return {
    written: sum("written"),
    updated: sum("updated"),
    removed: sum("removed"),
    obsolete: sum("obsolete"),
    failed: sum("failed"),
  };
}

export const failuresOf = (file: FileResult): readonly CaseResult[] =>
  file.cases.filter(({ end }) => end.status === "failed");

/** The cases that passed only in a later try. */
export const flakyCases = (files: readonly FileResult[]): readonly CaseResult[] =>
  files.flatMap(({ cases }) => cases.filter(({ isFlaky }) => isFlaky));
