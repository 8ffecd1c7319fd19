/** `sb close`: ends a Studio that `sb` started. */
import { errorCodes, StudioBridgeError } from "../../protocol/errors.ts";
import { defineSchema } from "../../protocol/schema.ts";
import type { SessionInfo } from "../../protocol/network.ts";
import { CLOSE_SIGNAL } from "../../util/close-signal.ts";
import { visibleOnOneLine } from "../../util/visible-controls.ts";
import type { LaunchNote } from "../../studio/launch-notes.ts";
import type { Machine } from "../../studio/machine.ts";
import { defineCommand } from "../../command-kit/definition.ts";
import type { CommandContext, SessionCommandContext } from "../../command-kit/context.ts";
import { flagsOf } from "../../command-kit/words/spelling.ts";
import { keptLines } from "../../command-kit/sessions/kept-lines.ts";
import type { PutAway } from "../../headless/index.ts";
import { type CloseWish, endHeadlessAsync } from "./close-headless.ts";

/** Studio's own end with the saving before it, and the time after which the host takes a lost session for gone. */
const CLOSE_TIMEOUT_MS = 20_000;
const POLL_MS = 50;

const isPlaceFile = (word: string): boolean => /\.rbxlx?$/i.test(word);

const input = defineSchema((z) =>
  z.strictObject({
    save: z
      .union([z.literal(true), z.string().min(1, "expected a file name")])
      .optional()
      .describe("Save a headless Studio first: to the file that its place was opened from, or to this file"),
    discard: z.boolean().default(false).describe("Discard unsaved changes"),
  }),
);

const output = defineSchema((z) =>
  z.object({
    closed: z.boolean(),
    /** Absent, as is the next, where the plugin of the Studio never connected. */
    sessionId: z.string().optional(),
    instanceId: z.string().optional(),
    placeName: z.string(),
    /** What became of the place of a headless Studio. */
    savedTo: z.string().optional(),
    /** The name under which `sb headless --restore` finds what was not saved. */
    kept: z.string().optional(),
    /** Names of older kept places that were dropped to make room. */
    dropped: z.array(z.string()).optional(),
  }),
);

export const command = defineCommand({
  name: "close",
  summary: "End a Studio that sb started",
  description:
    "Ends a Studio that sb launched, or a headless one. What a headless Studio holds and has not saved is kept, and `sb headless --restore NAME` opens it again; at a terminal it asks whether to keep, save or discard it, and --yes keeps it. The newest five such places are kept. It asks before it ends a Studio that has the place file itself open, because unsaved changes are lost. It never ends a Studio that was opened by hand.",
  group: "Studio",
  examples: [
    { command: "sb close", note: "" },
    { command: "sb close 1f0c88", note: "the first characters of its session id" },
    { command: "sb close --save", note: "a headless Studio, to the file that was opened" },
    { command: "sb close --save=game.rbxl", note: "to this file" },
    { command: "sb close --discard", note: "without its changes" },
  ],
  surfaces: ["cli"],
  target: "session",
  withoutStudio: "There is nothing to close: sb has started no Studio that is still running.",
  withoutSessionAsync: closeUnconnectedAsync,
  isForWholeStudio: true,
  onlyLooks: () => true,
  annotations: { readOnly: false, destructive: true, idempotent: false },
  input,
  output,
  cli: {
    asks: true,
    olderNames: ["process close"],
    positionals: [{ key: "sessionId", label: "SESSION-ID" }],
    flags: flagsOf(input, {
      save: {
        kind: "string",
        label: "[=FILE]",
        bareValue: "",
        isValue: isPlaceFile,
        sets: (file) => ({ save: file === "" ? true : file }),
      },
      discard: "boolean",
    }),
    conflicts: [
      {
        flags: ["save", "discard"],
        message: "Cannot use --save and --discard together.",
        hint: "Leave out one of the two.",
      },
    ],
  },
  format: ({ placeName, ...putAway }) =>
    [`Closed ${visibleOnOneLine(placeName)}.`, ...keptLines(putAway)].join("\n"),
  async prepareAsync(wish, basics) {
    if (typeof wish.save === "string") {
      const { checkNameAsync } = await import("../../model/save-place.ts");
      await checkNameAsync(wish.save, basics);
    }
    return async (context) => {
      const { sessionId, instanceId, placeName } = context.session;
      const { thisMachine } = await import("../../studio/machine.ts");
      const putAway = await closeAsync(wish, context, thisMachine());
      return { closed: true, sessionId, instanceId, placeName, ...putAway };
    };
  },
});

