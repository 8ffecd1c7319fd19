/** Keeps the host's note in the state folder up to date while it holds its port: its process, its id, its sessions. */
import { Alarm } from "../../util/alarm.ts";
import { removeHostFile, writeFarewell, writeHostFile } from "./host-file.ts";

/**
 * Waiting peers are served first. The note follows soon, because a client that finds the host silent reads the process
 * from it, and because a host that is killed must not leave a Studio unknown to the next host.
 */
const SOON_MS = 1;
/** How long to collect changes after a note: many Studios reconnect at once after a change of hosts. */
const COLLECT_MS = 20;

export class HostNotes {
  readonly #port: number;
  readonly #hostId: string;
  readonly #sessionIds: () => string[];
  readonly #alarm = new Alarm(() => this.#write());
  /** The number of sessions in the note that was written or is about to be written. */
  #noted: number | undefined;
  #writtenAtMs = -Infinity;

  /** `sessionIds` also lists the sessions that the host before this one had and that are about to come back. */
  constructor(port: number, hostId: string, sessionIds: () => string[]) {
    this.#port = port;
    this.#hostId = hostId;
    this.#sessionIds = sessionIds;
  }

  /** Call it whenever the number of sessions may have changed. */
  keep(sessionCount: number): void {
    if (sessionCount === this.#noted) return;
    this.#noted = sessionCount;
    const nowMs = performance.now();
    this.#alarm.wakeBy(Math.max(nowMs + SOON_MS, this.#writtenAtMs + COLLECT_MS), nowMs);
  }

  /** Replaces the note by one of leaving; call it while this host still has the port. */
  leave(): void {
    this.#alarm[Symbol.dispose]();
    removeHostFile(this.#port);
    writeFarewell(this.#port, this.#sessionIds());
  }

  #write(): void {
    this.#writtenAtMs = performance.now();
    writeHostFile({
      pid: process.pid,
      hostId: this.#hostId,
      port: this.#port,
      sessionIds: this.#sessionIds(),
    });
  }
}
