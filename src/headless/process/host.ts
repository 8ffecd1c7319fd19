/** The functions that a headless Studio needs from its process. The main thread has them; the VM's thread forwards calls to them. */

import type { Note } from "./note-tally.ts";

export interface HeadlessHost {
  /** `type` as in LOG_TYPE. */
  log(type: number, text: string): void;
  openSocket(id: number, url: string, headers: Readonly<Record<string, string>>): void;
  sendSocket(id: number, text: string): void;
  closeSocket(id: number): void;
  requestHttp(id: number, request: HttpRequest): void;
  exit(code: number): void;
  /** The engine has noted one of its own limits. */
  noted(note: Note): void;
  /** A play test begins. */
  testStarted(): void;
}

export interface HttpRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array<ArrayBuffer>;
}
