/** Answers a script that asks for standard input: one piece for each question, the same one if it is asked twice. */
import { StudioBridgeError } from "../protocol/errors.ts";
import type { ActionRequest } from "../protocol/actions.ts";
import type { InputWanted } from "./client/client-state.ts";

/** `fault` says why there is no input. */
export type InputPiece = Pick<ActionRequest<"provideInput">, "text" | "isLast" | "fault">;

type Provide = (request: ActionRequest<"provideInput">) => Promise<unknown>;

export class ScriptInput {
  readonly #nextAsync: () => Promise<InputPiece>;
  readonly #provideAsync: Provide;
  #latest: { readonly seq: number; readonly piece: Promise<InputPiece> } | undefined;

  constructor(nextAsync: () => Promise<InputPiece>, provideAsync: Provide) {
    this.#nextAsync = nextAsync;
    this.#provideAsync = provideAsync;
  }

  async answerAsync({ scriptId, seq }: InputWanted): Promise<void> {
    const latest = this.#latest?.seq === seq ? this.#latest : { seq, piece: this.#nextAsync() };
    this.#latest = latest;
    try {
      await this.#provideAsync({ ...(await latest.piece), scriptId, seq });
    } catch (error) {
      // The call that runs the script reports what happened to its session, so this error is dropped here.
      if (!(error instanceof StudioBridgeError)) throw error;
    }
  }
}
