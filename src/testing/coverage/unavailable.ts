/** The error of a run whose target does not count lines, the same for every target. */
import { StudioBridgeError } from "../../protocol/errors.ts";

/** `where` is a word for the target, and `reason` what its engine said. */
export const coverageUnavailable = (where: string, reason: string): StudioBridgeError =>
  new StudioBridgeError("COVERAGE_UNAVAILABLE", `Lines cannot be counted ${where}: ${reason}`);
