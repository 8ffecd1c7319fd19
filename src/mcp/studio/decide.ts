/** Puts several decisions of a command as one form to the person at the client, if the client shows forms. */
import type { Decision, DecisionAnswers } from "../../output/decisions.ts";
import { gitBlobHash } from "../../util/git-blob-hash.ts";
import type { Asker } from "../server/features.ts";
import { stringIn } from "../wire/json.ts";

/** A person cannot fill in a longer form; the agent gets the list instead. */
const MAX_FIELDS = 24;

/** Undefined where the form would be too long, or has nothing that a client may decide. */
export async function decideAsync(
  message: string,
  decisions: readonly Decision[],
  asker: Asker,
): Promise<DecisionAnswers | undefined> {
  const asked = decisions.filter(({ isForTerminal = false }) => !isForTerminal);
  if (asked.length === 0 || asked.length > MAX_FIELDS) return undefined;
  const { action, content } = await asker.askAsync({
    key: keyOf(asked),
    message,
    form: { type: "object", properties: Object.fromEntries(asked.map(fieldOf)), required: [] },
  });
  if (action === "decline") return "declined";
  if (action === "cancel") return undefined;
  return new Map(
    asked.flatMap(({ key, options }) => {
      const value = stringIn(content, key);
      return value !== undefined && options.some((option) => option.value === value) ? [[key, value]] : [];
    }),
  );
}

/** Other decisions get another key, so that a repeated call never takes answers to questions that have changed. */
const keyOf = (decisions: readonly Decision[]): string =>
  `decide-${gitBlobHash(JSON.stringify(decisions.map(({ key, question, options }) => [key, question, options])))}`;

function fieldOf({ key, question, options }: Decision) {
  const oneOf = options.map(({ value, label }) => ({ const: value, title: label }));
  return [key, { type: "string" as const, title: question, oneOf }] as const;
}
