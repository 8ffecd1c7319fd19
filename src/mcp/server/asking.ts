/**
 * Questions to the person at the client (MCP's elicitation): which clients can show one, what an answer is, and how
 * 2026-07-28 asks, whose clients call again with the answer. The older revisions ask in `sdk/sdk-asker.ts`.
 */
import { metaKeys } from "../wire/dialects.ts";
import { isObject, objectIn, stringIn } from "../wire/json.ts";
import type { JsonObject } from "../wire/json.ts";
import { invalidParams } from "../wire/rpc-error.ts";
import type { Asker, Elicited, Question } from "./features.ts";

export const ASK_METHOD = "elicitation/create";

/** Ends a call of 2026-07-28, which the client repeats with the answer. */
export class InputRequired extends Error {
  readonly result: JsonObject;

  constructor(question: Question) {
    super(`An answer is needed: ${question.message}`);
    this.name = "InputRequired";
    const inputRequests = { [question.key]: questionRequest(question) };
    this.result = { resultType: "input_required", inputRequests };
  }
}

/** A question as 2026-07-28 puts it into a result. */
export function questionRequest({ message, form }: Question): JsonObject {
  return { method: ASK_METHOD, params: { mode: "form", message, requestedSchema: form } };
}

/** Whether a client with these capabilities can show a form. An empty declaration means forms. */
export function takesForms(capabilities: JsonObject | undefined): boolean {
  const declared = objectIn(capabilities, "elicitation");
  return declared !== undefined && ("form" in declared || !("url" in declared));
}

/** Undefined where the client did not say that it shows forms. Throws RpcError for malformed answers. */
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

/** Throws RpcError for what is no answer to a form. */
export function elicitedIn(value: unknown): Elicited {
  const action = stringIn(value, "action");
  if (action !== "accept" && action !== "decline" && action !== "cancel")
    throw invalidParams("the answer to a question must have the action accept, decline or cancel");
  return { action, content: objectIn(value, "content") ?? {} };
}
