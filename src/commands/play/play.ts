/** `sb play`: starts and stops play tests, and shows whether one runs. */
import { defineSchema } from "../../protocol/schema.ts";
import type { OutputOf } from "../../protocol/schema.ts";
import { contextSchema, playerSchema, studioStateSchema } from "../../protocol/fields/contexts.ts";
import { caveatFields } from "../../protocol/caveats.ts";
import type { Caller } from "../../protocol/fields/callers.ts";
import type { SessionInfo } from "../../protocol/network.ts";
import { MAX_PLAYERS } from "../../protocol/limits.ts";
import { invalidInput } from "../../protocol/messages.ts";
import { StudioBridgeError } from "../../protocol/errors.ts";
import { ownCaller } from "../../command-kit/asker.ts";
import { defineCommand } from "../../command-kit/definition.ts";
import { tellCaveatsAsync } from "../../command-kit/caveats/caveats.ts";
import { countedAsync } from "../../output/counted.ts";
import { OPEN_LASTING_STUDIO } from "../../command-kit/words/lasting-studio.ts";
import type { SessionCommandContext } from "../../command-kit/context.ts";
import {
  editSessionAsync,
  endTestAsync,
  holdTest,
  runningTestAsync,
  startTestAsync,
} from "../../play/play-test.ts";
import type { RunningTest } from "../../play/play-test.ts";
import { flagsOf } from "../../command-kit/words/spelling.ts";
import { visibleOnOneLine } from "../../util/visible-controls.ts";
import agentDescription from "./play.md" with { type: "text" };

const playActions = ["start", "stop", "state"] as const;

const input = defineSchema((z) =>
  z.strictObject({
    action: z.enum(playActions).default("state").describe("state shows what runs"),
    mode: z.enum(["play", "server"]).optional().describe("play has clients (default), server none"),
    players: z
      .int("expected a whole number of players")
      .min(1, "expected at least 1 player")
      .max(MAX_PLAYERS, `expected at most ${MAX_PLAYERS} players`)
      .optional()
      .describe(`How many clients, 1 to ${MAX_PLAYERS} (default 1)`),
    force: z.boolean().default(false).describe("stop: also the test of another client"),
    holds: z.boolean().default(false).describe("The test ends when this process does"),
  }),
);
type Play = OutputOf<typeof input>;

const output = defineSchema((z) =>
  z.object({
    state: studioStateSchema(z),
    changed: z.boolean(),
    /** The client that has started the test, in its own words; absent for a person's. */
    startedBy: z.string().optional(),
    /** The other client that has ended the caller's own test. */
    endedBy: z.string().optional(),
    /** The server first, then the clients by their number. */
    sessions: z.array(
      z.object({ sessionId: z.string(), context: contextSchema(z), player: playerSchema(z).optional() }),
    ),
    /** With stop: what the test did otherwise than in Roblox Studio. */
    ...caveatFields(z),
  }),
);
type Played = OutputOf<typeof output>;

export const command = defineCommand({
  name: "play",
  summary: "Start or stop a play test, or see what plays",
  description:
    "Without an argument it shows what plays, and which client has started it. start returns when the server and every client of the test are connected and answer; stop returns when Studio is back in edit mode, even if the test was started by hand.",
  agentDescription,
  group: "Studio",
  examples: [
    { command: "sb play start", note: "a server and one client" },
    { command: "sb play start --players 2", note: "" },
    { command: "sb play start --server-only", note: "" },
    { command: "sb play", note: "what plays" },
    { command: "sb play stop", note: "" },
  ],
  toolGroups: ["play"],
  surfaces: ["cli", "terminal", "mcp"],
  target: "session",
  withoutStudio: OPEN_LASTING_STUDIO,
  defaultContext: "edit",
  toldInput: ["action"],
  onlyLooks: ({ action }) => action === "state",
  readOnlyInput: { action: "state", mode: undefined, players: undefined, force: undefined },
  annotations: { readOnly: false, destructive: false, idempotent: true },
  input,
  output,
  personalInput: ["holds"],
  // The process of a command line ends when its command does; that of an agent lasts as long as the agent's work.
  agentInput: { holds: true },
  cli: {
    positionals: [{ key: "action", label: "start|stop" }],
    flags: [
      {
        name: "server-only",
        key: "mode",
        kind: "boolean",
        describe: () => "Start the server without a client",
        sets: (value) => (value === true ? { mode: "server" } : {}),
      },
      ...flagsOf(input, { players: { kind: "number", label: "N" } }),
    ],
    conflicts: [
      {
        flags: ["server-only", "players"],
        message: "Cannot use --server-only and --players together.",
        hint: "Players are clients: leave out one of the two.",
      },
    ],
  },
  format: playText,
  async prepareAsync(wish) {
    checkWish(wish);
    return (context) => playAsync(wish, context);
  },
});

/** Throws INVALID_INPUT where the wish contradicts itself. */
function checkWish({ action, mode, players }: Play): void {
  if (mode === "server" && players !== undefined)
    throw invalidInput("A test of the server alone has no players.", "Leave out mode, or players.");
  if (action !== "start" && (mode !== undefined || players !== undefined))
    throw invalidInput(
      `Only start takes a mode and players, not ${action}.`,
      "Use start, or leave them out.",
    );
}

