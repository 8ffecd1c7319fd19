/** The reporters by name: one takes the screen, others write files. All of them read the same events. */
import { appendFile, mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { plainStyle, type Style } from "../../util/style.ts";
import { writeWholeFileAsync } from "../../util/whole-file.ts";
import { coverageLine } from "../coverage/text.ts";
import type { ObsoleteSnapshots, TestEvent } from "../events.ts";
import { agentText } from "./agent.ts";
import { breakOffText } from "./break-off.ts";
import type { PictureOf, SourceOf } from "./failure-text.ts";
import { htmlText } from "./html.ts";
import type { WorkflowFolders } from "../../output/github-annotation.ts";
import { annotations, summary } from "./github.ts";
import { junitText } from "./junit.ts";
import { shownOn } from "./layout.ts";
import { fileText, summaryText } from "./screen.ts";
import { tapText } from "./tap.ts";
import { failuresOf, Tally } from "./tally.ts";

export const reporterNames = [
  "pretty",
  "line",
  "tap",
  "junit",
  "github",
  "html",
  "json",
  "blob",
  "agent",
  "exec",
] as const;
export type ReporterName = (typeof reporterNames)[number];

export interface WantedReporter {
  readonly name: ReporterName;
  /** An absolute path. Without one, the reporter writes to the screen. */
  readonly file?: string;
  /** The program of `exec`, with its arguments. */
  readonly argv?: readonly string[];
}

export interface ReporterWorld {
  readonly write: (text: (style: Style) => string) => void;
  readonly sourceOf: SourceOf;
  readonly pictureOf?: PictureOf;
  readonly showsOutput: boolean;
  readonly showsCompiled: boolean;
  readonly slowest: number;
  readonly maxFailures: number;
  /** The command that runs the failed cases once more; absent if there is none. */
  readonly again?: string;
  /** Makes the error for a file that cannot be written. */
  readonly unwritable: (file: string, cause: unknown) => Error;
  readonly github: WorkflowFolders;
  /** The load of the machine, where 1 means that every processor is busy; undefined if it is not known. */
  readonly load: () => number | undefined;
  /** The file that GITHUB_STEP_SUMMARY names; undefined if that is not set. */
  readonly summaryFile: string | undefined;
}

/** True for reporters that write the events themselves, one per line of JSON. */
const isLines = (name: ReporterName): boolean => name === "json" || name === "blob";

/** True for the reports that show each file on the screen as it ends. */
export const isScreenReporter = (name: ReporterName): boolean => name === "pretty" || name === "line";

export class Reporters {
  readonly tally = new Tally();
  readonly #wanted: readonly WantedReporter[];
  readonly #world: ReporterWorld;
  readonly #keepsEvents: boolean;
  readonly #events: string[] = [];
  #startedAt = 0;
  #target = "headless";
  #seed: number | undefined;
  #durationMs = 0;
  #planned = 0;
  readonly #workers = new Set<number>();
  /** The sentence of breakOffText; undefined for a run that came to its end. */
  #breakOff: string | undefined;
  /** The line of coverageLine; undefined if no lines were counted. */
  #coverage: string | undefined;
  /** Files of stored snapshots whose test is gone. */
  #obsolete: ObsoleteSnapshots | undefined;

  constructor(wanted: readonly WantedReporter[], world: ReporterWorld) {
    this.#wanted = wanted;
    this.#world = world;
    this.#keepsEvents = wanted.some(({ name, file }) => isLines(name) && file !== undefined);
  }

  report(event: TestEvent): void {
    this.tally.add(event);
    if (event.type === "run") {
      this.#startedAt = event.startedAt;
      this.#target = event.target;
      this.#seed = event.seed;
      this.#planned = event.files.length;
    } else if (event.type === "file-start") {
      this.#workers.add(event.worker);
    } else if (event.type === "coverage") {
      this.#coverage = coverageLine(event.files, event.linesBefore);
    } else if (event.type === "obsolete-snapshots") {
      this.#obsolete = event;
    } else if (event.type === "run-end") {
      this.#durationMs = event.durationMs;
      this.#breakOff = breakOffText(event, this.tally.files(), this.#planned);
    }
    if (this.#keepsEvents) this.#events.push(`${JSON.stringify(event)}\n`);
    for (const { name, file } of this.#wanted)
      if (file === undefined && name !== "exec") this.#show(name, event);
  }

  /** Writes the files, each whole or not at all. */
  async writeFilesAsync(): Promise<void> {
    for (const { name, file } of this.#wanted) {
      if (file === undefined) continue;
      try {
        await mkdir(dirname(file), { recursive: true });
        await writeWholeFileAsync(file, Buffer.from(this.#text(name)));
      } catch (error) {
        throw this.#world.unwritable(file, error);
      }
    }
    const { summaryFile } = this.#world;
    const isGithub = this.#wanted.some(({ name }) => name === "github");
    if (isGithub && summaryFile !== undefined)
      await appendFile(
        summaryFile,
        summary(this.tally.files(), this.#durationMs, this.#breakOff, this.#coverage),
      );
  }

  #show(name: ReporterName, event: TestEvent): void {
    const { write } = this.#world;
    if (isLines(name)) return write(() => JSON.stringify(event));
    if (isScreenReporter(name)) return this.#showOnScreen(event, name === "pretty");
    if (event.type !== "run-end") return;
    const text = this.#text(name).trimEnd();
    if (text !== "") write(() => text);
  }

  /** Shows each file as soon as it ends, and the counts at the end of the run. `line` shows only files with failures. */
  #showOnScreen(event: TestEvent, isPretty: boolean): void {
    const { write: writeText } = this.#world;
    const write = (text: (style: Style) => string): void => writeText((style) => shownOn(text(style), style));
    if (event.type === "run-end") write((style) => this.#summaryText(style, isPretty));
    if (event.type !== "file-end" || event.isRetried === true) return;
    const file = this.tally.of(event);
    // A file that was cut off may still have failed, and a file without cases has no result: neither is shown as passed.
    const isShown = isPretty && file?.isFinished === true && file.cases.length > 0;
    if (file === undefined || (!isShown && failuresOf(file).length === 0)) return;
    write((style) => fileText(file, style, this.#world));
  }

  #summaryText(style: Style, isPretty = false): string {
    const { slowest, again } = this.#world;
    const options = {
      durationMs: this.#durationMs,
      slowest,
      again,
      seed: this.#seed,
      breakOff: this.#breakOff,
      coverage: this.#coverage,
      obsolete: this.#obsolete,
      machine: isPretty ? this.#machineText() : undefined,
    };
    return summaryText(this.tally.files(), options, style);
  }

  #machineText(): string | undefined {
    const load = this.#world.load();
    const workers = this.#workers.size > 1 ? [`${this.#workers.size} workers`] : [];
    const parts = [...workers, ...(load === undefined ? [] : [`load ${load.toFixed(1)}`])];
    return parts.length === 0 ? undefined : parts.join(", ");
  }

  #text(name: ReporterName): string {
    const files = this.tally.files();
    const { sourceOf, pictureOf, maxFailures, github } = this.#world;
    switch (name) {
      case "json":
      case "exec":
      case "blob":
        return this.#events.join("");
      case "junit":
        return junitText(files, this.#durationMs, this.#startedAt, this.#breakOff);
      case "html":
        return htmlText({
          files,
          target: this.#target,
          startedAt: this.#startedAt,
          durationMs: this.#durationMs,
          seed: this.#seed,
          breakOff: this.#breakOff,
          coverage: this.#coverage,
          sourceOf,
          pictureOf,
        });
      case "tap":
        return tapText(files, this.#breakOff);
      case "github":
        return annotations(files, github)
          .map((line) => `${line}\n`)
          .join("");
      case "agent":
        return `${agentText(files, this.#durationMs, { sourceOf, maxFailures }, this.#breakOff, this.#coverage)}\n`;
      case "pretty":
      case "line": {
        const failed = files.filter((file) => failuresOf(file).length > 0);
        const texts = failed.map((file) => fileText(file, plainStyle, this.#world));
        return `${[...texts, this.#summaryText(plainStyle)].join("\n")}\n`;
      }
    }
  }
}
