/** Several things that a person decides together, and the answers. */
import type { Style } from "../util/style.ts";

/** One of several questions that belong together. */
export interface Decision {
  /** Names it among the others, and stays the same when the call is repeated with the answers. */
  readonly key: string;
  /** One line. */
  readonly question: string;
  /** What a person needs to see before the choice, such as a diff; empty where the question says it all. */
  detail(style: Style): string;
  /** The first one changes nothing. */
  readonly options: readonly DecisionOption[];
  /** Only a person at a terminal may decide it, because an agent's client may answer for its user. */
  readonly isForTerminal?: boolean;
}

export interface DecisionOption {
  readonly value: string;
  /** The key to press: one lower-case letter. */
  readonly key: string;
  readonly label: string;
}

/** The chosen values by the keys of the decisions; `declined` where the person wants none of it. */
export type DecisionAnswers = ReadonlyMap<string, string> | "declined";