async function playAsync(wish: Play, context: SessionCommandContext): Promise<Played> {
  // Tests are started and ended from the edit context, also where the caller names another session of the Studio.
  const studio = { ...context, session: await editSessionAsync(context) };
  const before = await runningTestAsync(studio);
  const isPlaying = isTest(before);
  if (wish.action === "start" && !isPlaying) {
    const { mode = "play", players } = wish;
    const test = await startTestAsync(studio, {
      mode: mode === "server" ? "run" : "play",
      ...(players === undefined ? {} : { players }),
    }).catch((error: unknown) => runningInsteadAsync(studio, error));
    const isOurs = !("isOther" in test);
    if (!isOurs) checkIsWished(wish, test);
    if (isOurs && wish.holds) holdTest(studio);
    return played(test, isOurs, context.caller);
  }
  if (wish.action === "stop" && isPlaying) {
    const counted = await countedAsync(context, "test");
    await stopAsync(wish, studio);
    return {
      ...played({ ...before, state: "Edit", sessions: [] }, true, context.caller),
      ...(await tellCaveatsAsync(counted, context)),
    };
  }
  if (wish.action === "start") checkIsWished(wish, before);
  return played(before, false, context.caller);
}

/** A person stops any test, an agent that of another one only on purpose. */
async function stopAsync({ force }: Play, studio: SessionCommandContext): Promise<void> {
  const isAgent = studio.fileRoots !== undefined;
  try {
    await endTestAsync(studio, { force: force || !isAgent });
  } catch (error) {
    if (!(error instanceof StudioBridgeError) || error.outcome !== "not_started" || error.code !== "BUSY")
      throw error;
    throw new StudioBridgeError("BUSY", error.message, {
      hint: "Wait until it has ended. With force it ends for that client too.",
      data: error.data,
      outcome: error.outcome,
    });
  }
}

/** Throws BUSY if another test runs than the one that is asked for. A wish without a number takes any number of clients. */
function checkIsWished({ mode = "play", players }: Play, { sessions }: RunningTest): void {
  const clients = clientsIn(sessions);
  const isWished =
    mode === "server" ? clients === 0 : players === undefined ? clients > 0 : clients === players;
  if (isWished) return;
  const wished = mode === "server" ? "the server alone" : clientsText(players ?? 1);
  throw new StudioBridgeError(
    "BUSY",
    `A play test with ${clients === 0 ? "no client" : clientsText(clients)} runs already, which is not what was asked for: ${wished}.`,
    {
      hint: "Stop it with `sb play stop`, and start again.",
      agentHint: 'Stop it first: action "stop". Its changes are then gone.',
      data: { clients },
    },
  );
}

const clientsIn = (sessions: readonly { readonly context: string }[]): number =>
  sessions.filter(({ context }) => context === "client").length;
const clientsText = (count: number): string => (count === 1 ? "1 client" : `${count} clients`);

const isTest = ({ state, sessions }: RunningTest): boolean => state !== "Edit" || sessions.length > 0;

/** If another client has started a test in the meantime, that test is the answer. */
async function runningInsteadAsync(
  studio: SessionCommandContext,
  error: unknown,
): Promise<RunningTest & { readonly isOther: true }> {
  if (!(error instanceof StudioBridgeError) || error.code !== "BUSY") throw error;
  const test = await runningTestAsync(studio);
  if (!isTest(test)) throw error;
  return { ...test, isOther: true };
}

function played({ state, sessions, test }: RunningTest, changed: boolean, caller: Caller): Played {
  const { startedBy, endedBy } = test ?? {};
  const isOwn = startedBy?.id === caller.id;
  const plays = state !== "Edit" || changed;
  return {
    state,
    changed,
    ...(plays && startedBy !== undefined ? { startedBy: isOwn ? "you" : startedBy.name } : {}),
    ...(!plays && isOwn && endedBy !== undefined && endedBy.id !== caller.id
      ? { endedBy: endedBy.name }
      : {}),
    sessions: sessions.map(sessionOf),
  };
}

const sessionOf = ({ sessionId, context, player }: SessionInfo): Played["sessions"][number] => ({
  sessionId,
  context,
  ...(player === undefined ? {} : { player }),
});

function playText({ state, changed, startedBy, endedBy, sessions }: Played): string {
  const clients = clientsIn(sessions);
  const parts = [
    ...(sessions.some(({ context }) => context === "server") ? ["the server"] : []),
    ...(clients === 0 ? [] : [clientsText(clients)]),
  ];
  const connected = parts.length === 0 ? "nothing of it is connected" : `${parts.join(" and ")} connected`;
  const headline =
    state === "Edit"
      ? changed
        ? "Stopped: Studio edits again."
        : "Nothing plays: Studio edits."
      : `${changed ? "Started" : "Studio plays"} (${state}), ${connected}.`;
  const lines = sessions.map(({ sessionId, context, player }) => {
    const name = player === undefined ? "" : ` ${visibleOnOneLine(player.name)} (${player.index})`;
    return `  ${sessionId}  ${context}${name}`;
  });
  // Each command of a shell is a client of its own, and all have the one name of the program.
  const isOthers = startedBy !== undefined && startedBy !== "you" && startedBy !== ownCaller().name;
  const origin = [
    ...(isOthers ? [` ${visibleOnOneLine(startedBy)} has started it.`] : []),
    ...(endedBy === undefined ? [] : [` ${visibleOnOneLine(endedBy)} has ended your test.`]),
  ].join("");
  return [`${headline}${origin}`, ...lines].join("\n");
}
