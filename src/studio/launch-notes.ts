/**
 * Notes about the Studios that `sb` started, one small file each, so that a later command knows which process a session
 * belongs to and what to clean up after it. A note is a hint: its process is checked before anything is done to it.
 */
import { LAUNCH_ID } from "../protocol/launch-id.ts";
import type { SessionInfo } from "../protocol/network.ts";
import { pathsOf } from "./machine.ts";
import type { Machine } from "./machine.ts";
import { removeStaleLockAsync } from "./place-file.ts";
import { commandLineOfAsync, isStudioProcessAsync } from "./studio-process.ts";

export interface LaunchNote {
  readonly launchId: string;
  readonly kind: "managed" | "headless";
  readonly pid: number;
  /** Milliseconds since 1970. */
  readonly startedAtMs: number;
  /** How long its plugin may take to connect. */
  readonly patienceMs: number;
  /** Its launcher waits for the plugin and records the window, so that other commands must not guess it. */
  readonly isAwaited: boolean;
  /** The Studio window, once its plugin has connected. */
  readonly instanceId?: string;
  /** The file that was opened. */
  readonly placeFile?: string;
  /** Goes with the Studio. */
  readonly copyFolder?: string;
}

export function writeLaunchNote(note: LaunchNote, machine: Machine): void {
  machine.files.makePrivateFolder(notesFolder(machine));
  machine.files.writePrivate(notePath(note.launchId, machine), `${JSON.stringify(note)}\n`);
}

export function readLaunchNotes(machine: Machine): LaunchNote[] {
  const { join } = pathsOf(machine);
  const folder = notesFolder(machine);
  return machine.files
    .names(folder)
    .filter((name) => name.endsWith(".json"))
    .flatMap((name) => parseNote(machine.files.read(join(folder, name))) ?? []);
}

/** The note of the Studio that a session belongs to. */
export function noteOf(
  session: Pick<SessionInfo, "launchId" | "instanceId">,
  notes: readonly LaunchNote[],
): LaunchNote | undefined {
  return notes.find((note) => note.launchId === session.launchId || note.instanceId === session.instanceId);
}

/** Studios that `sb` started and whose plugin has not been seen yet, those that have ended excepted. */
export async function pendingLaunchesAsync(machine: Machine): Promise<LaunchNote[]> {
  const pending = readLaunchNotes(machine).filter(
    ({ kind, instanceId }) => kind === "managed" && instanceId === undefined,
  );
  const alive = await Promise.all(pending.map((note) => isLaunchAliveAsync(note, machine)));
  return pending.filter((_, index) => alive[index]);
}

/**
 * Records the window of a Studio whose launcher did not wait for it. It does so only without doubt: there is one such
 * Studio, and one window that appeared after its start and that no note names.
 */
export async function adoptLaunchAsync(sessions: readonly SessionInfo[], machine: Machine): Promise<void> {
  const [note, ...others] = await pendingLaunchesAsync(machine);
  if (note === undefined || note.isAwaited || others.length > 0) return;
  const notes = readLaunchNotes(machine);
  const [session, ...more] = sessions.filter(
    (each) =>
      each.origin === "user" &&
      each.context === "edit" &&
      Date.parse(each.connectedAt) >= note.startedAtMs &&
      noteOf(each, notes) === undefined,
  );
  if (session !== undefined && more.length === 0)
    writeLaunchNote({ ...note, instanceId: session.instanceId }, machine);
}

/** A Studio that cannot tell its launch id itself gets it, and its origin, from the note of its window. */
export function withLaunchFacts(session: SessionInfo, notes: readonly LaunchNote[]): SessionInfo {
  const note = noteOf(session, notes);
  return note === undefined ? session : { ...session, origin: note.kind, launchId: note.launchId };
}

/** False also where another program has got the process id since. */
export async function isLaunchAliveAsync({ kind, pid }: LaunchNote, machine: Machine): Promise<boolean> {
  if (kind === "managed") return isStudioProcessAsync(pid, machine);
  return /\sheadless\b|\bsb\.exe\b/.test(await commandLineOfAsync(pid, machine));
}

/** What a Studio that has ended leaves behind: its copy of the place, its lock, its note. */
export async function forgetLaunchAsync(note: LaunchNote, machine: Machine): Promise<void> {
  const { launchId, placeFile, copyFolder } = note;
  if (copyFolder === undefined && placeFile !== undefined) await removeStaleLockAsync(placeFile, machine);
  // Only a folder with a name of our own making, so that a note that was tampered with does no harm.
  if (copyFolder !== undefined && pathsOf(machine).basename(copyFolder) === launchId)
    machine.files.remove(copyFolder);
  machine.files.remove(notePath(launchId, machine));
}

/** Cleans up after Studios that ended by themselves. */
export async function forgetEndedLaunchesAsync(machine: Machine): Promise<void> {
  for (const note of readLaunchNotes(machine)) {
    if (!(await isLaunchAliveAsync(note, machine))) await forgetLaunchAsync(note, machine);
  }
}

const notesFolder = (machine: Machine) => pathsOf(machine).join(machine.stateFolder, "launches");
const notePath = (launchId: string, machine: Machine) =>
  pathsOf(machine).join(notesFolder(machine), `${launchId}.json`);

/** Undefined for anything that this version did not write. */
function parseNote(content: Uint8Array | undefined): LaunchNote | undefined {
  const note = parsedObject(content);
  const { launchId, kind, pid, instanceId, placeFile, copyFolder } = note;
  const { startedAtMs, patienceMs, isAwaited } = note;
  if (typeof launchId !== "string" || !LAUNCH_ID.test(launchId)) return undefined;
  if (kind !== "managed" && kind !== "headless") return undefined;
  if (typeof pid !== "number" || typeof isAwaited !== "boolean") return undefined;
  if (typeof startedAtMs !== "number" || typeof patienceMs !== "number") return undefined;
  return {
    launchId,
    kind,
    pid,
    startedAtMs,
    patienceMs,
    isAwaited,
    ...(typeof instanceId === "string" ? { instanceId } : {}),
    ...(typeof placeFile === "string" ? { placeFile } : {}),
    ...(typeof copyFolder === "string" ? { copyFolder } : {}),
  };
}

function parsedObject(content: Uint8Array | undefined): Readonly<Record<string, unknown>> {
  try {
    const parsed: unknown = JSON.parse(new TextDecoder().decode(content));
    return typeof parsed === "object" && parsed !== null ? { ...parsed } : {};
  } catch {
    return {};
  }
}
