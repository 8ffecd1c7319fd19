/** Calls that become tasks: when, what their clients are told, how they are answered and cancelled, and how long they are kept. */
import { describe, expect, test } from "bun:test";
import { McpConnection } from "../../../../src/mcp/server/connection.ts";
import { Tasks } from "../../../../src/mcp/server/tasks.ts";
import { noTelemetry } from "../../../../src/mcp/server/telemetry.ts";
import type { Tool, ToolCall } from "../../../../src/mcp/server/features.ts";
import type { Outgoing } from "../../../../src/mcp/wire/answers.ts";
import { untilAsync } from "../../../harness.ts";

const AFTER_MS = 5;
const form = { type: "object", properties: { word: { type: "string" } } } as const;
const text = (words: string) => ({ content: [{ type: "text", text: words }] }) as const;

/** A tool that does as the test says. */
class Job {
  readonly #started = Promise.withResolvers<ToolCall>();
  readonly #end = Promise.withResolvers<string>();
  readonly call = this.#started.promise;

  end(words: string): void {
    this.#end.resolve(words);
  }

  fail(error: unknown): void {
    this.#end.reject(error);
  }

  readonly tool: Tool = {
    name: "job",
    description: "Waits",
    inputSchema: { type: "object" },
    takesLong: true,
    callAsync: async (_args, call) => {
      this.#started.resolve(call);
      call.signal.addEventListener("abort", () => this.#end.reject(call.signal.reason));
      return text(await this.#end.promise);
    },
  };
}

const meta = (capabilities: object) => ({
  _meta: {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": capabilities,
  },
});
const extensions = { "io.modelcontextprotocol/tasks": {} };
const knowing = meta({ extensions, elicitation: {} });
const unknowing = meta({ elicitation: {} });

class Talk {
  readonly sent: Outgoing[] = [];
  readonly connection: McpConnection;
  #id = 0;

  constructor(tasks: Tasks | undefined, ...tools: readonly Tool[]) {
    this.connection = new McpConnection({
      features: { info: { name: "test", version: "1" }, toolsAsync: async () => tools },
      telemetry: noTelemetry,
      debug: false,
      ...(tasks === undefined ? {} : { tasks }),
      send: (outgoing) => this.sent.push(outgoing),
    });
  }

  async askAsync(method: string, params: object = {}, declared: object = knowing) {
    this.#id += 1;
    const message = { jsonrpc: "2.0", id: this.#id, method, params: { ...declared, ...params } };
    return Object(await this.connection.answerAsync(message, 1));
  }

  callAsync(declared: object = knowing, more: object = {}) {
    return this.askAsync("tools/call", { name: "job", arguments: {}, ...more }, declared);
  }

  async taskAsync(): Promise<string> {
    return (await this.callAsync()).result.taskId;
  }

  async getAsync(taskId: string) {
    return (await this.askAsync("tasks/get", { taskId })).result;
  }

  settledAsync(taskId: string) {
    return untilAsync("the task has ended", async () => {
      const task = await this.getAsync(taskId);
      return task.status === "working" || task.status === "input_required" ? undefined : task;
    });
  }
}

describe("a call that takes long", () => {
  test("becomes a task, whose result is that of the call", async () => {
    using tasks = new Tasks({ afterMs: AFTER_MS });
    const job = new Job();
    const talk = new Talk(tasks, job.tool);
    const { result } = await talk.callAsync();
    expect(result).toMatchObject({ resultType: "task", status: "working", ttlMs: 600_000 });
    expect(result.taskId).toMatch(/^[0-9a-f]{32}$/);
    expect(Date.parse(result.createdAt)).toBeCloseTo(Date.now(), -5);
    (await job.call).report({ progress: 1, message: "half of it" });
    const working = await talk.getAsync(result.taskId);
    expect(working).toMatchObject({ resultType: "complete", status: "working", statusMessage: "half of it" });
    job.end("done");
    const ended = await talk.settledAsync(result.taskId);
    expect(ended).toMatchObject({ status: "completed", result: text("done") });
    expect(ended).not.toHaveProperty("statusMessage");
  });

  test.each([
    ["the client does not know tasks", unknowing, {}],
    ["the tool never takes long", knowing, { takesLong: false }],
  ])("is answered late where %s", async (_why, declared, more) => {
    using tasks = new Tasks({ afterMs: 0 });
    const job = new Job();
    const talk = new Talk(tasks, { ...job.tool, ...more });
    const call = talk.callAsync(declared);
    await job.call;
    await Bun.sleep(AFTER_MS);
    job.end("done");
    expect((await call).result).toMatchObject({ resultType: "complete", ...text("done") });
  });

  test("is answered late where there are 32 tasks already, ended ones among them", async () => {
    using tasks = new Tasks({ afterMs: 0 });
    const jobs = Array.from({ length: 33 }, () => new Job());
    const talks = jobs.map((job) => new Talk(tasks, job.tool));
    const ids = await Promise.all(talks.slice(0, 32).map((talk) => talk.taskAsync()));
    expect(new Set(ids).size).toBe(32);
    jobs[0]?.end("first");
    const call = talks[32]?.callAsync();
    await jobs[32]?.call;
    await Bun.sleep(AFTER_MS);
    jobs[32]?.end("last");
    expect((await call).result).toMatchObject({ resultType: "complete", ...text("last") });
  });

  test("that is cancelled before it is a task has no answer, and leaves none", async () => {
    using tasks = new Tasks({ afterMs: 50 });
    const job = new Job();
    const talk = new Talk(tasks, job.tool);
    const call = talk.connection.answerAsync(
      { jsonrpc: "2.0", id: 1, method: "tools/call", params: { ...knowing, name: "job", arguments: {} } },
      1,
    );
    const { signal } = await job.call;
    await talk.connection.answerAsync(
      { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } },
      1,
    );
    expect(signal.aborted).toBe(true);
    expect(await call).toBeUndefined();
  });

  test("fails with the error of the protocol, and with no other", async () => {
    using tasks = new Tasks({ afterMs: AFTER_MS });
    const job = new Job();
    const talk = new Talk(tasks, job.tool);
    const id = await talk.taskAsync();
    job.fail(new Error("kaboom"));
    expect(await talk.settledAsync(id)).toMatchObject({ status: "completed", result: { isError: true } });
  });
});

describe("a task", () => {
  test("outlives the connection of its request, and is known to every other", async () => {
    using tasks = new Tasks({ afterMs: AFTER_MS });
    const job = new Job();
    const first = new Talk(tasks, job.tool);
    const id = await first.taskAsync();
    await first.connection[Symbol.asyncDispose]();
    expect((await job.call).signal.aborted).toBe(false);
    job.end("done");
    expect(await new Talk(tasks).settledAsync(id)).toMatchObject({ status: "completed" });
  });

  test("is cancelled by tasks/cancel, as often as that comes", async () => {
    using tasks = new Tasks({ afterMs: AFTER_MS });
    const job = new Job();
    const talk = new Talk(tasks, job.tool);
    const taskId = await talk.taskAsync();
    const { result } = await talk.askAsync("tasks/cancel", { taskId });
    expect(result).toEqual({ resultType: "complete", _meta: expect.anything() });
    expect((await job.call).signal.aborted).toBe(true);
    expect(await talk.settledAsync(taskId)).toMatchObject({ status: "cancelled" });
    expect((await talk.askAsync("tasks/cancel", { taskId })).error).toBeUndefined();
    expect(await talk.getAsync(taskId)).not.toHaveProperty("result");
  });

  test("is cancelled when the server ends, and forgotten when its time is over", async () => {
    const tasks = new Tasks({ afterMs: AFTER_MS });
    const job = new Job();
    await new Talk(tasks, job.tool).taskAsync();
    tasks[Symbol.dispose]();
    expect((await job.call).signal.aborted).toBe(true);

    using brief = new Tasks({ afterMs: 0, ttlMs: 30 });
    const other = new Job();
    const talk = new Talk(brief, other.tool);
    const taskId = await talk.taskAsync();
    await untilAsync(
      "the task is forgotten",
      async () => (await talk.askAsync("tasks/get", { taskId })).error,
    );
    expect((await other.call).signal.aborted).toBe(true);
  });

  test.each(["tasks/get", "tasks/update", "tasks/cancel"])("is not there for %s", async (method) => {
    using tasks = new Tasks();
    const talk = new Talk(tasks);
    const params = { taskId: "nowhere", inputResponses: {} };
    const { error } = await talk.askAsync(method, params);
    expect(error).toMatchObject({
      code: -32602,
      message: expect.stringContaining("There is no task nowhere."),
    });
    expect((await talk.askAsync(method, {})).error).toMatchObject({ code: -32602 });
    expect((await talk.askAsync(method, params, unknowing)).error).toMatchObject({
      code: -32021,
      data: { requiredCapabilities: { extensions } },
    });
    expect((await new Talk(undefined).askAsync(method, params)).error).toMatchObject({ code: -32601 });
  });

  test.each(["tasks/list", "tasks/result"])("has no method %s", async (method) => {
    using tasks = new Tasks();
    expect((await new Talk(tasks).askAsync(method)).error).toMatchObject({ code: -32601 });
  });
});

describe("the question of a task", () => {
  async function askedAsync(talk: Talk, job: Job) {
    const id = await talk.taskAsync();
    const { asker } = await job.call;
    if (asker === undefined) throw new Error("the call has no asker");
    return { id, asker, ask: () => asker.askAsync({ key: "which", message: "Which?", form }) };
  }

  test("is answered by tasks/update, and the next one of its name has another key", async () => {
    using tasks = new Tasks({ afterMs: AFTER_MS });
    const job = new Job();
    const talk = new Talk(tasks, job.tool);
    const { id: taskId, ask } = await askedAsync(talk, job);
    const first = ask();
    expect(await talk.getAsync(taskId)).toMatchObject({
      status: "input_required",
      inputRequests: { which: { method: "elicitation/create", params: { message: "Which?" } } },
    });
    const answer = { action: "accept", content: { word: "a" } };
    const bad = await talk.askAsync("tasks/update", { taskId, inputResponses: { which: 5 } });
    expect(bad.error).toMatchObject({ code: -32602 });
    await talk.askAsync("tasks/update", { taskId, inputResponses: { other: answer } });
    expect(await talk.getAsync(taskId)).toMatchObject({ status: "input_required" });
    await talk.askAsync("tasks/update", { taskId, inputResponses: { which: answer } });
    expect(await first).toEqual({ action: "accept", content: { word: "a" } });
    expect(await talk.getAsync(taskId)).toMatchObject({ status: "working" });

    const second = ask();
    const { inputRequests } = await talk.getAsync(taskId);
    expect(Object.keys(inputRequests)).toEqual(["which#2"]);
    await talk.askAsync("tasks/update", { taskId, inputResponses: { which: answer } });
    expect(await talk.getAsync(taskId)).toMatchObject({ status: "input_required" });
    await talk.askAsync("tasks/update", { taskId, inputResponses: { "which#2": { action: "decline" } } });
    expect(await second).toEqual({ action: "decline", content: {} });
  });

  test("ends when the task is cancelled", async () => {
    using tasks = new Tasks({ afterMs: AFTER_MS });
    const job = new Job();
    const talk = new Talk(tasks, job.tool);
    const { id: taskId, ask } = await askedAsync(talk, job);
    const asked = ask();
    await talk.askAsync("tasks/cancel", { taskId });
    expect(asked).rejects.toBeDefined();
    expect(await talk.settledAsync(taskId)).not.toHaveProperty("inputRequests");
  });

  test("that comes before it is a task ends the call, which its repetition answers", async () => {
    using tasks = new Tasks({ afterMs: AFTER_MS });
    const asking: Tool = {
      ...new Job().tool,
      callAsync: async (_args, { asker }) => {
        const heard = await asker?.askAsync({ key: "which", message: "Which?", form });
        await Bun.sleep(10 * AFTER_MS);
        return text(JSON.stringify(heard));
      },
    };
    const talk = new Talk(tasks, asking);
    expect((await talk.callAsync()).result).toMatchObject({ resultType: "input_required" });
    const inputResponses = { which: { action: "accept", content: { word: "a" } } };
    const { result } = await talk.callAsync(knowing, { inputResponses });
    expect(result).toMatchObject({ resultType: "task" });
    const { result: end } = await talk.settledAsync(result.taskId);
    expect(JSON.parse(end.content[0].text).content).toEqual({ word: "a" });
  });
});

describe("subscriptions/listen", () => {
  test("tells each change of the tasks that it names", async () => {
    using tasks = new Tasks({ afterMs: AFTER_MS });
    const job = new Job();
    const talk = new Talk(tasks, job.tool);
    const taskId = await talk.taskAsync();
    void talk.askAsync("subscriptions/listen", { notifications: { taskIds: [taskId, "nowhere"] } });
    const told = () =>
      talk.sent.flatMap(({ method, params }) => (method === "notifications/tasks" ? [Object(params)] : []));
    await untilAsync("the state is told", async () => told()[0]);
    expect(talk.sent[0]).toMatchObject({
      method: "notifications/subscriptions/acknowledged",
      params: { notifications: { taskIds: [taskId] } },
    });
    job.end("done");
    await untilAsync("the end is told", async () => told()[1]);
    expect(told().map(({ status }) => status)).toEqual(["working", "completed"]);
    expect(told()[1]).toMatchObject({
      taskId,
      result: text("done"),
      _meta: { "io.modelcontextprotocol/subscriptionId": 2 },
    });
    await talk.connection[Symbol.asyncDispose]();
  });

  test.each([
    [unknowing, ["x"], -32021],
    [knowing, "x", -32602],
  ])("refuses what it does not take: %#", async (declared, taskIds, code) => {
    using tasks = new Tasks();
    const talk = new Talk(tasks);
    const { error } = await talk.askAsync("subscriptions/listen", { notifications: { taskIds } }, declared);
    expect(error).toMatchObject({ code });
  });
});

test("only 2026-07-28 is told of tasks", async () => {
  using tasks = new Tasks({ afterMs: 0 });
  const job = new Job();
  const talk = new Talk(tasks, job.tool);
  expect((await talk.askAsync("server/discover")).result.capabilities).toMatchObject({ extensions });
  const params = {
    protocolVersion: "2025-11-25",
    capabilities: { extensions },
    clientInfo: { name: "x", version: "1" },
  };
  const { result } = await talk.askAsync("initialize", params, {});
  expect(result.capabilities).not.toHaveProperty("extensions");
  const call = talk.callAsync({});
  await job.call;
  await Bun.sleep(AFTER_MS);
  job.end("done");
  expect((await call).result).toMatchObject(text("done"));
});
