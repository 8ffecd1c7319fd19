/** The context that the flags and settings ask for, if the target has it. */
import { invalidInput } from "../../protocol/messages.ts";
import type { Target } from "../../testing/target.ts";
import { type ContextKind, type TestContext, testContext } from "../../testing/test-context.ts";

/** Throws INVALID_INPUT where the wishes contradict each other or the target. */
export function wantedContext(
  target: Target,
  kind: ContextKind | undefined,
  players: number | undefined,
): TestContext {
  if (target.kind === "cloud" && (kind === "client" || players !== undefined))
    throw invalidInput(
      "Luau Execution has no clients.",
      "Run these tests on headless or studio, or leave out --context client and --players.",
    );
  if (players !== undefined && (kind ?? "edit") === "edit")
    throw invalidInput(
      "Only a play test has players.",
      "Add --context server or --context client, or leave out --players.",
    );
  return testContext(kind ?? "edit", players);
}
