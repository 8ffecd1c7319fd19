/** The machine's key as a prover, with failures in the one error class. */
import { createProver, KeyFileError, loadKeyAsync } from "../../auth/index.ts";
import type { Prover } from "../../auth/index.ts";
import { StudioBridgeError } from "../../protocol/errors.ts";

/** Throws KEY_ERROR. */
export async function loadProverAsync(): Promise<Prover> {
  try {
    return createProver(await loadKeyAsync());
  } catch (error) {
    if (!(error instanceof KeyFileError)) throw error;
    throw new StudioBridgeError("KEY_ERROR", error.message, { hint: error.hint, cause: error });
  }
}
