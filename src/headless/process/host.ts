/** The functions that a headless Studio needs from its process. The main thread has them; the VM's thread forwards calls to them. */

export interface HeadlessHost {
  /** `type` as in LOG_TYPE. */
  log(type: number, text: string): void;
  openSocket(id: number, url: string, headers: Readonly<Record<string, string>>): void;
  sendSocket(id: number, text: string): void;
  closeSocket(id: number): void;
  requestHttp(id: number, request: HttpRequest): void;
  exit(code: number): void;
}

export interface HttpRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array<ArrayBuffer>;
}
