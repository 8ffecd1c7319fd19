/**
 * Every sentence about a failure that people or agents read, as a factory that returns the error to throw. Texts are
 * spec 2's where it gives one. A surface may reword the hint, never the message.
 */
import { actions } from "./actions.ts";
import type { ActionName, SessionContext } from "./actions.ts";
import { StudioBridgeError } from "./errors.ts";
import type { Outcome } from "./errors.ts";

/** Spec 2 "Timeout summary". */
export function timedOut(action: ActionName, timeoutMs: number, outcome?: Outcome): StudioBridgeError {
  const seconds = timeoutMs / 1000;
  const unit = seconds === 1 ? "second" : "seconds";
  const message = `${actions[action].subject} timed out after ${Number(seconds.toFixed(3))} ${unit}.`;
  return new StudioBridgeError("TIMEOUT", message, outcome === undefined ? {} : { outcome });
}

export function capabilityNotSupported(action: ActionName): StudioBridgeError {
  const message = `This Studio session does not support ${actions[action].capability}. Update the studio-bridge plugin.`;
  return new StudioBridgeError("CAPABILITY_NOT_SUPPORTED", message);
}

export function noSessions(): StudioBridgeError {
  return new StudioBridgeError(
    "NO_SESSION",
    "No active sessions. Is Studio running with the studio-bridge plugin installed?",
  );
}

export function sessionNotFound(sessionId: string): StudioBridgeError {
  const message = `Session not found: ${sessionId}. Run 'sb sessions' to see available sessions.`;
  return new StudioBridgeError("SESSION_NOT_FOUND", message, { data: { sessionId } });
}

export function sessionGone(sessionId: string, outcome: Outcome): StudioBridgeError {
  const message = `Session ${sessionId} ended before it answered.`;
  return new StudioBridgeError("SESSION_GONE", message, { data: { sessionId }, outcome });
}

/** Spec 2 "Context selection summary". */
export function contextUnavailable(context: SessionContext): StudioBridgeError {
  const message = `No ${context} context available. Studio is in Edit mode.`;
  return new StudioBridgeError("CONTEXT_UNAVAILABLE", message, { data: { context } });
}

export function cancelled(outcome: Outcome): StudioBridgeError {
  const message = outcome === "not_started" ? "Cancelled before it started." : "Cancelled.";
  return new StudioBridgeError("CANCELLED", message, { outcome });
}

export function invalidInput(message: string, hint?: string): StudioBridgeError {
  return new StudioBridgeError("INVALID_INPUT", message, hint === undefined ? {} : { hint });
}
