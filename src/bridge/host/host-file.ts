/**
 * Private notes about a port: who holds it and for which sessions, so that a host that no longer answers can still be
 * named, and the host after one that is gone knows who is on the way back. They are never trusted for more than a message
 * and a moment of patience.
 */
import * as fs from "node:fs";
import { uptime } from "node:os";
import { dirname } from "node:path";
import { log } from "../../log.ts";
import { defineSchema } from "../../protocol/schema.ts";
import type { OutputOf } from "../../protocol/schema.ts";
import { stateFile } from "../../util/state-folder.ts";
import { systemReason } from "../../util/system-error.ts";

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

/** Studios whose host said goodbye look for the next at once, and every half second from then on. */
const FAREWELL_MS = 3_000;

export function writeHostFile(note: HostFile): void {
  writeNote(hostFilePath(note.port), note);
}

/** For the next host of this port, whoever starts it. */
export function writeFarewell(port: number, sessionIds: readonly string[]): void {
  if (sessionIds.length > 0) writeNote(farewellPath(port), { leftAt: Date.now(), sessionIds });
}

/**
 * The sessions of the host that was here before: it left just now, or was killed. They are about to come back. For
 * whoever holds the port, so that a note that is still there cannot be that of a host that lives.
 */
export function takeSessionsBefore(port: number): readonly string[] {
  const left = takeFarewell(port);
  if (left.length > 0) return left;
  return isOfThisBoot(hostFilePath(port)) ? (readHostFile(port)?.sessionIds ?? []) : [];
}

/** Studios do not outlive the machine's last start. */
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

function writeNote(path: string, note: object): void {
  const draft = `${path}.${process.pid}`;
  try {
    fs.mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    fs.writeFileSync(draft, `${JSON.stringify(note)}\n`, { mode: 0o600 });
    fs.renameSync(draft, path);
  } catch (error) {
    // Without a note an error message lacks a pid, or a command may miss a Studio that is on its way back.
    log.debug(`${path} could not be written: ${systemReason(error)}`);
    fs.rmSync(draft, { force: true });
  }
}

function readNote(path: string): unknown {
  try {
    return JSON.parse(fs.readFileSync(path, "utf8"));
  } catch {
    return undefined;
  }
}

/** For whoever holds the port, so that it cannot be the note of another host. */
export function removeHostFile(port: number): void {
  fs.rmSync(hostFilePath(port), { force: true });
}

/** The pid of the host last seen on this port, while that process lives. */
export function hostPid(port: number): number | undefined {
  const pid = readHostFile(port)?.pid;
  return pid !== undefined && isAlive(pid) ? pid : undefined;
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

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
