/** Starts Studio with a place, detached and without our streams, and notes which process it is. */
import { newLaunchId } from "../protocol/launch-id.ts";
import { StudioBridgeError } from "../protocol/errors.ts";
import { systemReason } from "../util/system-error.ts";
import { forgetEndedLaunchesAsync, forgetLaunchAsync, writeLaunchNote } from "./launch-notes.ts";
import type { LaunchNote } from "./launch-notes.ts";
import type { StudioInstall } from "./locate-studio.ts";
import type { Machine } from "./machine.ts";
import { placeCopy, unlockPlaceAsync } from "./place-file.ts";
import { studioCommandAsync } from "./studio-command.ts";

interface StudioStart {
  /** A full path; without one Studio opens an empty place. */
  readonly place: string | undefined;
  readonly inPlace: boolean;
  /** The caller will tell which window it became. */
  readonly isAwaited: boolean;
  /** How long its plugin may take to connect. */
  readonly patienceMs: number;
}

export interface StartedStudio {
  readonly note: LaunchNote;
  /** Throws LAUNCH_FAILED when the program ends with a failure; never resolves. */
  readonly failed: Promise<never>;
}

/** Throws FILE_ERROR, LAUNCH_FAILED. */
export async function startStudioAsync(
  studio: StudioInstall,
  { place, inPlace, isAwaited, patienceMs }: StudioStart,
  machine: Machine,
): Promise<StartedStudio> {
  await forgetEndedLaunchesAsync(machine);
  const launchId = newLaunchId("managed");
  if (inPlace && place !== undefined) await unlockPlaceAsync(place, machine);
  const opened =
    inPlace && place !== undefined ? { file: place } : placeCopy(place, launchId, studio, machine);
  const { copyFolder } = opened;
  const note = (pid: number): LaunchNote => ({
    launchId,
    kind: "managed",
    pid,
    startedAtMs: Date.now(),
    isAwaited,
    patienceMs,
    placeFile: opened.file,
    ...(copyFolder === undefined ? {} : { copyFolder }),
  });
  const { command, env } = await studioCommandAsync(studio, opened.file, machine);
  try {
    const { pid, exited } = machine.start(command, env);
    const started = note(pid);
    writeLaunchNote(started, machine);
    const failed = failureAsync(exited);
    // The caller may never wait for this promise, and an unhandled rejection would end the process.
    failed.catch(() => {});
    return { note: started, failed };
  } catch (error) {
    await forgetLaunchAsync(note(0), machine);
    const message = `Studio could not be started: ${systemReason(error)}.`;
    throw new StudioBridgeError("LAUNCH_FAILED", message, { data: { command }, cause: error });
  }
}

/** A program that ends well may have handed over to another process, as installers do. */
async function failureAsync(exited: Promise<number | null>): Promise<never> {
  const exitCode = await exited;
  if (exitCode === 0) return new Promise(() => {});
  const how = exitCode === null ? "was ended by a signal" : `ended with exit code ${exitCode}`;
  throw new StudioBridgeError("LAUNCH_FAILED", `Studio ${how} before its plugin connected.`);
}
