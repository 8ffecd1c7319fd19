/** Questions to clients of the revisions that begin with a handshake: a request of the server, sent through the SDK. */
import type { RequestHandlerExtra } from "@modelcontextprotocol/sdk/shared/protocol.js";
import { ElicitResultSchema, McpError } from "@modelcontextprotocol/sdk/types.js";
import type { Notification, Request } from "@modelcontextprotocol/sdk/types.js";
import { ASK_METHOD, elicitedIn } from "../server/asking.ts";
import type { Asker, Elicited } from "../server/features.ts";
import { isSince } from "../wire/dialects.ts";
import type { HandshakeVersion } from "../wire/dialects.ts";
import type { ElicitationParams } from "../wire/mcp-types.ts";
import { shapeForm } from "../wire/shape.ts";

export type HandlerExtra = RequestHandlerExtra<Request, Notification>;

/** The longest that a timer can take. The SDK gives up after a minute, and a person may take longer. */
const PATIENCE_MS = 2 ** 31 - 1;

/** For one call. The SDK takes a question back when its call is cancelled. */
export function sdkAsker(extra: HandlerExtra, dialect: HandshakeVersion): Asker {
  return {
    answered: () => undefined,
    askAsync: async ({ message, form }) => {
      const mode = isSince(dialect, "2025-11-25") ? ({ mode: "form" } as const) : {};
      return askAsync(extra, { ...mode, message, requestedSchema: shapeForm(form, dialect) });
    },
  };
}

async function askAsync({ sendRequest, signal }: HandlerExtra, params: ElicitationParams): Promise<Elicited> {
  const request = { method: ASK_METHOD, params } as const;
  try {
    return elicitedIn(await sendRequest(request, ElicitResultSchema, { signal, timeout: PATIENCE_MS }));
  } catch (error) {
    signal.throwIfAborted();
    // The client answered with an error. It could not ask, which is no reason for the call to fail.
    if (error instanceof McpError) return { action: "cancel", content: {} };
    // The answer is no answer to a form; `elicitedIn` says so in our words.
    return elicitedIn(undefined);
  }
}
