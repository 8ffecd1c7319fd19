/**
 * One file of a running host: lines are collected for a moment and appended. It begins with its first line, so that a host
 * which serves no request leaves no file.
 */
import { closeSync, mkdirSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { log } from "../log.ts";
import { systemReason } from "../util/system-error.ts";
import { JOURNAL_VERSION } from "./format.ts";
import type { JournalEvent, JournalFileKind, JournalHeader } from "./format.ts";
import { makeRoom } from "./retention.ts";
import { journalFolder } from "./settings.ts";

/** A host that is killed loses no more than this. A command that reads the journal takes longer to start. */
const COLLECT_MS = 20;
/** A larger file is followed by another one, so that old calls can be dropped piece by piece. */
const PART_BYTES = 4 * 1024 * 1024;
/** Lines that wait are written at once beyond this. */
const WAITING = 512;

export class JournalFile {
  readonly #kind: JournalFileKind;
  readonly #header: Omit<JournalHeader, "journal">;
  readonly #opened: () => readonly JournalEvent[];
  /** Lines as text, because events that wait would have to be kept and looked at by the garbage collector. */
  #waiting = "";
  #waitingLines = 0;
  #timer: Timer | undefined;
  #descriptor: number | undefined;
  #part = 0;
  #bytes = 0;
  #isBroken = false;

  /** `opened`: what a new part repeats, so that it can be read without those before it. */
  constructor(
    kind: JournalFileKind,
    header: Omit<JournalHeader, "journal">,
    opened: () => readonly JournalEvent[],
  ) {
    this.#kind = kind;
    this.#header = header;
    this.#opened = opened;
  }

  append(event: JournalEvent): void {
    if (this.#isBroken) return;
    this.#waiting += lineOf(event);
    this.#waitingLines += 1;
    if (this.#waitingLines >= WAITING) return this.flush();
    this.#timer ??= setTimeout(() => this.flush(), COLLECT_MS);
  }

  /** A journal that cannot be written is no failure of the host: it ends, and only the log of the host says so. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#waiting === "") return;
    try {
      if (this.#descriptor === undefined || this.#bytes > PART_BYTES) this.#open();
      this.#write(this.#waiting);
    } catch (error) {
      this.#isBroken = true;
      log.debug(`the journal could not be written: ${systemReason(error)}`);
    }
    this.#waiting = "";
    this.#waitingLines = 0;
  }

  close(): void {
    this.flush();
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    this.#descriptor = undefined;
  }

  #open(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    const folder = journalFolder();
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    makeRoom(folder, this.#kind);
    const { startedAt, pid } = this.#header;
    const name = `${this.#kind}-${startedAt}-${pid}-${this.#part++}.jsonl`;
    this.#descriptor = openSync(join(folder, name), "ax", 0o600);
    this.#bytes = 0;
    const header = { journal: JOURNAL_VERSION, ...this.#header };
    this.#write([header, ...this.#opened()].map(lineOf).join(""));
  }

  #write(text: string): void {
    if (this.#descriptor !== undefined) this.#bytes += writeSync(this.#descriptor, text);
  }
}

const lineOf = (event: JournalEvent | JournalHeader): string => `${JSON.stringify(event)}\n`;
