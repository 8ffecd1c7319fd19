/**
 * Why a module could not be loaded. `require` raises one sentence for every cause, and the engine writes the cause itself to the
 * Output, so that both are brought together here.
 */
import { type Failure, type Frame, NOT_LOADED } from "../events.ts";
import { type FileOfScript, positionIn, withoutPosition } from "../frames.ts";

/** A newcomer's script that only runs and ends is such a module too, where the project mounts it. */
const RETURN_ONE = "a script that the project mounts ends with one value, such as `return nil`";

/** A cause that names the module without a line. */
const WITHOUT_VALUE = /^(?<name>.+): (?<rest>Module code did not return exactly one value)$/;

interface Cause {
  readonly message: string;
  readonly frames: readonly Frame[];
}

export class LoadErrors {
  readonly #fileOf: FileOfScript;
  /** Of the last error since the case began. */
  #latest: Cause | undefined;
  /** Of the last module that was not loaded. A second `require` of it fails too, and then the Output says nothing. */
  #known: Cause | undefined;

  constructor(fileOf: FileOfScript) {
    this.#fileOf = fileOf;
  }

  /** What the Output said before explains no failure of the case that begins. */
  beginCase(): void {
    this.#latest = undefined;
  }

  /** Hears each error of the Output. */
  add(text: string): void {
    if (!text.endsWith(NOT_LOADED)) this.#latest = this.#causeIn(text);
  }

  /** The failure with the cause as its message, and where that has a line, as its innermost frame. */
  explained(failure: Failure): Failure {
    if (!failure.message.endsWith(NOT_LOADED)) return failure;
    this.#known = this.#latest ?? this.#known;
    if (this.#known === undefined) return failure;
    const { message, frames } = this.#known;
    const [first] = failure.frames;
    const hasPlace = frames.some(({ path, line }) => path === first?.path && line === first.line);
    return { ...failure, message, frames: hasPlace ? failure.frames : [...frames, ...failure.frames] };
  }

  #causeIn(text: string): Cause {
    const place = positionIn(text, this.#fileOf);
    if (place !== undefined)
      return { message: withoutPosition(text, [place], this.#fileOf), frames: [place] };
    const { name, rest } = WITHOUT_VALUE.exec(text)?.groups ?? {};
    // Errors of the engine's own functions name no place; their stack has it.
    return {
      message: name === undefined ? text : `${this.#fileOf(name) ?? name}: ${rest}; ${RETURN_ONE}`,
      frames: [],
    };
  }
}
