/** Questions of a tool to the person at the client: who is asked, how it travels, what an answer may be. */
import { describe, expect, test } from "bun:test";
import { McpConnection } from "../../../../src/mcp/server/connection.ts";
import type { Question, Tool } from "../../../../src/mcp/server/features.ts";
import { noTelemetry } from "../../../../src/mcp/server/telemetry.ts";
import type { Outgoing } from "../../../../src/mcp/wire/answers.ts";

const form: Question["form"] = {
  type: "object",
  properties: { which: { type: "string", oneOf: [{ const: "a", title: "The first" }] } },
  required: ["which"],
};

const asking: Tool = {
  name: "asking",
  title: "Asking",
  description: "Asks and tells what it heard",
  inputSchema: { type: "object" },
  async callAsync(_args, { asker }) {
    const heard = await asker?.askAsync({ key: "which", message: "Which?", form });
    return { content: [{ type: "text", text: JSON.stringify(heard ?? "no answer") }] };
  },
};

class Talk {
  readonly sent: Outgoing[] = [];
  readonly connection = new McpConnection({
    features: { info: { name: "test", version: "1" }, toolsAsync: async () => [asking] },
    telemetry: noTelemetry,
    debug: false,
    send: (outgoing) => this.sent.push(outgoing),
  });

  static async openAsync(protocolVersion = "2025-11-25", capabilities: unknown = { elicitation: {} }) {
    const talk = new Talk();
    const params = { protocolVersion, capabilities, clientInfo: { name: "x" } };
    await talk.sayAsync({ id: 0, method: "initialize", params });
    return talk;
  }

  sayAsync(message: object, notify?: null) {
    return this.connection.answerAsync({ jsonrpc: "2.0", ...message }, 1, notify);
  }

  callAsync(more: object = {}, notify?: null) {
    return this.sayAsync({ id: 1, method: "tools/call", params: { name: "asking", ...more } }, notify);
  }

  /** What was asked, once it has been. */
  async askedAsync(): Promise<Outgoing> {
    for (;;) {
      const [last] = this.sent.slice(-1);
      if (last !== undefined && "id" in last) return last;
      await Bun.sleep(1);
    }
  }
}

const heard = (answer: unknown) => JSON.parse(Object(answer).result.content[0].text);

describe("a client that began with a handshake", () => {
  test("is asked, and its answer reaches the tool", async () => {
    const talk = await Talk.openAsync();
    const call = talk.callAsync();
    const { id, method, params } = await talk.askedAsync();
    expect({ method, params }).toEqual({
      method: "elicitation/create",
      params: { mode: "form", message: "Which?", requestedSchema: form },
    });
    await talk.sayAsync({ id: "ask-999", result: { action: "accept", content: { which: "b" } } });
    expect(
      await talk.sayAsync({ id, result: { action: "accept", content: { which: "a" } } }),
    ).toBeUndefined();
    expect(heard(await call)).toEqual({ action: "accept", content: { which: "a" } });
  });

  test.each([
    [{ result: { action: "decline" } }, { action: "decline", content: {} }],
    [{ error: { code: -32601, message: "no" } }, { action: "cancel", content: {} }],
  ])("may answer %j", async (response, wanted) => {
    const talk = await Talk.openAsync();
    const call = talk.callAsync();
    const { id } = await talk.askedAsync();
    await talk.sayAsync({ id, ...response });
    expect(heard(await call)).toEqual(wanted);
  });

  test.each([[{ action: "maybe" }], [{}], [5], [null], [[]]])(
    "whose answer is %j is told that it is no answer",
    async (result) => {
      const talk = await Talk.openAsync();
      const call = talk.callAsync();
      const { id } = await talk.askedAsync();
      await talk.sayAsync({ id, result });
      expect(await call).toMatchObject({ error: { code: -32602 } });
    },
  );

  test("takes its call back, and with it the question", async () => {
    const talk = await Talk.openAsync();
    const call = talk.callAsync();
    const { id } = await talk.askedAsync();
    await talk.sayAsync({ method: "notifications/cancelled", params: { requestId: 1 } });
    expect(await call).toBeUndefined();
    expect(talk.sent.at(-1)).toMatchObject({
      method: "notifications/cancelled",
      params: { requestId: id },
    });
  });

  test("of 2025-06-18 gets its choices as enum and enumNames, and no mode", async () => {
    const talk = await Talk.openAsync("2025-06-18");
    const call = talk.callAsync();
    const { id, params } = await talk.askedAsync();
    expect(params).toEqual({
      message: "Which?",
      requestedSchema: {
        ...form,
        properties: { which: { type: "string", enum: ["a"], enumNames: ["The first"] } },
      },
    });
    await talk.sayAsync({ id, result: { action: "cancel" } });
    await call;
  });

  test.each([
    ["without the capability", "2025-11-25", {}],
    ["that only opens pages", "2025-11-25", { elicitation: { url: {} } }],
    ["of a revision before it", "2025-03-26", { elicitation: {} }],
    ["of 1.0", "1.0", { elicitation: {} }],
  ])("%s is not asked", async (_who, version, capabilities) => {
    const talk = await Talk.openAsync(version, capabilities);
    expect(heard(await talk.callAsync())).toBe("no answer");
  });

  test("with nothing to hear a question on is not asked", async () => {
    const talk = await Talk.openAsync();
    expect(heard(await talk.callAsync({}, null))).toBe("no answer");
  });
});

describe("a client of 2026-07-28", () => {
  const envelope = (elicitation: unknown) => ({
    _meta: {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientCapabilities": elicitation === undefined ? {} : { elicitation },
    },
  });

  test("is answered with the question, and calls again", async () => {
    const talk = new Talk();
    const first = await talk.callAsync(envelope({ form: {} }));
    expect(first).toMatchObject({
      result: {
        resultType: "input_required",
        inputRequests: {
          which: {
            method: "elicitation/create",
            params: { mode: "form", message: "Which?", requestedSchema: form },
          },
        },
      },
    });
    const inputResponses = { which: { action: "accept", content: { which: "a" } }, other: { no: "matter" } };
    const second = await talk.callAsync({ ...envelope({}), inputResponses });
    expect(second).toMatchObject({ result: { resultType: "complete" } });
    expect(heard(second)).toEqual({ action: "accept", content: { which: "a" } });
    expect(talk.sent).toEqual([]);
  });

  test.each([[undefined], [{ url: {} }]])("that declares %j is not asked", async (elicitation) => {
    expect(heard(await new Talk().callAsync(envelope(elicitation)))).toBe("no answer");
  });

  test.each([[[]], [{ which: 5 }], [{ which: { action: "perhaps" } }]])(
    "that answers %j is refused",
    async (inputResponses) => {
      const answer = await new Talk().callAsync({ ...envelope({}), inputResponses });
      expect(answer).toMatchObject({ error: { code: -32602 } });
    },
  );
});
