/**
 * What each editing key makes of a text: moving, typing, removing, bringing back, undoing. Pure: a state and a key give
 * the next state.
 */
import {
  characterAfter,
  characterBefore,
  insert,
  lineEnd,
  lineStart,
  remove,
  wordAfter,
  wordBefore,
} from "./edited-text.ts";
import type { EditedText, Target } from "./edited-text.ts";
import { chordOf, typedText } from "./key.ts";
import type { Key } from "./key.ts";

export interface EditState extends EditedText {
  /** What was removed by the keys that keep it, newest first. */
  readonly kills: readonly string[];
  /** The texts before each change, newest first. */
  readonly undo: readonly EditedText[];
  /** Two such keys in a row belong together. */
  readonly last?: LastKey | undefined;
}

type LastKey =
  | { readonly kind: "kill" }
  /** `index` of `kills` stands between `start` and the cursor. */
  | { readonly kind: "yank"; readonly start: number; readonly index: number };

const MAX_KILLS = 10;
const MAX_UNDO = 500;

export const emptyEdit: EditState = { text: "", cursor: 0, kills: [], undo: [] };

const textStart: Target = () => 0;
const textEnd: Target = ({ text }) => text.length;
/** At the start of its line, a second press goes on to the line before. */
const killedBefore: Target = (edited) =>
  (lineStart(edited) === edited.cursor ? characterBefore : lineStart)(edited);
const killedAfter: Target = (edited) =>
  (lineEnd(edited) === edited.cursor ? characterAfter : lineEnd)(edited);

type Targets = { readonly [chord: string]: Target };

const moves: Targets = {
  left: characterBefore,
  "ctrl+b": characterBefore,
  right: characterAfter,
  "ctrl+f": characterAfter,
  "ctrl+left": wordBefore,
  "meta+left": wordBefore,
  "meta+b": wordBefore,
  "ctrl+right": wordAfter,
  "meta+right": wordAfter,
  "meta+f": wordAfter,
  home: lineStart,
  "ctrl+a": lineStart,
  end: lineEnd,
  "ctrl+e": lineEnd,
  "ctrl+home": textStart,
  "ctrl+end": textEnd,
};

const deletions: Targets = {
  backspace: characterBefore,
  "ctrl+h": characterBefore,
  delete: characterAfter,
  "ctrl+d": characterAfter,
};

/** Deletions that Ctrl+Y brings back. */
const kills: Targets = {
  "ctrl+u": killedBefore,
  "ctrl+k": killedAfter,
  "ctrl+w": wordBefore,
  "ctrl+backspace": wordBefore,
  "meta+backspace": wordBefore,
  "meta+d": wordAfter,
  "ctrl+delete": wordAfter,
  "meta+delete": wordAfter,
};

type Edit = (state: EditState) => EditState;

const edits: { readonly [chord: string]: Edit } = {
  "meta+return": (state) => changed(state, insert(state, "\n")),
  "meta+enter": (state) => changed(state, insert(state, "\n")),
  "ctrl+t": transpose,
  "ctrl+y": (state) => yank(state, 0),
  "meta+y": yankOlder,
  "ctrl+_": undo,
};

/** Undefined for a key that edits nothing. */
export function pressEditKey(state: EditState, key: Key): EditState | undefined {
  const chord = chordOf(key);
  const move = moves[chord];
  if (move !== undefined) return { ...state, cursor: move(state), last: undefined };
  const deletion = deletions[chord];
  if (deletion !== undefined) return changed(state, remove(state, state.cursor, deletion(state)));
  const killed = kills[chord];
  if (killed !== undefined) return kill(state, killed(state));
  const edit = edits[chord];
  if (edit !== undefined) return edit(state);
  const typed = typedText(key);
  return typed === undefined ? undefined : changed(state, insert(state, typed));
}

/** The state with `next` as its text, which can be undone. */
export function changed(state: EditState, next: EditedText): EditState {
  const { text, cursor } = next;
  if (text === state.text) return { ...state, cursor, last: undefined };
  const before = { text: state.text, cursor: state.cursor };
  return { ...state, text, cursor, undo: [before, ...state.undo.slice(0, MAX_UNDO - 1)], last: undefined };
}

function kill(state: EditState, target: number): EditState {
  const { text, cursor, last } = state;
  const piece = text.slice(Math.min(cursor, target), Math.max(cursor, target));
  if (piece === "") return state;
  const [newest = "", ...older] = state.kills;
  const isSame = last?.kind === "kill";
  const joined = target < cursor ? piece + newest : newest + piece;
  const all = isSame ? [joined, ...older] : [piece, ...state.kills];
  return {
    ...changed(state, remove(state, cursor, target)),
    kills: all.slice(0, MAX_KILLS),
    last: { kind: "kill" },
  };
}

function yank(state: EditState, index: number): EditState {
  const piece = state.kills[index];
  if (piece === undefined) return state;
  return { ...changed(state, insert(state, piece)), last: { kind: "yank", start: state.cursor, index } };
}

/** Puts the next older piece in the place of the one that was just brought back. */
function yankOlder(state: EditState): EditState {
  const { last, kills: all, cursor } = state;
  if (last?.kind !== "yank") return state;
  return yank({ ...state, ...remove(state, last.start, cursor) }, (last.index + 1) % all.length);
}

/** Swaps the two characters around the cursor, or the last two of a line. */
function transpose(state: EditState): EditState {
  const middle = lineEnd(state) === state.cursor ? characterBefore(state) : state.cursor;
  const { text } = state;
  const start = characterBefore({ text, cursor: middle });
  if (start < lineStart(state) || start === middle) return state;
  const end = characterAfter({ text, cursor: middle });
  const swapped = text.slice(middle, end) + text.slice(start, middle);
  return changed(state, insert(remove(state, start, end), swapped));
}

function undo(state: EditState): EditState {
  const [before, ...older] = state.undo;
  return before === undefined ? state : { ...state, ...before, undo: older, last: undefined };
}
