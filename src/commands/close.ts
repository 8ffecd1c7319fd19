/** `sb close`: ends a Studio that `sb` started. */
import { errorCodes, StudioBridgeError } from "../protocol/errors.ts";
import { defineSchema } from "../protocol/schema.ts";
import type { SessionInfo } from "../protocol/network.ts";
import { CLOSE_SIGNAL } from "../util/close-signal.ts";
import { visibleOnOneLine } from "../util/visible-controls.ts";
import type { LaunchNote } from "../studio/launch-notes.ts";
import type { Machine } from "../studio/machine.ts";
import { defineCommand } from "../command/definition.ts";
import type { CommandContext, SessionCommandContext } from "../command/context.ts";

/** Studio's own end with the saving before it, and the time after which the host takes a lost session for gone. */
const CLOSE_TIMEOUT_MS = 20_000;
const POLL_MS = 50;

const output = defineSchema((z) =>
  z.object({
    closed: z.boolean(),
    /** Absent, as is the next, where the plugin of the Studio never connected. */
    sessionId: z.string().optional(),
    instanceId: z.string().optional(),
    placeName: z.string(),
  }),
);

export const command = defineCommand({
  name: "close",
  summary: "End a Studio that sb started",
  description:
    "Ends a Studio that sb launched, or a headless one. It asks before it ends a Studio that has the place file itself open, because unsaved changes are lost. It never ends a Studio that was opened by hand.",
  group: "Studio",
  examples: [
    { command: "sb close", note: "" },
    { command: "sb close 1f0c88", note: "the first characters of its session id" },
  ],
  surfaces: ["cli"],
  target: "session",
  withoutStudio: "There is nothing to close: no Studio runs that sb has started.",
  withoutSessionAsync: closeUnconnectedAsync,
  defaultContext: "edit",
  onlyLooks: () => true,
  annotations: { readOnly: false, destructive: true, idempotent: false },
  input: defineSchema((z) => z.strictObject({})),
  output,
  cli: {
    asks: true,
    olderNames: ["process close"],
    positionals: [{ key: "sessionId", label: "SESSION-ID" }],
  },
  format: ({ placeName }) => `Closed ${visibleOnOneLine(placeName)}.`,
  async handler(_input, context) {
    const { sessionId, instanceId, placeName } = context.session;
    const { thisMachine } = await import("../studio/machine.ts");
    await closeAsync(context, thisMachine());
    return { closed: true, sessionId, instanceId, placeName };
  },
});

/** Ends the Studio that `sb` launched and whose plugin never connected, where there is one such Studio. */
async function closeUnconnectedAsync(error: StudioBridgeError, context: CommandContext) {
  const [{ thisMachine }, { forgetLaunchAsync, pendingLaunchesAsync }] = await Promise.all([
    import("../studio/machine.ts"),
    import("../studio/launch-notes.ts"),
  ]);
  const machine = thisMachine();
  const [note, ...others] = context.isRemote ? [] : await pendingLaunchesAsync(machine);
  if (note === undefined) throw error;
  if (others.length > 0) throw severalUnconnected([note, ...others]);
  await confirmLossAsync(note, context);
  machine.end(note.pid, { group: true });
  await endedAsync(note, machine);
  await forgetLaunchAsync(note, machine);
  return { closed: true, placeName: titleOf(note) };
}

const titleOf = ({ placeFile }: LaunchNote): string =>
  placeFile === undefined ? "an empty place" : placeFile.replace(/^.*[\\/]/, "");

function severalUnconnected(notes: readonly LaunchNote[]): StudioBridgeError {
  const pids = notes.map(({ pid }) => pid);
  return new StudioBridgeError(
    "CLOSE_REFUSED",
    `sb has launched ${pids.length} Studios whose plugins have not connected: processes ${pids.join(", ")}.`,
    { hint: "Close their windows by hand.", data: { pids } },
  );
}

