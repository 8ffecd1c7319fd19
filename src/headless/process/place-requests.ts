/**
 * Requests about the place's file and the end of the Studio, which the process answers itself: the plugin can neither
 * write files nor end Studio.
 */
import { isAbsolute } from "node:path";
import { isOfType, textMember } from "./frame-text.ts";
import type { PlaceSaver } from "./place-saver.ts";

interface PlaceRequestsOptions {
  readonly saver: PlaceSaver;
  /** The plugin answers that the place may not be saved. */
  readonly refusesChanges: boolean;
  /** Whether this machine's bridge host, or the process that started this one, is at the other end of the socket. */
  readonly isTrusted: (socketId: number) => boolean;
  readonly send: (socketId: number, frame: string) => void;
  /** Ends the Studio, whose place is put away. */
  readonly end: () => void;
}

const REPLIES = {
  queryPlaceFile: "placeFileResult",
  savePlace: "savePlaceResult",
  endStudio: "endStudioResult",
} as const;
type PlaceRequest = keyof typeof REPLIES;
const REQUESTS = Object.keys(REPLIES).filter((type): type is PlaceRequest => type in REPLIES);

export class PlaceRequests {
  readonly #options: PlaceRequestsOptions;

  constructor(options: PlaceRequestsOptions) {
    this.#options = options;
  }

  /** True for a frame that is answered here, so that the plugin must not see it. */
  take(socketId: number, frame: string): boolean {
    const type = REQUESTS.find((each) => isOfType(frame, each));
    if (type === undefined || !this.#options.isTrusted(socketId)) return false;
    if (type === "savePlace" && this.#options.refusesChanges) return false;
    void this.#answerAsync(socketId, type, frame);
    return true;
  }

  async #answerAsync(socketId: number, type: PlaceRequest, frame: string): Promise<void> {
    const header = { sessionId: textMember(frame, "sessionId"), requestId: textMember(frame, "requestId") };
    const send = (reply: string, payload: object): void =>
      this.#options.send(socketId, JSON.stringify({ type: reply, ...header, payload }));
    try {
      send(REPLIES[type], await this.#resultAsync(type, frame));
      if (type === "endStudio") this.#options.end();
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      send("error", { code: "SAVE_FAILED", message: `${message.replace(/\.$/, "")}.` });
    }
  }

  async #resultAsync(type: PlaceRequest, frame: string): Promise<object> {
    const { saver } = this.#options;
    if (type === "queryPlaceFile") return saver.stateAsync();
    if (type === "endStudio")
      return saver.putAwayAsync(textMember(frame, "payload", "unsaved") === "discard");
    const file = textMember(frame, "payload", "file") ?? "";
    if (!isAbsolute(file)) throw new Error(`Not an absolute path of a file: ${file}`);
    const { checkSavedFileAsync } = await import("../bytes/place-file.ts");
    await checkSavedFileAsync(file);
    return saver.saveAsync(file);
  }
}
