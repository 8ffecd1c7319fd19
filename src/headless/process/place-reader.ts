/** Asks the VM for its place and for whether that has changed. A VM whose script never yields cannot answer, so the wait is limited. */

/** A script that never yields is stopped before. */
const PATIENCE_MS = 15_000;

interface Questions {
  askForPlace(): void;
  askUnsaved(): void;
}

type Answer<T> = PromiseWithResolvers<T>;

export class PlaceReader {
  readonly #questions: Questions;
  /** Waiting for answers, in the order of the questions, which is that of the answers. */
  readonly #places: Answer<Uint8Array>[] = [];
  readonly #verdicts: Answer<boolean>[] = [];

  constructor(questions: Questions) {
    this.#questions = questions;
  }

  /** What changes from now on counts as unsaved. Throws if the VM does not answer. */
  placeAsync(): Promise<Uint8Array> {
    return askAsync(this.#places, () => this.#questions.askForPlace());
  }

  /** Throws if the VM does not answer. */
  isUnsavedAsync(): Promise<boolean> {
    return askAsync(this.#verdicts, () => this.#questions.askUnsaved());
  }

  /** Answers of the VM. */
  placeGiven(place: Uint8Array): void {
    this.#places.shift()?.resolve(place);
  }

  unsavedTold(isUnsaved: boolean): void {
    this.#verdicts.shift()?.resolve(isUnsaved);
  }
}

async function askAsync<T>(waiting: Answer<T>[], ask: () => void): Promise<T> {
  const answer = Promise.withResolvers<T>();
  waiting.push(answer);
  ask();
  const patience = setTimeout(
    () => answer.reject(new Error("Headless Studio did not answer: a script never yielded.")),
    PATIENCE_MS,
  );
  try {
    return await answer.promise;
  } finally {
    clearTimeout(patience);
  }
}
