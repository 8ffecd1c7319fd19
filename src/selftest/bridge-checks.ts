/** The list of all checks of the bridge, in the order in which they run. */
import type { BridgeCheck } from "./bridge-check.ts";
import { changeChecks } from "./change-checks.ts";
import { readingChecks } from "./reading-checks.ts";
import { savingChecks } from "./saving-checks.ts";
import { scriptChecks } from "./script-checks.ts";
import { testChecks } from "./test-checks.ts";

export const bridgeChecks: readonly BridgeCheck[] = [
  ...scriptChecks,
  ...readingChecks,
  ...changeChecks,
  ...savingChecks,
  ...testChecks,
];
