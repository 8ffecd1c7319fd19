/**
 * The sentences of failures that occur in several places, or that are fixed by a specification, as functions that
 * return the error to throw. A failure that only one module can detect has its sentence there. A surface may change the
 * hint, never the message.
 */
import { isAbsolute } from "node:path";
import { actions } from "./actions.ts";
import type { ActionName } from "./actions.ts";
import type { SessionContext } from "./fields/contexts.ts";
import { isErrorCode, StudioBridgeError } from "./errors.ts";
import type { Outcome, WireErrorCode } from "./errors.ts";
import type { ErrorPayload } from "./events.ts";

/** An action that took longer than its timeout. */
export function timedOut(action: ActionName, timeoutMs: number, outcome?: Outcome): StudioBridgeError {
  const seconds = timeoutMs / 1000;
  const unit = seconds === 1 ? "second" : "seconds";
  const message = `${actions[action].subject} timed out after ${Number(seconds.toFixed(3))} ${unit}.`;
  const row = actions[action];
  return new StudioBridgeError("TIMEOUT", message, {
    ...("lateHint" in row ? { hint: row.lateHint } : {}),
    ...(outcome === undefined ? {} : { outcome }),
  });
}

export function fileNotFound(noun: "place" | "model", path: string): StudioBridgeError {
  const name = noun === "place" ? "Place" : "Model";
  return new StudioBridgeError("FILE_ERROR", `${name} file not found: ${path}`, {
    hint: checkPath(path),
    data: { path },
  });
}

export function capabilityNotSupported(action: ActionName): StudioBridgeError {
  const message = `This Studio session does not support ${actions[action].capability}. Update the studio-bridge plugin.`;
  return new StudioBridgeError("CAPABILITY_NOT_SUPPORTED", message, { outcome: "not_started" });
}

/** The next step after a file that is not there. A path of sb.config.json arrives here as a whole one. */
export const checkPath = (path: string): string =>
  isAbsolute(path)
    ? "Check the path, also in sb.config.json if it comes from there."
    : "Check the path; it is relative to the current folder.";

/** The next step after a session that is not there. */
export const SEE_SESSIONS = "Run 'sb sessions' to see available sessions.";

export function noSessions(): StudioBridgeError {
  return new StudioBridgeError(
    "NO_SESSION",
    "No active sessions. Is Studio running with the studio-bridge plugin installed?",
  );
}

export function sessionNotFound(sessionId: string): StudioBridgeError {
  const message = `Session not found: ${sessionId}. ${SEE_SESSIONS}`;
  return new StudioBridgeError("SESSION_NOT_FOUND", message, {
    data: { sessionId },
    outcome: "not_started",
  });
}

export function sessionGone(sessionId: string, outcome: Outcome): StudioBridgeError {
  const message = `Session ${sessionId} ended before it answered.`;
  return new StudioBridgeError("SESSION_GONE", message, { data: { sessionId }, outcome });
}

/** Studio does not play, so that it has the edit context only. */
export function contextUnavailable(context: SessionContext): StudioBridgeError {
  const message = `No ${context} context available. Studio is in Edit mode.`;
  return new StudioBridgeError("CONTEXT_UNAVAILABLE", message, { data: { context } });
}

/** Studio plays, but no copy of the plugin has come from there. */
export function playContextUnavailable(context: SessionContext, instanceId: string): StudioBridgeError {
  const message = `No ${context} context available. Studio plays, but the plugin has not connected from there.`;
  return new StudioBridgeError("PLAY_CONTEXT_UNAVAILABLE", message, { data: { context, instanceId } });
}

export function cancelled(outcome: Outcome): StudioBridgeError {
  const message = outcome === "not_started" ? "Cancelled before it started." : "Cancelled.";
  return new StudioBridgeError("CANCELLED", message, { outcome });
}

/** `agentHint` is the next step of an agent, where it is another one than that of a person. */
export function invalidInput(message: string, hint?: string, agentHint?: string): StudioBridgeError {
  return new StudioBridgeError("INVALID_INPUT", message, {
    ...(hint === undefined ? {} : { hint }),
    ...(agentHint === undefined ? {} : { agentHint }),
  });
}

