/** One DataModel's view of the process: its sockets and requests get numbers that no other DataModel's have. */
import type { HeadlessHost, HttpRequest } from "../process/host.ts";
import type { Note } from "../process/note-tally.ts";

/** Larger than any number that one DataModel gives; sums stay exact. */
const STRIDE = 2 ** 32;

export class DataModelHost implements HeadlessHost {
  readonly #host: HeadlessHost;
  readonly #id: number;
  readonly #prefix: string;
  readonly #sockets = new Set<number>();

  constructor(host: HeadlessHost, id: number, role: string) {
    this.#host = host;
    this.#id = id;
    this.#prefix = role === "edit" ? "" : `[${role}] `;
  }

  /** The DataModel that a number of the host belongs to, and its own number for it. */
  static split(number: number): { readonly modelId: number; readonly number: number } {
    return { modelId: Math.floor(number / STRIDE), number: number % STRIDE };
  }

  log(type: number, text: string): void {
    this.#host.log(type, this.#prefix + text);
  }

  openSocket(id: number, url: string, headers: Readonly<Record<string, string>>): void {
    this.#sockets.add(id);
    this.#host.openSocket(this.#join(id), url, headers);
  }

  sendSocket(id: number, text: string): void {
    this.#host.sendSocket(this.#join(id), text);
  }

  closeSocket(id: number): void {
    this.#sockets.delete(id);
    this.#host.closeSocket(this.#join(id));
  }

  requestHttp(id: number, request: HttpRequest): void {
    this.#host.requestHttp(this.#join(id), request);
  }

  exit(code: number): void {
    this.#host.exit(code);
  }

  noted(note: Note): void {
    this.#host.noted(note);
  }

  testStarted(): void {
    this.#host.testStarted();
  }

  closeSockets(): void {
    for (const id of [...this.#sockets]) this.closeSocket(id);
  }

  #join(number: number): number {
    return this.#id * STRIDE + number;
  }
}
