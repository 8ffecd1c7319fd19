/** What long work needs of the surface that started it: a way to show what happens, and the end of patience. */
import type { Emission } from "./emission.ts";

export interface RunSurface {
  /** Fires when the person or the agent gives up. */
  readonly signal: AbortSignal;
  emit(emission: Emission): void;
  /** A line such as `Waiting for Studio`, shown while nothing else is. */
  status(text: string): void;
  /** Tells what happens behind the scenes, for those who ask with `--verbose`. */
  note(text: string): void;
}

/** `key`: the character, or `enter`, `escape`, `space`. */
export type KeyPress = (key: string) => void;

/** The keyboard of a person who watches a command. Disposing of it gives the terminal back as it was. */
export interface Keys extends Disposable {
  /** Asks for a line of text; undefined where the person wants to answer nothing. */
  askTextAsync(question: string, signal: AbortSignal): Promise<string | undefined>;
}

/** Hears each key that a person presses; undefined if there is no keyboard. */
export type OpenKeys = (hear: KeyPress) => Keys | undefined;