/** A request that the host did not take, so that nothing of it ran. */
export function refused(code: WireErrorCode, message: string): StudioBridgeError {
  return new StudioBridgeError(code, message, { outcome: "not_started" });
}

export function tooManyRequests(limit: number, outcome: Outcome = "not_started"): StudioBridgeError {
  const message = `This process already has ${limit} requests in flight.`;
  return new StudioBridgeError("TOO_MANY_REQUESTS", message, { outcome });
}

export function hostClosing(outcome: Outcome): StudioBridgeError {
  return new StudioBridgeError("HOST_CLOSING", "The bridge host is shutting down.", { outcome });
}

/** The link to the host broke while a request was under way. */
export function hostLost(outcome: Outcome): StudioBridgeError {
  return new StudioBridgeError("HOST_UNREACHABLE", "The connection to the bridge host was lost.", {
    outcome,
    hint: "Run the command again if that is safe.",
  });
}

/** An error frame of the other side as an error to throw; codes from a newer peer keep their name in `data`. */
export function errorFromWire(payload: ErrorPayload): StudioBridgeError {
  const outcome = payload.outcome === undefined ? {} : { outcome: payload.outcome };
  const data = payload.details === undefined ? {} : { details: payload.details };
  if (isErrorCode(payload.code))
    return new StudioBridgeError(payload.code, payload.message, { data, ...outcome });
  return new StudioBridgeError("INTERNAL_ERROR", payload.message, {
    data: { ...data, code: payload.code },
    ...outcome,
  });
}

export function noHost(ports: readonly number[]): StudioBridgeError {
  const where = ports.length === 1 ? `port ${ports[0]}` : `ports ${ports.join(", ")}`;
  return new StudioBridgeError("HOST_UNREACHABLE", `No bridge host answers on ${where}.`, {
    hint: "Start one with `sb serve`.",
  });
}

export function remoteUnreachable(address: string, reason: string): StudioBridgeError {
  return new StudioBridgeError(
    "HOST_UNREACHABLE",
    `The bridge host at ${address} cannot be reached: ${reason}.`,
  );
}

/** Who holds a port, as far as it is known. */
interface Holder {
  readonly pid: number;
  readonly isHost: boolean;
}

/** A holder that accepts connections and says nothing, e.g. a stopped process. */
export function hostHung(port: number, holder: Holder | undefined): StudioBridgeError {
  const what = holder?.isHost === true ? "bridge host" : "program";
  const who = holder === undefined ? `The ${what}` : `The ${what} (process ${holder.pid})`;
  return new StudioBridgeError("HOST_UNREACHABLE", `${who} that holds port ${port} does not answer.`, {
    hint:
      holder === undefined
        ? "End that program, or choose another port with --port."
        : `End process ${holder.pid}, continue it if it is stopped, or choose another port with --port.`,
    data: { port, ...(holder === undefined ? {} : { pid: holder.pid }) },
  });
}

export function hostUntrusted(address: string, hint?: string): StudioBridgeError {
  return new StudioBridgeError(
    "HOST_UNTRUSTED",
    `The program that holds ${address} does not know this machine's key.`,
    hint === undefined ? {} : { hint },
  );
}

export function hostRunning(port: number, pid: number | undefined): StudioBridgeError {
  const who = pid === undefined ? "" : ` (process ${pid})`;
  return new StudioBridgeError("HOST_RUNNING", `A bridge host${who} already runs on port ${port}.`, {
    data: { port, ...(pid === undefined ? {} : { pid }) },
  });
}

export function hostStartFailed(reason: string): StudioBridgeError {
  return new StudioBridgeError("HOST_START_FAILED", `No bridge host could be started: ${reason}.`);
}

export function portUnavailable(port: number, reason: string): StudioBridgeError {
  return new StudioBridgeError("PORT_UNAVAILABLE", `Port ${port} cannot be used: ${reason}.`, {
    data: { port },
  });
}

export function noPortAvailable(ports: readonly number[]): StudioBridgeError {
  const message = `None of the ports ${ports.join(", ")} can be used; other programs hold them.`;
  return new StudioBridgeError("PORT_UNAVAILABLE", message);
}
