/** A check of one action of the wire, and how checks are run. */
import type { ActionName } from "../../protocol/actions.ts";
import { StudioBridgeError } from "../../protocol/errors.ts";
import type { CheckedStudio } from "./checked-studio.ts";
import { cannotTell, differs, type Finding, type Verdict } from "./findings.ts";

export interface BridgeCheck {
  readonly action: ActionName;
  /** What the action does, as the end of a sentence about it. */
  readonly name: string;
  runAsync(studio: CheckedStudio): Promise<Verdict>;
}

/** The Studio that is checked is no longer there. */
export const isStudioGone = (error: unknown): boolean =>
  error instanceof StudioBridgeError && (error.code === "SESSION_GONE" || error.code === "SESSION_NOT_FOUND");

/** What the plugin refuses to do differs; what headless Studio does not simulate cannot be told. */
export async function verdictOfAsync(runAsync: () => Promise<Verdict>): Promise<Verdict> {
  try {
    return await runAsync();
  } catch (error) {
    if (!(error instanceof StudioBridgeError) || error.code === "CANCELLED" || isStudioGone(error))
      throw error;
    if (error.code === "NOT_SIMULATED") return cannotTell("headless Studio does not simulate it");
    return differs(`${error.code}: ${error.message}`);
  }
}

/** Runs checks one after the other, and adds to `findings` what each has found. */
export async function runChecksAsync(
  studio: CheckedStudio,
  checks: readonly BridgeCheck[],
  findings: Finding[],
): Promise<void> {
  for (const [index, check] of checks.entries()) {
    studio.status(`Bridge: ${check.action} (${index + 1} of ${checks.length})`);
    const verdict = await verdictOfAsync(() => check.runAsync(studio));
    findings.push({ subject: check.action, name: check.name, ...verdict });
  }
}

/** The code of the error that the call ends with; undefined where it succeeds. */
export async function failureCodeAsync(call: Promise<unknown>): Promise<string | undefined> {
  try {
    await call;
    return undefined;
  } catch (error) {
    if (error instanceof StudioBridgeError && !isStudioGone(error)) return error.code;
    throw error;
  }
}