async function closeAsync(context: SessionCommandContext, machine: Machine): Promise<void> {
  const { adoptLaunchAsync, forgetLaunchAsync, isLaunchAliveAsync, noteOf, readLaunchNotes } =
    await import("../studio/launch-notes.ts");
  await adoptLaunchAsync(await context.bridge.sessionsAsync(), machine);
  const note = context.isRemote ? undefined : noteOf(context.session, readLaunchNotes(machine));
  if (note === undefined || !(await isLaunchAliveAsync(note, machine))) throw notOurs(context.session);
  await confirmLossAsync(note, context);
  context.status("Closing Studio");
  // UNVERIFIED: under Flatpak and from WSL, the end of the started process ends Studio too. If it does not, `gone` says so.
  const gone = goneAsync(context);
  machine.end(note.pid, note.kind === "managed" ? { group: true } : { group: false, signal: CLOSE_SIGNAL });
  if (!(await gone)) throw stillThere(note);
  const loss = note.kind === "headless" ? await lossOfAsync(note, machine) : undefined;
  await forgetLaunchAsync(note, machine);
  if (loss !== undefined) throw unsaved(loss);
}

/** Why the place of a headless Studio was not saved, told when its process has ended; undefined when nothing was lost. */
async function lossOfAsync(note: LaunchNote, machine: Machine): Promise<string | undefined> {
  const { readLaunchNotes } = await import("../studio/launch-notes.ts");
  await endedAsync(note, machine);
  return readLaunchNotes(machine).find(({ launchId }) => launchId === note.launchId)?.loss;
}

async function endedAsync(note: LaunchNote, machine: Machine): Promise<void> {
  const { isLaunchAliveAsync } = await import("../studio/launch-notes.ts");
  const giveUpAtMs = Date.now() + CLOSE_TIMEOUT_MS;
  while (await isLaunchAliveAsync(note, machine)) {
    if (Date.now() > giveUpAtMs) throw stillThere(note);
    await Bun.sleep(POLL_MS);
  }
}

function unsaved(loss: string): StudioBridgeError {
  return new StudioBridgeError("FILE_ERROR", loss, {
    hint: "Headless Studio has ended, and what it held is lost.",
  });
}

/** A copy and a headless Studio hold nothing that lasts. */
async function confirmLossAsync(
  { kind, copyFolder, placeFile = "" }: LaunchNote,
  { confirmAsync }: CommandContext,
): Promise<void> {
  if (kind === "headless" || copyFolder !== undefined) return;
  const place = visibleOnOneLine(placeFile);
  const agreed = await confirmAsync?.(`Changes to ${place} that are not saved will be lost. Close it?`);
  if (agreed === true) return;
  throw new StudioBridgeError("CLOSE_REFUSED", `Studio has ${place} itself open, so it was not closed.`, {
    hint: "Save it in Studio, then close it there, or add --yes.",
  });
}

/** False when the session is still there after the timeout. Rejects when the caller gives up. */
async function goneAsync({ bridge, session, signal }: SessionCommandContext): Promise<boolean> {
  const { promise, resolve, reject } = Promise.withResolvers<boolean>();
  const stop = bridge.onSessionEvent(({ event, session: other }) => {
    if (event === "disconnected" && other.instanceId === session.instanceId) resolve(true);
  });
  const timer = setTimeout(() => resolve(false), CLOSE_TIMEOUT_MS);
  const giveUp = () => reject(signal.reason);
  signal.addEventListener("abort", giveUp, { once: true });
  void bridge.closed.then(() => resolve(false));
  try {
    return await promise;
  } finally {
    stop();
    clearTimeout(timer);
    signal.removeEventListener("abort", giveUp);
  }
}

function notOurs({ origin, placeName, sessionId }: SessionInfo): StudioBridgeError {
  const name = visibleOnOneLine(placeName);
  const [message, hint] =
    origin === "headless"
      ? [`The headless Studio ${name} belongs to another command.`, "End that command."]
      : [`${name} was not started by this sb, so it is not closed.`, errorCodes.CLOSE_REFUSED.cure];
  return new StudioBridgeError("CLOSE_REFUSED", message, { hint, data: { sessionId } });
}

function stillThere({ pid }: LaunchNote): StudioBridgeError {
  const message = `Studio (process ${pid}) was asked to end and is still there after ${CLOSE_TIMEOUT_MS / 1000} seconds.`;
  return new StudioBridgeError("CLOSE_REFUSED", message, { data: { pid } });
}
