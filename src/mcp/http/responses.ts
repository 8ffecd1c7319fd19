/** A JSON-RPC answer as an HTTP response: plain JSON or a stream of events, and the status that goes with it. */
import type { McpConnection } from "../server/connection.ts";
import type { Telemetry } from "../server/telemetry.ts";
import { progressTokenOf } from "../server/call-tool.ts";
import { errorAnswer, errorBody } from "../wire/answers.ts";
import type { Answer, Send } from "../wire/answers.ts";
import { handshakeVersions, hasEnvelope } from "../wire/dialects.ts";
import { isObject, objectIn } from "../wire/json.ts";
import { readMessage } from "../wire/messages.ts";
import { rpcCodes } from "../wire/rpc-error.ts";
import type { RpcError } from "../wire/rpc-error.ts";
import { openEventStream } from "./event-stream.ts";

/** A POST whose body has been read. */
export interface Post {
  readonly value: unknown;
  readonly bytes: number;
  readonly request: Request;
}

/**
 * For clients of 2026-07-28 and 1.0: a stream where something may come before the answer, plain JSON elsewhere. The SDK
 * answers the others.
 */
export async function answerAsync(connection: McpConnection, post: Post): Promise<Response> {
  const { value, bytes, request } = post;
  const isStateless = isObject(value) && hasEnvelope(objectIn(value, "params"));
  if (!isStateless || !needsStream(value, request.headers)) return plainAnswerAsync(connection, post);
  // A stateless request is cancelled by hanging up.
  const stream = openEventStream(() => void connection[Symbol.asyncDispose]());
  const send: Send = (outgoing) => stream.send(outgoing);
  void connection.answerAsync(value, bytes, send).then((answer) => {
    if (answer !== undefined) stream.send(answer);
    stream.close();
  });
  return stream.response;
}

/** The answer as plain JSON. */
export async function plainAnswerAsync(connection: McpConnection, { value, bytes }: Post): Promise<Response> {
  const isStateless = isObject(value) && hasEnvelope(objectIn(value, "params"));
  const answer = await connection.answerAsync(value, bytes, null);
  if (answer === undefined) return new Response(null, { status: 202 });
  return Response.json(answer, { status: statusOf(answer, isStateless) });
}

function needsStream(value: unknown, headers: Headers): boolean {
  if (!isObject(value) || headers.get("accept")?.includes("text/event-stream") !== true) return false;
  const params = objectIn(value, "params") ?? {};
  const { method } = value;
  return method === "subscriptions/listen" || progressTokenOf(params) !== undefined;
}

/** A body that is no message is a bad request; 2026-07-28 shows an unknown method in the status as well. */
function statusOf(answer: Answer | readonly Answer[], isStateless: boolean): number {
  if (!("error" in answer)) return 200;
  const { code } = answer.error;
  if (code === rpcCodes.methodNotFound) return isStateless ? 404 : 200;
  const isBad = [
    rpcCodes.parseError,
    rpcCodes.invalidRequest,
    rpcCodes.unsupportedVersion,
    rpcCodes.headerMismatch,
    rpcCodes.missingCapability,
  ];
  return isBad.some((bad) => bad === code) ? 400 : 200;
}

/** The answer to a request that reaches no connection. Telemetry hears of it as of any other. */
export function refused(
  { value, bytes }: Post,
  error: RpcError,
  telemetry: Telemetry,
  status = 400,
): Response {
  const message = readMessage(value);
  const id = message.kind === "request" || message.kind === "fault" ? message.id : null;
  const body = errorBody(error, handshakeVersions[0]);
  const method = message.kind === "request" ? { method: message.method } : {};
  if (message.kind === "request")
    telemetry({ event: "request.received", method: message.method, id: message.id, dialect: "none", bytes });
  telemetry({
    event: "request.completed",
    ...method,
    id,
    durationMs: 0,
    outcome: "error",
    code: body.code,
  });
  return Response.json(errorAnswer(id, body, handshakeVersions[0]), { status });
}
