/** Reads the line `--@sb context=server players=2 walk=true` in the comments at the top of a test file, which chooses its context. */
import { MAX_PLAYERS } from "../../protocol/limits.ts";
import { nearest } from "../../util/nearest.ts";
import { type ContextKind, contextKinds, type TestContext, testContext } from "../test-context.ts";

/** A blank line, a comment of one line, or a comment in brackets. */
const COMMENT = /^(?:\s+|--\[(=*)\[[\s\S]*?\]\1\]|--[^\n]*)/;
const OWN = /^--\s*@sb\b(?<words>.*)/;
const KEYS = ["context", "players", "walk"] as const;

export interface ChosenContext {
  readonly context: TestContext;
  /** The error in the line, for which the file cannot run. */
  readonly fault?: string;
}

/** The context of a file. `wanted`, that of the run, decides what the file leaves open. */
export function contextFor(source: string, wanted: TestContext): ChosenContext {
  const words = wordsIn(source);
  const own = new Map<string, string>();
  for (const word of words) {
    const [, key = "", value = ""] = /^([^=]*)=(.*)$/.exec(word) ?? [];
    const fault = own.has(key) ? `it says ${key} twice` : faultOf(word, key, value);
    if (fault !== undefined) return { context: wanted, fault: faultText(word, fault) };
    own.set(key, value);
  }
  const kind = contextKinds.find((known) => known === own.get("context")) ?? wanted.kind;
  const [players, walk] = [own.get("players"), own.get("walk")];
  const ofPlay =
    players === undefined ? (walk === undefined ? undefined : `walk=${walk}`) : `players=${players}`;
  if (kind === "edit" && ofPlay !== undefined)
    return {
      context: wanted,
      fault: faultText(ofPlay, "the edited place has no players; add context=server or context=client"),
    };
  const playersOfRun = wanted.players === 0 ? undefined : wanted.players;
  const context = testContext(kind, players === undefined ? playersOfRun : Number(players));
  return { context: walk === undefined ? context : { ...context, walks: walk === "true" } };
}

function wordsIn(source: string): readonly string[] {
  const words: string[] = [];
  let rest = source;
  for (let comment = COMMENT.exec(rest); comment !== null; comment = COMMENT.exec(rest)) {
    const own = OWN.exec(comment[0])?.groups?.["words"]?.trim() ?? "";
    // Such a comment has another reader (run/allowed-errors.ts).
    if (own !== "" && !/^allow-error\s/.test(own)) words.push(...own.split(/\s+/));
    rest = rest.slice(comment[0].length);
  }
  return words;
}

function faultOf(word: string, key: string, value: string): string | undefined {
  switch (key) {
    case "context":
      return isKind(value) ? undefined : `expected context=${contextKinds.join(", context=")}`;
    case "players":
      return /^\d$/.test(value) && Number(value) >= 1 && Number(value) <= MAX_PLAYERS
        ? undefined
        : `expected players=1 to players=${MAX_PLAYERS}`;
    case "walk":
      return value === "true" || value === "false" ? undefined : "expected walk=true or walk=false";
    default: {
      const guess = nearest(key === "" ? word : key, KEYS);
      return guess === undefined
        ? "expected context=…, players=…, walk=… or allow-error TEXT"
        : `did you mean ${guess}=…?`;
    }
  }
}

const isKind = (text: string): text is ContextKind => contextKinds.some((kind) => kind === text);

const faultText = (word: string, fault: string): string =>
  `The line --@sb of this file is not understood: ${word}: ${fault}${fault.endsWith("?") ? "" : "."}`;
