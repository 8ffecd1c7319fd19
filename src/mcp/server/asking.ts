/**
 * Questions to the person at the client (MCP's elicitation): who can be asked, and how a question travels. Clients of
 * dated revisions get a request of the server's own and answer it; those of 2026-07-28 call again with the answer.
 */
import { notification } from "../wire/answers.ts";
import type { OutgoingRequest } from "../wire/answers.ts";
import { isSince, metaKeys, statelessVersion } from "../wire/dialects.ts";
import type { Dialect } from "../wire/dialects.ts";
import { isObject, objectIn, stringIn } from "../wire/json.ts";
import type { JsonObject } from "../wire/json.ts";
import type { ElicitationParams } from "../wire/mcp-types.ts";
import type { Response } from "../wire/messages.ts";
import { invalidParams } from "../wire/rpc-error.ts";
import { shapeForm } from "../wire/shape.ts";
import type { Asker, Elicited, Question } from "./features.ts";
import type { Notify } from "./subscriptions.ts";

const METHOD = "elicitation/create";

/** Ends a call of 2026-07-28 that goes on when the client calls again. */
export class InputRequired extends Error {
  readonly result: JsonObject;

  constructor({ key, message, form }: Question) {
    super(`An answer is needed: ${message}`);
    this.name = "InputRequired";
    const params = { mode: "form", message, requestedSchema: form };
    this.result = { resultType: "input_required", inputRequests: { [key]: { method: METHOD, params } } };
  }
}

/** Whether capabilities let a person be shown a form. An empty declaration means forms. */
export function takesForms(capabilities: JsonObject | undefined): boolean {
  const declared = objectIn(capabilities, "elicitation");
  return declared !== undefined && ("form" in declared || !("url" in declared));
}

/** Undefined where the client did not say that it shows forms. Throws RpcError for answers that are none. */
export function statelessAsker(params: JsonObject): Asker | undefined {
  if (!takesForms(objectIn(objectIn(params, "_meta"), metaKeys.clientCapabilities))) return undefined;
  const given = params["inputResponses"] ?? {};
  if (!isObject(given)) throw invalidParams("inputResponses must be an object");
  const answered = (key: string) => (key in given ? elicitedIn(given[key]) : undefined);
  return {
    answered,
    askAsync: async (question) => {
      const answer = answered(question.key);
      if (answer === undefined) throw new InputRequired(question);
      return answer;
    },
  };
}

/** Requests of the server to one client, until they are answered. */
export class Questions {
  readonly #waiting = new Map<unknown, (response: Response) => void>();
  #lastId = 0;

  /** For one call, whose signal takes its questions back. */
  askerFor(dialect: Exclude<Dialect, typeof statelessVersion>, notify: Notify, signal: AbortSignal): Asker {
    return {
      answered: () => undefined,
      askAsync: async ({ message, form }) => {
        const requestedSchema = shapeForm(form, dialect);
        const mode = isSince(dialect, "2025-11-25") ? ({ mode: "form" } as const) : {};
        const params = { ...mode, message, requestedSchema };
        const { result, error } = await this.#requestAsync(params, notify, signal);
        // A client that could not ask is no reason for the call to fail.
        return error === undefined ? elicitedIn(result) : { action: "cancel", content: {} };
      },
    };
  }

  /** Takes an answer of the client; what nobody asked for is ignored. */
  hear(response: Response): void {
    if (response.id === null) return;
    this.#waiting.get(response.id)?.(response);
  }

  async #requestAsync(params: ElicitationParams, notify: Notify, signal: AbortSignal): Promise<Response> {
    signal.throwIfAborted();
    this.#lastId += 1;
    const id = `ask-${this.#lastId}`;
    const { promise, resolve, reject } = Promise.withResolvers<Response>();
    const takeBack = () => {
      notify(notification({ method: "notifications/cancelled", params: { requestId: id } }));
      reject(signal.reason);
    };
    signal.addEventListener("abort", takeBack, { once: true });
    this.#waiting.set(id, resolve);
    const request: OutgoingRequest = { jsonrpc: "2.0", id, method: METHOD, params };
    notify(request);
    try {
      return await promise;
    } finally {
      signal.removeEventListener("abort", takeBack);
      this.#waiting.delete(id);
    }
  }
}

/** Throws RpcError for what is no answer to a form. */
function elicitedIn(value: unknown): Elicited {
  const action = stringIn(value, "action");
  if (action !== "accept" && action !== "decline" && action !== "cancel")
    throw invalidParams("the answer to a question must have the action accept, decline or cancel");
  return { action, content: objectIn(value, "content") ?? {} };
}
