/**
 * A private note of who holds a port, so that a host that no longer answers can still be named. It is never trusted for
 * anything but a message.
 */
import * as fs from "node:fs";
import { dirname, join } from "node:path";
import { log } from "../../log.ts";
import { defineSchema } from "../../protocol/schema.ts";
import type { OutputOf } from "../../protocol/schema.ts";
import { stateFolder } from "../../util/state-folder.ts";
import { systemReason } from "../../util/system-error.ts";

const hostFileSchema = defineSchema((z) =>
  z.object({ pid: z.int().positive(), hostId: z.string(), port: z.int() }),
);
export type HostFile = OutputOf<typeof hostFileSchema>;

export function writeHostFile(note: HostFile): void {
  const path = hostFilePath(note.port);
  const draft = `${path}.${note.pid}`;
  try {
    fs.mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    fs.writeFileSync(draft, `${JSON.stringify(note)}\n`, { mode: 0o600 });
    fs.renameSync(draft, path);
  } catch (error) {
    // Without the note only the pid in one error message is missing.
    log.debug(`${path} could not be written: ${systemReason(error)}`);
  }
}

/** Removes the note unless another host has replaced it. */
export function removeHostFile(note: HostFile): void {
  if (readHostFile(note.port)?.hostId === note.hostId) fs.rmSync(hostFilePath(note.port), { force: true });
}

/** The pid of the host last seen on this port, while that process lives. */
export function hostPid(port: number): number | undefined {
  const pid = readHostFile(port)?.pid;
  return pid !== undefined && isAlive(pid) ? pid : undefined;
}

function readHostFile(port: number): HostFile | undefined {
  try {
    const parsed: unknown = JSON.parse(fs.readFileSync(hostFilePath(port), "utf8"));
    return hostFileSchema.read(parsed)?.value;
  } catch {
    return undefined;
  }
}

function hostFilePath(port: number): string {
  return join(stateFolder(), `host-${port}.json`);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
