/**
 * Where the place of a headless Studio goes: to the file that a person names, and at the end to the place file of `--save`
 * or among the kept places. One at a time, in the order asked.
 */
import type { WrittenPlace } from "../bytes/place-file.ts";
import type { KeptValues } from "../bytes/kept-values.ts";
import type { PlaceReader } from "./place-reader.ts";

interface PlaceFacts {
  readonly placeName: string;
  /** The place file that was opened. */
  readonly file?: string;
  /** What the engine cannot hold of that file. */
  readonly kept?: KeptValues;
  /** Where the place is saved at the end. */
  readonly savesAt?: string;
  /** Changes that were not saved are kept at the end. A Studio of one command's own keeps nothing. */
  readonly keepsUnsaved: boolean;
  /** The file among the kept places that was opened: as long as it is there, nothing of it needs to be kept again. */
  readonly restoredFrom?: string;
}

/** What became of a place at the end of its Studio. */
export interface PutAway {
  /** The name of the kept place. */
  readonly kept?: string | undefined;
  /** Names of older kept places that were dropped to make room. */
  readonly dropped?: string[] | undefined;
  readonly savedTo?: string | undefined;
}

export class PlaceSaver {
  readonly #facts: PlaceFacts;
  #file: string | undefined;
  #reader: PlaceReader | undefined;
  /** The VM counts the place as saved, but it could not be written. */
  #isLeftUnsaved = false;
  #isNeverSaved = true;
  #last: Promise<unknown> = Promise.resolve();
  #putAway: PutAway | undefined;
  #failure: unknown;

  constructor(facts: PlaceFacts) {
    this.#facts = facts;
    this.#file = facts.savesAt ?? facts.file;
  }

  /** Whether it makes a difference that the place has changed. */
  get keepsUnsaved(): boolean {
    return this.#facts.keepsUnsaved;
  }

  /** What became of the place, once the Studio has ended or is about to. */
  get putAway(): PutAway | undefined {
    return this.#putAway;
  }

  /** What kept the place from being saved at the end. */
  get failure(): unknown {
    return this.#failure;
  }

  /** The VM that holds the place now. */
  attach(reader: PlaceReader): void {
    this.#reader = reader;
  }

  async stateAsync(): Promise<{ readonly file?: string; readonly isUnsaved: boolean }> {
    const isUnsaved = await this.#isUnsavedAsync();
    return { isUnsaved, ...(this.#file === undefined ? {} : { file: this.#file }) };
  }

  /** Throws FILE_ERROR; the file is then as it was. */
  saveAsync(file: string): Promise<WrittenPlace> {
    return this.#inOrder(async () => {
      const written = await this.#writeAsync(file);
      this.#file = file;
      return written;
    });
  }

  /** Saves or keeps the place, once. Throws when it is neither: the place is then in the Studio only. */
  putAwayAsync(discards = false): Promise<PutAway> {
    return this.#inOrder(async () => (this.#putAway ??= discards ? {} : await this.#putAwayNowAsync()));
  }

  /** The same for a Studio that ends in any case: what cannot be saved is kept. Throws what kept it from being saved. */
  async putAwayAtEndAsync(): Promise<void> {
    try {
      await this.putAwayAsync();
    } catch (error) {
      this.#failure = error;
      if (this.#facts.savesAt === undefined || !this.#facts.keepsUnsaved) throw error;
      await this.#inOrder(async () => {
        this.#putAway = await this.#keepAsync();
      });
      throw error;
    }
  }

  async #putAwayNowAsync(): Promise<PutAway> {
    const { savesAt, keepsUnsaved } = this.#facts;
    if (savesAt !== undefined) {
      await this.#writeAsync(savesAt);
      return { savedTo: savesAt };
    }
    return keepsUnsaved && (await this.#isUnsavedAsync()) ? this.#keepAsync() : {};
  }

  async #keepAsync(): Promise<PutAway> {
    const { keepPlaceAsync } = await import("../kept-places.ts");
    const { placeName } = this.#facts;
    const facts = { placeName, ...(this.#file === undefined ? {} : { placeFile: this.#file }) };
    const { name, dropped } = await keepPlaceAsync(
      facts,
      async (path) => void (await this.#writeAsync(path)),
    );
    return { kept: name, dropped };
  }

  async #isUnsavedAsync(): Promise<boolean> {
    const { restoredFrom } = this.#facts;
    if (this.#isLeftUnsaved || (await this.#readerNow.isUnsavedAsync())) return true;
    return restoredFrom !== undefined && this.#isNeverSaved && !(await Bun.file(restoredFrom).exists());
  }

  async #writeAsync(file: string): Promise<WrittenPlace> {
    const { writePlaceAsync } = await import("../bytes/place-file.ts");
    const place = await this.#readerNow.placeAsync();
    try {
      const written = await writePlaceAsync(file, place, this.#facts.kept);
      this.#isLeftUnsaved = false;
      this.#isNeverSaved = false;
      return written;
    } catch (error) {
      this.#isLeftUnsaved = true;
      throw error;
    }
  }

  get #readerNow(): PlaceReader {
    if (this.#reader === undefined) throw new Error("headless Studio is still starting");
    return this.#reader;
  }

  #inOrder<T>(act: () => Promise<T>): Promise<T> {
    const next = this.#last.then(act, act);
    this.#last = next.catch(() => undefined);
    return next;
  }
}
