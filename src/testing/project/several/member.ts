/** One of several parts of a run: a project with its own settings, or the same project with another suite. */
import type { FileCoverage } from "../../coverage/file-coverage.ts";
import type { Failure, Frame, TestEvent } from "../../events.ts";
import type { SourceOf } from "../../report/failure-text.ts";
import type { TestWishes } from "../test-wishes.ts";

export interface Member {
  /** The name in the settings of the project, else the path of its folder. */
  readonly name: string;
  /** The project's folder, relative to the folder of the run, with a slash at the end; empty for that folder itself. */
  readonly prefix: string;
  /** Present if the run has several suites. */
  readonly suite?: string | undefined;
  readonly wishes: TestWishes;
}

/** The fields by which reports know the member of a file. A name that is the path says nothing that the file does not. */
export const marksOf = ({ name, prefix, suite }: Member): { project?: string; suite?: string } => ({
  ...(prefix === "" || prefix === `${name}/` ? {} : { project: name }),
  ...(suite === undefined ? {} : { suite }),
});

/** The file as the list of all files of a run has it. */
export const listedFile = ({ prefix, suite }: Member, path: string): string =>
  `${prefix}${path}${suite === undefined ? "" : ` [${suite}]`}`;

/** Makes events of a member events of the whole run: paths are relative to the folder of the run. */
export class MemberEvents {
  readonly #member: Member;
  readonly #sourceOf: SourceOf;

  /** `sourceOf` knows the files of the member by their paths in its project. */
  constructor(member: Member, sourceOf: SourceOf) {
    this.#member = member;
    this.#sourceOf = sourceOf;
  }

  shown(event: TestEvent): TestEvent {
    const placed = this.#placed(event);
    return "try" in placed || placed.type === "flake-rate" ? { ...placed, ...this.#marks(placed) } : placed;
  }

  coverage(files: readonly FileCoverage[]): readonly FileCoverage[] {
    return files.map((file) => ({ ...file, path: this.#path(file.path) }));
  }

  #path(path: string): string {
    return `${this.#member.prefix}${path}`;
  }

  #marks({ type }: TestEvent): object {
    const { project, suite } = marksOf(this.#member);
    const ofSuite = suite === undefined ? {} : { suite };
    return type === "flake-rate" || project === undefined ? ofSuite : { project, ...ofSuite };
  }

  #placed(event: TestEvent): TestEvent {
    switch (event.type) {
      case "file-start":
        return {
          ...event,
          file: this.#path(event.file),
          ...(event.source === undefined ? {} : { source: this.#path(event.source) }),
        };
      case "case-start":
        return { ...event, file: this.#path(event.file), ...this.#source(event) };
      case "case-end":
        return {
          ...event,
          file: this.#path(event.file),
          ...this.#source(event),
          ...(event.failure === undefined ? {} : { failure: this.#failure(event.failure) }),
        };
      case "late-error":
        return {
          ...event,
          file: this.#path(event.file),
          during: this.#path(event.during),
          failure: this.#failure(event.failure),
        };
      case "output":
      case "snapshots":
      case "pictures":
      case "file-end":
      case "flake-rate":
        return { ...event, file: this.#path(event.file) };
      case "obsolete-snapshots":
        return { ...event, files: event.files.map((file) => this.#path(file)) };
      default:
        return event;
    }
  }

  #source({ source }: Extract<TestEvent, { readonly type: "case-start" | "case-end" }>): object {
    return source === undefined ? {} : { source: { ...source, path: this.#path(source.path) } };
  }

  #failure(failure: Failure): Failure {
    const { frames, pictures } = failure;
    return {
      ...failure,
      frames: frames.map((frame) => this.#frame(frame)),
      ...(pictures === undefined ? {} : { pictures: pictures.map((path) => this.#path(path)) }),
    };
  }

  /** The path of a frame may be the name of a script, which belongs to no folder. */
  #frame(frame: Frame): Frame {
    const { compiled } = frame;
    if (compiled === undefined && this.#sourceOf(frame.path) === undefined) return frame;
    return {
      ...frame,
      path: this.#path(frame.path),
      ...(compiled === undefined ? {} : { compiled: { ...compiled, path: this.#path(compiled.path) } }),
    };
  }
}
