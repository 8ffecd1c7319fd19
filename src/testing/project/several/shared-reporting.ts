/** The reports of a run with several members: one start, one end and one coverage for all of them. */
import { mergeCoverage, type FileCoverage } from "../../coverage/file-coverage.ts";
import type { TestEvent } from "../../events.ts";
import { Reporters } from "../../report/reporters.ts";
import { type CoverageResult, showCoverage, writeCoverageAsync } from "../coverage.ts";
import { openReporting, type Reporting, type ReportWishes, sourceReader } from "../reporting.ts";
import type { TestSurface } from "../test-surface.ts";
import { type Member, MemberEvents } from "./member.ts";

type RunStart = Extract<TestEvent, { readonly type: "run" }>;
type RunEnd = Extract<TestEvent, { readonly type: "run-end" }>;
type Ended = RunEnd["ended"];

export class SharedReporting {
  readonly #wishes: ReportWishes;
  readonly #surface: TestSurface;
  readonly #reporting: Reporting;
  readonly #covered: FileCoverage[] = [];
  #isCovered = false;
  #ended: Ended;

  constructor(wishes: ReportWishes, surface: TestSurface) {
    this.#wishes = wishes;
    this.#surface = surface;
    // The members write the files of coverage, each into a folder of its own.
    this.#reporting = openReporting({ ...wishes, coverage: undefined }, surface);
  }

  get reporting(): Reporting {
    return this.#reporting;
  }

  begin(start: RunStart): void {
    this.#reporting.report(start);
  }

  /** What a member reports to. It keeps results of its own, by the paths in its project, because its history needs them. */
  of(member: Member): Reporting {
    const { folder, coverage } = member.wishes;
    const sourceOf = sourceReader(folder);
    const events = new MemberEvents(member, sourceOf);
    const reporters = quietReporters(sourceOf);
    let startedAtMs = 0;
    let covered: readonly FileCoverage[] | undefined;
    return {
      reporters,
      sourceOf,
      report: (event) => {
        reporters.report(event);
        if (event.type === "run") startedAtMs = event.startedAt;
        else if (event.type === "run-end") this.#ended ??= event.ended;
        else if (event.type === "coverage") {
          covered = event.files;
          this.#isCovered = true;
          this.#covered.push(...events.coverage(event.files));
        } else this.#reporting.report(events.shown(event));
      },
      writeFilesAsync: async () => {
        if (coverage !== undefined && covered !== undefined)
          await writeCoverageAsync(covered, coverage, { folder, startedAtMs }, this.#surface);
      },
    };
  }

  /** The coverage of all members; undefined if no lines were counted. */
  async endAsync(durationMs: number, missed: readonly string[]): Promise<CoverageResult | undefined> {
    const { coverage, reporters } = this.#wishes;
    const files = this.#isCovered ? mergeCoverage([this.#covered]) : undefined;
    if (files !== undefined) {
      this.#reporting.report({ type: "coverage", files: [...files] });
      if (coverage !== undefined) showCoverage(files, coverage, reporters, this.#surface);
    }
    const ended = this.#ended;
    this.#reporting.report({ type: "run-end", durationMs, ...(ended === undefined ? {} : { ended }) });
    await this.#reporting.writeFilesAsync();
    return files === undefined ? undefined : { files, missed, isUnchecked: false };
  }
}

/** They only add up. */
const quietReporters = (sourceOf: Reporting["sourceOf"]): Reporters =>
  new Reporters([], {
    write: () => {},
    sourceOf,
    showsOutput: false,
    showsCompiled: false,
    slowest: 0,
    maxFailures: 0,
    unwritable: (_file, cause) => new Error(String(cause)),
    github: { folder: "", workspace: undefined },
    load: () => undefined,
    summaryFile: undefined,
  });
