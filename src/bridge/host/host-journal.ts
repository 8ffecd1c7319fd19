/** What the core tells the journal of its host: requests as they come, their ends, sessions, and pushed lines. */
import type { JournaledReply } from "../../journal/index.ts";
import { actions, isAside } from "../../protocol/actions.ts";
import { logEntrySchema } from "../../protocol/fields/log-lines.ts";
import type { ActionName } from "../../protocol/actions.ts";
import type { Caller } from "../../protocol/fields/callers.ts";
import type { LogEntry } from "../../protocol/fields/log-lines.ts";
import { classOf } from "../../protocol/classes.ts";
import type { Envelope } from "../../protocol/envelope.ts";
import type { StudioBridgeError } from "../../protocol/errors.ts";
import { defineSchema } from "../../protocol/schema.ts";
import type { SessionInfo } from "../../protocol/network.ts";
import type { HostState, PendingRequest } from "./host-state.ts";

interface NewRequest {
  readonly requestId: string;
  readonly sessionId: string;
  readonly action: ActionName;
  readonly caller?: Caller | undefined;
  readonly summary?: string | undefined;
  /** The payload as it was parsed with its frame, and its text. */
  readonly payload: unknown;
  readonly body: string;
}

export function noteRequest({ config }: HostState, request: NewRequest): void {
  if (config.journal === undefined || isAside(request.action)) return;
  const { requestId, sessionId, action, caller, summary = action, payload, body } = request;
  const does = classOf(actions[action].class, payload);
  config.journal.request({ requestId, sessionId, caller, action, class: does, summary, body });
}

type Noted = Pick<PendingRequest, "requestId" | "action" | "madeAtMs">;

export function noteError(host: HostState, noted: Noted, code: string): void {
  noteEnd(host, noted, "error", code);
}

/** The client has gone, and the request with it. */
export function noteLeft(host: HostState, noted: Noted): void {
  noteEnd(host, noted, "left");
}

/** The last frame of a request that a plugin has sent. */
export function noteReply(host: HostState, noted: Noted, frame: Envelope): void {
  if (frame.type === "error") noteError(host, noted, codeIn(frame.payload));
  else noteEnd(host, noted, frame.failed === true ? "failed" : "ok");
}

function noteEnd(
  { config, nowMs }: HostState,
  { requestId, action, madeAtMs }: Noted,
  outcome: JournaledReply["outcome"],
  code?: string,
): void {
  if (!isAside(action)) config.journal?.reply({ requestId, ms: nowMs - madeAtMs, outcome, code });
}

/** A request that is refused at once. */
export function noteRefusal(host: HostState, request: NewRequest, error: StudioBridgeError): void {
  noteRequest(host, request);
  noteError(host, { ...request, madeAtMs: host.nowMs }, error.code);
}

export function noteSession(
  { config }: HostState,
  event: "connected" | "disconnected" | "state-changed",
  session: SessionInfo,
): void {
  if (config.journal === undefined || event === "state-changed") return;
  const { sessionId, instanceId, context, player, placeName, placeId, placeFile } = session;
  config.journal.session(event, {
    ...{ sessionId, instanceId, context, placeName, placeId },
    ...(player === undefined ? {} : { player }),
    ...(placeFile === undefined ? {} : { placeFile }),
  });
}

const entriesSchema = defineSchema((z) => z.object({ entries: z.array(logEntrySchema(z)) }));

/** Lines of a `logPush`. */
export function noteLines({ config }: HostState, sessionId: string, payload: unknown): void {
  if (config.journal === undefined) return;
  const entries: readonly LogEntry[] = entriesSchema.read(payload)?.value.entries ?? [];
  if (entries.length > 0) config.journal.lines(sessionId, entries);
}

function codeIn(payload: unknown): string {
  const { code }: { readonly code?: unknown } = { ...Object(payload) };
  return typeof code === "string" ? code.slice(0, 64) : "INTERNAL_ERROR";
}
