/** Answers in place of the plugin what the engine has noted about its own limits: of the whole Studio, and of its last play test. */
import type { ActionResult } from "../../protocol/actions.ts";
import { isOfType, textMember } from "./frame-text.ts";
import { type Note, NoteTally } from "./note-tally.ts";

interface CaveatsOptions {
  /** Whether this machine's bridge host, or the process that started this one, is at the other end of the socket. */
  readonly isTrusted: (socketId: number) => boolean;
  readonly send: (socketId: number, frame: string) => void;
}

export class Caveats {
  readonly #options: CaveatsOptions;
  readonly #ofStudio = new NoteTally();
  #ofTest = new NoteTally();

  constructor(options: CaveatsOptions) {
    this.#options = options;
  }

  add(note: Note): void {
    this.#ofStudio.add(note);
    this.#ofTest.add(note);
  }

  testStarted(): void {
    this.#ofTest = new NoteTally();
  }

  /** True for a frame that is answered here, so that the plugin must not see it. */
  take(socketId: number, frame: string): boolean {
    const { isTrusted, send } = this.#options;
    if (!isOfType(frame, "queryCaveats") || !isTrusted(socketId)) return false;
    const isOfTest = textMember(frame, "payload", "of") === "test";
    const reply = {
      type: "caveatsResult",
      sessionId: textMember(frame, "sessionId"),
      requestId: textMember(frame, "requestId"),
      payload: resultOf(isOfTest ? this.#ofTest : this.#ofStudio),
    };
    send(socketId, JSON.stringify(reply));
    return true;
  }
}

function resultOf(tally: NoteTally): ActionResult<"queryCaveats"> {
  return {
    neverFires: tally.of("neverFires").map(({ name, count }) => ({ event: name, connections: count })),
    approximated: tally.of("approximated").map(({ name, count }) => ({ class: name, count })),
  };
}
