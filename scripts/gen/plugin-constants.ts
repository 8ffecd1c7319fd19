/** The plugin's Luau constants, from the protocol tables. */
import { actionNames, actions } from "../../src/protocol/actions.ts";
import { contexts, studioStates } from "../../src/protocol/fields/contexts.ts";
import { logLevels } from "../../src/protocol/fields/log-lines.ts";
import { subscribableEvents } from "../../src/protocol/actions/studio.ts";
import type { Classification } from "../../src/protocol/classes.ts";
import { outcomes, wireErrorCodes } from "../../src/protocol/errors.ts";
import {
  HEALTH_PATH,
  intervals,
  limits,
  PLUGIN_PATH,
  PORT_CANDIDATES,
  PROTOCOL_VERSION,
} from "../../src/protocol/limits.ts";
import { words } from "../../src/protocol/words.ts";
import { luauConstants } from "./luau-literal.ts";
import { requestRules } from "./request-rules.ts";

const named = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, name]));

/** Stands where an exception holds for every value, so that all exceptions are of one type in Luau. */
const ANY = "";

const literalOf = ({ usual, exceptions }: Classification) => ({
  usual,
  exceptions: exceptions.map(({ field, is = ANY, class: kind }) => ({ field, is, class: kind })),
});

export function pluginConstants(): string {
  const replies = Object.fromEntries(
    actionNames.map((name) => {
      const { reply, subject, timeoutMs, retrySafe, class: classification } = actions[name];
      return [name, { reply, subject, timeoutMs, retrySafe, class: literalOf(classification) }];
    }),
  );
  const constants = {
    PROTOCOL_VERSION,
    PORTS: PORT_CANDIDATES,
    PLUGIN_PATH,
    HEALTH_PATH,
    LIMITS: limits,
    INTERVALS: intervals,
    CONTEXTS: contexts,
    STUDIO_STATES: studioStates,
    LOG_LEVELS: logLevels,
    SUBSCRIBABLE_EVENTS: subscribableEvents,
    ACTIONS: replies,
    REQUESTS: requestRules(),
    ERROR_CODES: named(Object.keys(wireErrorCodes)),
    OUTCOMES: named(outcomes),
    WORDS: words,
  };
  return luauConstants("src/protocol", constants, ["BUILD = require(script.Parent.Parent.Build),"]);
}
