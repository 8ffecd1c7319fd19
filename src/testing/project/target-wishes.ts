/** Checks the flags and settings against the target: the context, isolation, workers, data stores. */
import { invalidInput } from "../../protocol/messages.ts";
import type { Isolation } from "../run/run-words.ts";
import type { Target } from "../target.ts";
import { type ContextKind, type TestContext, testContext } from "../test-context.ts";

/** The context of a run. Throws INVALID_INPUT if the options contradict each other or the target. */
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

interface RunWishes {
  readonly isolation: Isolation | undefined;
  readonly workers: number;
}

/** The values of flags. Settings are not checked, because they are the same for every target. */
interface FlagWishes {
  readonly isolate?: Isolation | undefined;
  readonly data?: string | undefined;
  readonly workers?: number | string | undefined;
  readonly allowStale?: boolean | undefined;
  readonly strictGeometry?: boolean | undefined;
  /** The first of the flags that say something of a screen. */
  readonly screenFlag?: string | undefined;
  readonly fixtures?: string | undefined;
}

/**
 * Isolation and workers for the target: an open Studio runs one file at a time and cannot return to an earlier state. Throws
 * INVALID_INPUT for a flag that the target cannot fulfil.
 */
export function wishesForTarget(target: Target, flags: FlagWishes, wishes: RunWishes): RunWishes {
  if (target.kind === "cloud" && flags.data !== undefined)
    throw invalidInput(
      "Cannot use --data with --on cloud.",
      "Data stores in the cloud are the real ones; leave out --data, or test in headless Studio.",
    );
  if (target.kind !== "headless" && flags.strictGeometry === true)
    throw invalidInput(
      `Cannot use --strict-geometry with --on ${target.kind}.`,
      "Roblox knows the shape of each part; leave out --strict-geometry.",
    );
  if (target.kind !== "headless" && flags.screenFlag !== undefined)
    throw invalidInput(
      `Cannot use --${flags.screenFlag} with --on ${target.kind}.`,
      `Only a headless Studio has a screen that sb chooses; leave out --${flags.screenFlag}.`,
    );
  if (target.kind !== "headless" && flags.fixtures !== undefined)
    throw invalidInput(
      `Cannot use --fixtures with --on ${target.kind}.`,
      "Only a headless Studio answers in place of Roblox; leave out --fixtures.",
    );
  if (target.kind !== "headless" && flags.workers !== undefined)
    throw invalidInput(
      `Cannot use --workers with --on ${target.kind}.`,
      target.kind === "cloud"
        ? "Each place of --on runs up to ten tasks at a time; leave out --workers."
        : "An open Studio runs one file at a time; leave out --workers.",
    );
  if (target.kind !== "studio" && flags.allowStale === true)
    throw invalidInput(
      `Cannot use --allow-stale with --on ${target.kind}.`,
      "Only an open Studio may have other sources than the files; leave out --allow-stale.",
    );
  if (target.kind !== "studio") return wishes;
  if (flags.data !== undefined)
    throw invalidInput(
      "Cannot use --data with --on studio.",
      "Studio has data stores of its own; leave out --data, or test in headless Studio.",
    );
  if (flags.isolate !== undefined && flags.isolate !== "none")
    throw invalidInput(
      `Cannot use --isolate ${flags.isolate} with --on studio.`,
      "An open Studio cannot return to an earlier state; the summary names what each file leaves.",
    );
  return { isolation: "none", workers: 1 };
}
