/** What a host leaves in the state folder about itself: who it is and for which sessions, as long as it holds its port. */
import { Alarm } from "../../util/alarm.ts";
import { removeHostFile, writeFarewell, writeHostFile } from "./host-file.ts";

/** Who waits already is taken in first; one who finds the host silent is to learn which process it is. */
const FIRST_NOTE_MS = 1;
/** Many Studios come back at once after a change of hosts. */
const NOTE_MS = 20;

export class HostNotes {
  readonly #port: number;
  readonly #hostId: string;
  readonly #sessionIds: () => string[];
  readonly #alarm = new Alarm(() => this.#write());
  /** How many sessions the note tells of, or will tell of in a moment. */
  #noted: number | undefined;

  /** `sessionIds`: also those that are still on their way back from the host before. */
  constructor(port: number, hostId: string, sessionIds: () => string[]) {
    this.#port = port;
    this.#hostId = hostId;
    this.#sessionIds = sessionIds;
  }

  /** Call it whenever that may have changed. */
  keep(sessionCount: number): void {
    if (sessionCount === this.#noted) return;
    const delayMs = this.#noted === undefined ? FIRST_NOTE_MS : NOTE_MS;
    this.#noted = sessionCount;
    this.#alarm.wakeBy(performance.now() + delayMs, performance.now());
  }

  /** While the port is still ours. */
  leave(): void {
    this.#alarm[Symbol.dispose]();
    removeHostFile(this.#port);
    writeFarewell(this.#port, this.#sessionIds());
  }

  #write(): void {
    writeHostFile({
      pid: process.pid,
      hostId: this.#hostId,
      port: this.#port,
      sessionIds: this.#sessionIds(),
    });
  }
}
