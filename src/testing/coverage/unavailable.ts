/** The error of a run with `--coverage` whose target cannot count lines. */
import { StudioBridgeError } from "../../protocol/errors.ts";

/** `where` names the target in words, such as "in the cloud". `reason` is the error of its engine. */
export const coverageUnavailable = (where: string, reason: string): StudioBridgeError =>
  new StudioBridgeError("COVERAGE_UNAVAILABLE", `Lines cannot be counted ${where}: ${reason}`);
