import { TextFault } from "../../../src/util/text-fault.ts";

/** The offset of the fault that `run` throws. */
export function faultOffset(run: () => unknown): number {
  try {
    run();
  } catch (error) {
    if (error instanceof TextFault) return error.offset;
    throw error;
  }
  throw new Error("nothing was thrown");
}
