/** `sb sessions`: every connected Studio, one row per context. */
import { defineSchema } from "../../protocol/schema.ts";
import { hostLost, noSessions } from "../../protocol/messages.ts";
import { sessionInfoSchema, unpairedAttemptSchema } from "../../protocol/network.ts";
import type { SessionInfo } from "../../protocol/network.ts";
import type { Style } from "../../util/style.ts";
import type { CommandFacts } from "../../command-kit/facts.ts";
import { defineCommand, streamed } from "../../command-kit/definition.ts";
import type { BridgeCommandContext } from "../../command-kit/context.ts";
import type { OutputOf } from "../../protocol/schema.ts";
import { untilAbortedAsync } from "../../session/follow.ts";
import { hasOldPlugin } from "../../session/session-messages.ts";
import { sessionTable } from "../../session/session-table.ts";
import { flagsOf } from "../../command-kit/words/spelling.ts";
import agentDescription from "./sessions.md" with { type: "text" };

const input = defineSchema((z) =>
  z.strictObject({
    watch: z.boolean().default(false).describe("Print the list again at every change, until interrupted"),
  }),
);

const output = defineSchema((z) =>
  z.object({
    sessions: z.array(sessionInfoSchema(z)),
    /** Plugins without this machine's key that tried to connect in the last minute. */
    unpaired: z.array(unpairedAttemptSchema(z)).optional(),
  }),
);
type Listing = OutputOf<typeof output>;

export const command = defineCommand({
  name: "sessions",
  summary: "List the connected Studios",
  description: "Lists every connected Studio, with one session for each context while it plays.",
  agentDescription,
  group: "Studio",
  examples: [
    { command: "sb sessions", note: "" },
    { command: "sb sessions --json", note: "" },
  ],
  toolGroups: ["core"],
  surfaces: ["cli", "terminal", "mcp"],
  target: "bridge",
  endsWithReader: ({ watch }) => watch === true,
  annotations: { readOnly: true, destructive: false, idempotent: true },
  input,
  output,
  personalInput: ["watch"],
  cli: {
    olderNames: ["process list"],
    flags: flagsOf(input, {
      watch: { alias: "w", kind: "boolean" },
    }),
  },
  format: listingText,
  agentOutput: ({ sessions, ...others }, commands) => ({
    ...others,
    sessions: sessions.map((session) => ({ ...session, capabilities: toolsOf(session, commands) })),
  }),
  agentNote: ({ sessions }) =>
    sessions.length > 0
      ? undefined
      : `${noSessions().message} If not, ask the user to open it; install the plugin with \`sb install-plugin\`.`,
  async handler({ watch }, { bridge, signal, emit, isRemote }) {
    const listAsync = async (): Promise<Listing> => {
      const { sessions, unpaired } = await bridge.listSessionsAsync();
      return {
        sessions: isRemote ? sessions : await withLaunchesAsync(sessions),
        ...(unpaired.length === 0 ? {} : { unpaired: [...unpaired] }),
      };
    };
    if (!watch) return listAsync();
    let shown: Listing = { sessions: [] };
    let listedAt = 0;
    const show = (isTick: boolean) =>
      emit({
        stream: "stdout",
        // In a file or a pipe, lists that follow each other are apart by an empty line.
        text: (style) => `${listingText(laterBy(listedAt, shown), style)}${style.isScreen ? "" : "\n"}`,
        ...(isTick ? {} : { json: shown }),
        isRedrawn: true,
        isTick,
      });
    const clock = setInterval(show, TICK_MS, true);
    await watchAsync({ bridge, signal }, async () => {
      shown = await listAsync();
      listedAt = performance.now();
      show(false);
    }).finally(() => clearInterval(clock));
    return streamed;
  },
});

/** Between changes the time since which a Studio is connected goes on. */
const TICK_MS = 1_000;

function laterBy(listedAt: number, { sessions, ...others }: Listing): Listing {
  const elapsedMs = performance.now() - listedAt;
  const later = sessions.map((each) => ({ ...each, uptimeMs: Math.round(each.uptimeMs + elapsedMs) }));
  return { sessions: later, ...others };
}

/** What an agent can do there: the names of tools, without what they all begin with. */
function toolsOf({ capabilities }: SessionInfo, commands: readonly CommandFacts[]): string[] {
  return commands.flatMap(({ name, toolName = name, surfaces, target, waitsFor }) => {
    if (!surfaces.includes("mcp") || (target !== "session" && waitsFor === undefined)) return [];
    return waitsFor === undefined || capabilities.includes(waitsFor) ? [toolName] : [];
  });
}

/** Shows the list now and at every push, until the caller gives up. Throws HOST_UNREACHABLE when there is no host any more. */
async function watchAsync(
  { bridge, signal }: Pick<BridgeCommandContext, "bridge" | "signal">,
  showAsync: () => Promise<void>,
): Promise<void> {
  const { promise: failed, reject } = Promise.withResolvers<never>();
  let shown = Promise.resolve();
  const show = () => {
    shown = shown.then(showAsync).catch(reject);
  };
  show();
  const stops = [bridge.onSessionEvent(show), bridge.onHostChange(show)];
  void bridge.closed.then(() => reject(hostLost("unknown")));
  try {
    await Promise.race([untilAbortedAsync(signal), failed]);
    await shown;
  } finally {
    for (const stop of stops) stop();
  }
}

/** Studios that `sb` launched on this machine are told apart from those of their user. */
async function withLaunchesAsync(sessions: SessionInfo[]): Promise<SessionInfo[]> {
  // Others say themselves who started them.
  if (!sessions.some(isUsers)) return sessions;
  const [{ adoptLaunchAsync, readLaunchNotes, withLaunchFacts }, { thisMachine }] = await Promise.all([
    import("../../studio/launch-notes.ts"),
    import("../../studio/machine.ts"),
  ]);
  const machine = thisMachine();
  await adoptLaunchAsync(sessions, machine);
  const notes = readLaunchNotes(machine);
  return sessions.map((session) => (isUsers(session) ? withLaunchFacts(session, notes) : session));
}

const isUsers = ({ origin }: SessionInfo) => origin === "user";

function listingText({ sessions, unpaired = [] }: Listing, style: Style): string {
  const list = sessions.length === 0 ? noSessions().message : sessionTable(sessions, style);
  const stranger =
    "A plugin without this machine's key tried to connect: run `sb install-plugin`, restart Studio.";
  const outdated = "A plugin is of another build than the bridge host: `sb doctor` says what to do.";
  const notes = [
    ...(unpaired.length > 0 ? [stranger] : []),
    ...(sessions.some(hasOldPlugin) ? [outdated] : []),
  ];
  return [list, ...notes.map((note) => style.yellow(note))].join("\n");
}
