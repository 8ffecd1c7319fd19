/** A key as `node:readline` reports it, and its name as people write it. */

export interface Key {
  /** The characters that it types; absent for keys such as arrows. */
  readonly typed?: string | undefined;
  readonly name?: string | undefined;
  readonly sequence?: string | undefined;
  readonly ctrl?: boolean | undefined;
  readonly meta?: boolean | undefined;
}

const UNNAMED: { readonly [sequence: string]: string } = { "\x1f": "ctrl+_" };

/** `ctrl+left`, `meta+b`, `return`. Shift makes no difference to any key of the editor. */
export function chordOf({ name = "", sequence = "", ctrl, meta }: Key): string {
  const unnamed = UNNAMED[sequence];
  if (unnamed !== undefined) return unnamed;
  return `${ctrl === true ? "ctrl+" : ""}${meta === true ? "meta+" : ""}${name}`;
}

/** What the key adds to a text; undefined for keys that do something else. */
export function typedText({ typed, ctrl, meta }: Key): string | undefined {
  if (typed === undefined || ctrl === true || meta === true) return undefined;
  return /^[^\u0000-\u001f\u007f-\u009f]+$/.test(typed) ? typed : undefined;
}

export function isEnter(key: Key): boolean {
  return ["return", "enter"].includes(chordOf(key));
}
