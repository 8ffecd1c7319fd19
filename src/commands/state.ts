/** `sb state`: shows the mode of a Studio and its place. */
import { defineSchema } from "../protocol/schema.ts";
import { actions } from "../protocol/actions.ts";
import type { StudioState } from "../protocol/fields/contexts.ts";
import { restriction } from "../session/session-messages.ts";
import { visibleOnOneLine } from "../util/visible-controls.ts";
import { defineCommand, streamed } from "../command-kit/definition.ts";
import type { Emission } from "../output/emission.ts";
import { followAsync } from "../session/follow.ts";
import { clockText } from "../command-kit/scripts/log-line.ts";
import { flagsOf } from "../command-kit/words/spelling.ts";
import agentDescription from "./state.md" with { type: "text" };

const input = defineSchema((z) =>
  z.strictObject({
    watch: z
      .boolean()
      .default(false)
      .describe("Print every change until interrupted, or until --timeout is over"),
  }),
);

export const command = defineCommand({
  name: "state",
  summary: "Show the mode and the place of a Studio",
  description: "Shows whether Studio edits, plays or pauses, and which place is open.",
  agentDescription,
  group: "Studio",
  examples: [
    { command: "sb state", note: "" },
    { command: "sb state --watch", note: "until Ctrl+C" },
  ],
  toolGroups: ["core"],
  surfaces: ["cli", "terminal", "mcp"],
  target: "session",
  waitsFor: "queryState",
  defaultContext: "edit",
  endsWithReader: ({ watch }) => watch === true,
  annotations: { readOnly: true, destructive: false, idempotent: true },
  input,
  output: actions.queryState.result,
  personalInput: ["watch"],
  cli: {
    olderNames: ["process info"],
    positionals: [{ key: "sessionId", label: "SESSION-ID" }],
    flags: flagsOf(input, {
      watch: { alias: "w", kind: "boolean" },
    }),
  },
  format: ({ placeName, placeId, gameId, state, ...permission }) =>
    [
      `Place:    ${visibleOnOneLine(placeName)}`,
      `PlaceId:  ${placeId}`,
      `GameId:   ${gameId}`,
      `Mode:     ${state}`,
      ...[restriction(permission)].flatMap((text) => (text === undefined ? [] : [`Allowed:  ${text}`])),
    ].join("\n"),
  async handler({ watch }, context) {
    const now = await context.callAsync("queryState", {});
    if (!watch) return now;
    context.emit(modeLine(now.state));
    await followAsync(context, "stateChange", (push) => {
      if (push.event === "stateChange") context.emit(modeLine(push.payload.newState));
    });
    return streamed;
  },
});

function modeLine(state: StudioState): Emission {
  const now = new Date();
  return {
    stream: "stdout",
    text: (style) => `${style.dim(`[${clockText(now)}]`)} Mode: ${state}`,
    json: { state, time: now.getTime() },
  };
}
