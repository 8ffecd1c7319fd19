/**
 * The core of the line editor: a state and a key give the next state, and what is to be done besides. Pure: it draws
 * nothing, runs nothing and knows no Luau.
 */
import { changed, emptyEdit, pressEditKey } from "./edit-keys.ts";
import type { EditState } from "./edit-keys.ts";
import { inNeighbourLine, insert, lineStart } from "./edited-text.ts";
import type { EditedText } from "./edited-text.ts";
import { beginSearch, foundText, pressSearchKey, searchPrompt } from "./history-search.ts";
import type { Search } from "./history-search.ts";
import { stepInHistory } from "./history-walk.ts";
import type { Walk } from "./history-walk.ts";
import { chordOf } from "./key.ts";
import type { Key } from "./key.ts";

export interface PromptState {
  readonly edit: EditState;
  /** Present between two arrows that lead through the history. */
  readonly walk?: Walk | undefined;
  readonly search?: Search | undefined;
}

/** What a key asks for beyond a change of the text. */
export type Action = "submit" | "complete" | "cancel" | "end" | "clear" | "suspend";

export interface Pressed {
  readonly state: PromptState;
  readonly action?: Action;
}

const PROMPT = "> ";
const INDENT = "  ";

const actions: { readonly [chord: string]: Action } = {
  return: "submit",
  enter: "submit",
  tab: "complete",
  "ctrl+c": "cancel",
  "ctrl+d": "end",
  "ctrl+l": "clear",
  "ctrl+z": "suspend",
};

const steps: { readonly [chord: string]: "older" | "newer" } = {
  up: "older",
  "ctrl+p": "older",
  down: "newer",
  "ctrl+n": "newer",
};

export const emptyPrompt: PromptState = { edit: emptyEdit };

/** `history` is newest first. */
export function press(state: PromptState, key: Key, history: readonly string[]): Pressed {
  if (state.search !== undefined) return pressInSearch(state.search, state, key, history);
  const { edit } = state;
  const chord = chordOf(key);
  if (chord === "ctrl+r") return { state: showSearch(edit, beginSearch(edit), history) };
  const direction = steps[chord];
  if (direction !== undefined) return { state: step(state, chord, direction, history) };
  const action = actionOf(edit, chord);
  if (action !== undefined) return { state: { edit }, action };
  const typed = chord === "tab" ? changed(edit, insert(edit, INDENT)) : pressEditKey(edit, key);
  return { state: { edit: typed ?? edit } };
}

/** What stands before the first line of the text. `label` says where the text will run. */
export function promptOf({ search }: PromptState, label: string): string {
  return search === undefined ? `${label}${PROMPT}` : searchPrompt(search);
}

/** The state with another text, whose change can be undone. */
export function withText({ edit }: PromptState, next: EditedText): PromptState {
  return { edit: changed(edit, next) };
}

/** An empty text; what was removed can still be brought back into it. */
export function emptied({ edit: { kills } }: PromptState): PromptState {
  return { edit: { ...emptyEdit, kills } };
}

/** Ctrl+D ends the input only where there is none, and Tab in front of a line indents it. */
function actionOf(edit: EditState, chord: string): Action | undefined {
  const action = actions[chord];
  if (action === "end" && edit.text !== "") return undefined;
  const before = edit.text.slice(lineStart(edit), edit.cursor);
  return action === "complete" && before.trim() === "" ? undefined : action;
}

function pressInSearch(search: Search, state: PromptState, key: Key, history: readonly string[]): Pressed {
  const next = pressSearchKey(search, key, history);
  if (next === "left") return press({ edit: state.edit }, key, history);
  if (next === "cancelled") return { state: withText(state, search.draft) };
  return { state: showSearch(state.edit, next, history) };
}

function showSearch(edit: EditState, search: Search, history: readonly string[]): PromptState {
  return { ...withText({ edit }, foundText(search, history)), search };
}

/** Arrows lead through the lines of a text first; Ctrl+P and Ctrl+N pass over whole texts. */
function step(
  { edit, walk }: PromptState,
  chord: string,
  direction: "older" | "newer",
  history: readonly string[],
): PromptState {
  const isArrow = chord === "up" || chord === "down";
  const cursor = isArrow ? inNeighbourLine(edit, direction === "older" ? "above" : "below") : undefined;
  if (cursor !== undefined) return { edit: { ...edit, cursor, last: undefined }, walk };
  const walked = stepInHistory(walk, edit, history, direction);
  if (walked === undefined) return { edit, walk };
  return { ...withText({ edit }, walked.edited), walk: walked.walk };
}
