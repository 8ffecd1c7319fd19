/** Checks of the actions about play tests, as far as no test has to run; `play-checks.ts` starts one. */
import type { BridgeCheck } from "./bridge-check.ts";
import { failureCodeAsync } from "./bridge-check.ts";
import { cannotTell, sameAs } from "./findings.ts";

export const testChecks: readonly BridgeCheck[] = [
  {
    action: "startTest",
    name: "starts a play test",
    runAsync: async () => cannotTell("the play test at the end of the self-test shows it"),
  },
  {
    action: "stopTest",
    name: "has nothing to end while Studio edits",
    runAsync: async (studio) => sameAs(await studio.callAsync("stopTest", { force: true }), {}),
  },
  {
    action: "input",
    name: "is refused in the edited place, which has no player",
    runAsync: async (studio) =>
      sameAs(
        await failureCodeAsync(studio.callAsync("input", { steps: [{ do: "wait", ms: 0 }] })),
        "CONTEXT_UNAVAILABLE",
      ),
  },
];
