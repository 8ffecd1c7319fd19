/**
 * Explains why a module could not be loaded. `require` raises the same sentence for every cause, and the engine writes the cause
 * only to the Output. This joins the two.
 */
import { type Failure, type Frame, NOT_LOADED } from "../events.ts";
import { type FileOfScript, positionIn, withoutPosition } from "../frames.ts";

/** The hint for a module without a value. A plain script that the project mounts is such a module. */
const RETURN_ONE = "a script that the project mounts ends with one value, such as `return nil`";

/** The compiler's words about a byte order mark, which Rojo and the engine take for a part of the code. */
const MARK = "got Unicode character U+feff";
const WITHOUT_MARK = "the file has a byte order mark here; save it as UTF-8 without one";

/** A cause that names the module, but no line. */
const WITHOUT_VALUE = /^(?<name>.+): (?<rest>Module code did not return exactly one value)$/;

interface Cause {
  readonly message: string;
  readonly frames: readonly Frame[];
}

export class LoadErrors {
  readonly #fileOf: FileOfScript;
  /** The cause in the last error since the case began. */
  #latest: Cause | undefined;
  /** The cause for the last module that could not be loaded. A second `require` of it writes nothing to the Output. */
  #known: Cause | undefined;

  constructor(fileOf: FileOfScript) {
    this.#fileOf = fileOf;
  }

  /** Forgets earlier errors, because they do not explain a failure of the case that begins. */
  beginCase(): void {
    this.#latest = undefined;
  }

  /** Takes each error of the Output. */
  add(text: string): void {
    if (!text.endsWith(NOT_LOADED)) this.#latest = this.#causeIn(text);
  }

  /** The failure with its cause as the message and, where one is known, with the next step. */
  explained(failure: Failure): Failure {
    const told = this.#withCause(failure);
    return told.message.endsWith(MARK) ? { ...told, message: `${told.message}; ${WITHOUT_MARK}` } : told;
  }

  /** If the cause has a position, it becomes the innermost frame. */
  #withCause(failure: Failure): Failure {
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
    // Errors of the engine's own functions have no position in their message, but a stack.
    return {
      message: name === undefined ? text : `${this.#fileOf(name) ?? name}: ${rest}; ${RETURN_ONE}`,
      frames: [],
    };
  }
}
