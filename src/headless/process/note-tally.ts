/**
 * Counts what the engine notes about its own limits: kinds of notes, names within a kind, and how often each was noted. A
 * negative count takes notes back.
 */

/** `neverFires`: connections to an event by its name. `approximated`: Instances of a class that were taken for simpler ones. */
export const NOTE_KINDS = ["neverFires", "approximated"] as const;
export type NoteKind = (typeof NOTE_KINDS)[number];

export interface Note {
  readonly kind: NoteKind;
  readonly name: string;
  readonly count: number;
}

export class NoteTally {
  readonly #counts = new Map<string, Note>();

  add({ kind, name, count }: Note): void {
    const key = `${kind} ${name}`;
    this.#counts.set(key, { kind, name, count: count + (this.#counts.get(key)?.count ?? 0) });
  }

  /** What was noted of a kind, most often first. */
  of(wanted: NoteKind): readonly Note[] {
    return [...this.#counts.values()]
      .filter(({ kind, count }) => kind === wanted && count > 0)
      .sort((one, other) => other.count - one.count || (one.name < other.name ? -1 : 1));
  }

  /** All of it, which is then forgotten. */
  take(): readonly Note[] {
    const notes = [...this.#counts.values()];
    this.#counts.clear();
    return notes;
  }
}

/** Fails for an engine of another build, which is a defect. */
export function noteKind(text: string): NoteKind {
  const kind = NOTE_KINDS.find((each) => each === text);
  if (kind === undefined) throw new Error(`no kind of note "${text}"`);
  return kind;
}