/** Ends the Studio that `sb` launched and whose plugin never connected, where there is one such Studio. */
async function closeUnconnectedAsync(error: StudioBridgeError, context: CommandContext) {
  const [{ thisMachine }, { forgetLaunchAsync, pendingLaunchesAsync }] = await Promise.all([
    import("../../studio/machine.ts"),
    import("../../studio/launch-notes.ts"),
  ]);
  const machine = thisMachine();
  const [note, ...others] = context.isRemote ? [] : await pendingLaunchesAsync(machine);
  if (note === undefined) throw error;
  if (others.length > 0) throw severalUnconnected([note, ...others]);
  await confirmLossAsync(note, { discard: false }, context);
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

async function closeAsync(
  wish: CloseWish,
  context: SessionCommandContext,
  machine: Machine,
): Promise<PutAway> {
  const { adoptLaunchAsync, forgetLaunchAsync, isLaunchAliveAsync, noteOf, readLaunchNotes } =
    await import("../../studio/launch-notes.ts");
  await adoptLaunchAsync(await context.bridge.sessionsAsync(), machine);
  const note = context.isRemote ? undefined : noteOf(context.session, readLaunchNotes(machine));
  if (note === undefined || !(await isLaunchAliveAsync(note, machine))) throw notOurs(context.session);
  if (note.kind === "managed") await confirmLossAsync(note, wish, context);
  context.status("Closing Studio");
  // UNVERIFIED: under Flatpak and from WSL, the end of the started process ends Studio too. If it does not, `gone` says so.
  using gone = listenForGone(context);
  const putAway = note.kind === "headless" ? await endHeadlessAsync(wish, context) : undefined;
  if (note.kind === "managed") machine.end(note.pid, { group: true });
  else if (putAway === undefined) machine.end(note.pid, { group: false, signal: CLOSE_SIGNAL });
  if (!(await gone.isGoneAsync())) throw stillThere(note);
  if (note.kind === "headless") await endedAsync(note, machine);
  await forgetLaunchAsync(note, machine);
  return putAway ?? {};
}

async function endedAsync(note: LaunchNote, machine: Machine): Promise<void> {
  const { isLaunchAliveAsync } = await import("../../studio/launch-notes.ts");
  const giveUpAtMs = Date.now() + CLOSE_TIMEOUT_MS;
  while (await isLaunchAliveAsync(note, machine)) {
    if (Date.now() > giveUpAtMs) throw stillThere(note);
    await Bun.sleep(POLL_MS);
  }
}

/** Of Roblox Studio. A copy holds nothing that lasts. */
async function confirmLossAsync(
  { copyFolder, placeFile = "" }: LaunchNote,
  { save, discard }: CloseWish,
  { confirmAsync }: CommandContext,
): Promise<void> {
  if (save !== undefined)
    throw new StudioBridgeError("SAVE_REFUSED", "Roblox Studio does not let programs save its place.", {
      hint: "Save it in Studio, and leave out --save.",
    });
  if (discard || copyFolder !== undefined) return;
  const place = visibleOnOneLine(placeFile);
  const agreed = await confirmAsync?.(`Changes to ${place} that are not saved will be lost. Close it?`);
  if (agreed === true) return;
  throw new StudioBridgeError("CLOSE_REFUSED", `Studio has ${place} itself open, so it was not closed.`, {
    hint: "Save it in Studio, then close it there, or add --yes.",
  });
}

/** Hears from now on when the Studio is gone. */
interface GoneListener extends Disposable {
  /** False where it is still there after the timeout. Rejects when the caller gives up. */
  isGoneAsync(): Promise<boolean>;
}

function listenForGone({ bridge, session, signal }: SessionCommandContext): GoneListener {
  const { promise, resolve, reject } = Promise.withResolvers<boolean>();
  promise.catch(() => {});
  const stop = bridge.onSessionEvent(({ event, session: other }) => {
    if (event === "disconnected" && other.instanceId === session.instanceId) resolve(true);
  });
  const giveUp = () => reject(signal.reason);
  signal.addEventListener("abort", giveUp, { once: true });
  void bridge.closed.then(() => resolve(false));
  let timer: Timer | undefined;
  return {
    isGoneAsync: () => {
      timer = setTimeout(() => resolve(false), CLOSE_TIMEOUT_MS);
      return promise;
    },
    [Symbol.dispose]: () => {
      stop();
      clearTimeout(timer);
      signal.removeEventListener("abort", giveUp);
    },
  };
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
