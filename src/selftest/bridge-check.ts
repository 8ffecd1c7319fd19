/** The form of a check of one action of the wire, and the function that runs checks. */
import type { ActionName } from "../protocol/actions.ts";
import { StudioBridgeError } from "../protocol/errors.ts";
import type { CheckedStudio } from "./checked-studio.ts";
import { cannotTell, differs, type Finding, type Verdict } from "./findings.ts";

export interface BridgeCheck {
  readonly action: ActionName;
  /** The expected behaviour, as the end of a sentence that begins with the action. */
  readonly name: string;
  runAsync(studio: CheckedStudio): Promise<Verdict>;
}

/** True if the error says that the checked Studio is gone. */
export const isStudioGone = (error: unknown): boolean =>
  error instanceof StudioBridgeError && (error.code === "SESSION_GONE" || error.code === "SESSION_NOT_FOUND");

/** The verdict of a check. An error of the plugin means "differs"; NOT_SIMULATED of headless Studio means "cannot tell". */
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

/** Runs checks one after the other, and adds the finding of each to `findings`. */
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

/** The code of the error with which a call fails; undefined if it succeeds. */
export async function failureCodeAsync(call: Promise<unknown>): Promise<string | undefined> {
  try {
    await call;
    return undefined;
  } catch (error) {
    if (error instanceof StudioBridgeError && !isStudioGone(error)) return error.code;
    throw error;
  }
}
