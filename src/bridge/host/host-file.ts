/**
 * Notes in the state folder about a port: which process holds it and for which sessions. An error message can name a
 * host that no longer answers, and the next host knows which sessions are about to come back. A note may be wrong, so
 * it is used only for messages and for a short wait.
 */
import * as fs from "node:fs";
import { uptime } from "node:os";
import { defineSchema } from "../../protocol/schema.ts";
import type { OutputOf } from "../../protocol/schema.ts";
import { stateFile } from "../../util/state-folder.ts";
import { isProcessAlive } from "../../util/process-alive.ts";
import { readNote, writeNote } from "./note-file.ts";

const hostFileSchema = defineSchema((z) =>
  z.object({
    pid: z.int().positive(),
    hostId: z.string(),
    port: z.int(),
    sessionIds: z.array(z.string().max(128)).optional(),
  }),
);
type HostFile = OutputOf<typeof hostFileSchema>;
const farewellSchema = defineSchema((z) =>
  z.object({ leftAt: z.number(), sessionIds: z.array(z.string().max(128)) }),
);

/**
 * How long a note of leaving counts. Studios look for the next host at once when their host says goodbye, then every
 * half second.
 */
const FAREWELL_MS = 3_000;

export function writeHostFile(note: HostFile): void {
  writeNote(hostFilePath(note.port), note);
}

/** Leaves a note of the sessions for the next host of this port. */
export function writeFarewell(port: number, sessionIds: readonly string[]): void {
  if (sessionIds.length > 0) writeNote(farewellPath(port), { leftAt: Date.now(), sessionIds });
}

/**
 * The sessions of the host before this one, which ended just now or was killed; they are about to come back. Only the
 * process that holds the port may call this, because then the note cannot belong to a running host.
 */
export function takeSessionsBefore(port: number): readonly string[] {
  const left = takeFarewell(port);
  if (left.length > 0) return left;
  return isOfThisBoot(hostFilePath(port)) ? (readHostFile(port)?.sessionIds ?? []) : [];
}

/** False for a note from before the machine's last start, which no Studio has survived. */
function isOfThisBoot(path: string): boolean {
  const writtenAt = fs.statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return writtenAt > Date.now() - uptime() * 1_000;
}

function takeFarewell(port: number): readonly string[] {
  const path = farewellPath(port);
  const farewell = farewellSchema.read(readNote(path))?.value;
  if (farewell === undefined) return [];
  fs.rmSync(path, { force: true });
  return Math.abs(Date.now() - farewell.leftAt) < FAREWELL_MS ? farewell.sessionIds : [];
}

/** Only the process that holds the port may call this, because then the note is its own. */
export function removeHostFile(port: number): void {
  fs.rmSync(hostFilePath(port), { force: true });
}

/** The pid in the note about this port, if that process still runs. */
export function hostPid(port: number): number | undefined {
  const pid = readHostFile(port)?.pid;
  return pid !== undefined && isProcessAlive(pid) ? pid : undefined;
}

function readHostFile(port: number): HostFile | undefined {
  return hostFileSchema.read(readNote(hostFilePath(port)))?.value;
}

function hostFilePath(port: number): string {
  return stateFile(`host-${port}.json`);
}

function farewellPath(port: number): string {
  return stateFile(`left-${port}.json`);
}
