/**
 * Writes the host's frames. A body that comes from a peer is inserted as its text: it was parsed once on arrival, so it
 * is valid JSON and does not have to be written again.
 */
import type { z } from "zod";
import type { actions } from "../../protocol/actions.ts";
import type { Caller } from "../../protocol/fields/callers.ts";
import { encode } from "../../protocol/codec.ts";
import type { StudioBridgeError } from "../../protocol/errors.ts";
import type { events, handshake } from "../../protocol/events.ts";
import type { network } from "../../protocol/network.ts";
import { jsonSpan } from "../../util/json-span.ts";

type Messages = typeof handshake & typeof events & typeof network;
type Replies = {
  [Name in keyof typeof actions as (typeof actions)[Name]["reply"]]: z.input<
    (typeof actions)[Name]["result"]
  >;
};
type Requests = { [Name in keyof typeof actions]: z.input<(typeof actions)[Name]["request"]> };
type Payloads = { [Type in keyof Messages]: z.input<Messages[Type]["payload"]> } & Replies & Requests;

interface Header {
  readonly sessionId?: string;
  readonly requestId?: string;
  readonly protocolVersion?: number;
}

export function frame<Type extends keyof Payloads>(
  type: Type,
  payload: Payloads[Type],
  header: Header = {},
): string {
  return encode({ type, sessionId: "", ...header, payload });
}

/** An `error` that ends the request; without a request id it is about the link. */
export function errorFrame(error: StudioBridgeError, header: Header = {}): string {
  const { code, message, outcome, data } = error;
  const details = Object.keys(data).length === 0 ? undefined : data;
  return encode({
    type: "error",
    sessionId: "",
    ...header,
    payload: { code, message, details, outcome },
  });
}

/** `frameText` inside a `host-response`. `hostMs`: how long the host had the request. */
export function responseAround(requestId: string, frameText: string, hostMs?: number): string {
  const id = JSON.stringify(requestId);
  const time = hostMs === undefined ? "" : `,"hostMs":${hostMs}`;
  return `{"type":"host-response","sessionId":"","requestId":${id},"payload":{"requestId":${id}${time},"result":${frameText}}}`;
}

/** `frameText` inside a `session-push`. */
export function pushAround(sessionId: string, frameText: string): string {
  return `{"type":"session-push","sessionId":"","payload":{"sessionId":${JSON.stringify(sessionId)},"frame":${frameText}}}`;
}

/** The payload of the action in the text of a `host-envelope`, unchanged. */
export function actionBody(envelopeText: string): string {
  const span = jsonSpan(envelopeText, ["payload", "action", "payload"]);
  return span === undefined ? "{}" : envelopeText.slice(span.start, span.end);
}

/** A request for a plugin: who asks and what for stand before the payload, whose text is `body`. */
export function actionFrame(
  action: string,
  body: string,
  header: {
    readonly sessionId: string;
    readonly requestId: string;
    readonly caller?: Caller | undefined;
    readonly summary?: string | undefined;
  },
): string {
  const { sessionId, requestId, caller, summary } = header;
  const head = JSON.stringify({ type: action, sessionId, requestId, caller, summary });
  return `${head.slice(0, -1)},"payload":${body}}`;
}
