/** Calls of the compiled `sb mcp` that become tasks: their results, their end, and what ends with the server. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { freePort, untilAsync } from "../harness.ts";
import { McpPeer } from "../peers/mcp-peer.ts";
import { sandbox } from "../sandbox.ts";
import { objectIn } from "../../src/mcp/wire/json.ts";

setDefaultTimeout(120_000);

const TOKEN = "a-token";
const box = sandbox({ headless: "Alpha" });

const VERSION = "2026-07-28";
const knowing = {
  _meta: {
    "io.modelcontextprotocol/protocolVersion": VERSION,
    "io.modelcontextprotocol/clientCapabilities": { extensions: { "io.modelcontextprotocol/tasks": {} } },
  },
};

type Ask = (method: string, params: object) => Promise<{ readonly [key: string]: unknown }>;

const overStdio =
  (peer: McpPeer): Ask =>
  async (method, params) =>
    Object((await peer.requestAsync(method, { ...knowing, ...params })).result);

const callAsync = async (ask: Ask, name: string, args: object) =>
  Object(await ask("tools/call", { name, arguments: args }));

const settledAsync = (ask: Ask, taskId: string) =>
  untilAsync("the task has ended", async () => {
    const task = await ask("tasks/get", { taskId });
    return task["status"] === "working" ? undefined : Object(task);
  });

const BEAT = (name: string) => `while task.wait() do workspace:SetAttribute("${name}", os.clock()) end`;

async function beatAsync(name: string): Promise<unknown> {
  const { stdout } = await box.sbAsync(["query", "Workspace", "--attributes", "--json"]);
  return JSON.parse(stdout).instance.attributes?.[name];
}

const stillAsync = (name: string) =>
  untilAsync("the script was stopped in Studio", async () =>
    (await beatAsync(name)) === (await beatAsync(name)) ? true : undefined,
  );

test("scripts and waits become tasks after five seconds; a quick one is answered at once", async () => {
  await using peer = new McpPeer(box);
  const ask = overStdio(peer);
  const startedAt = performance.now();
  expect(await callAsync(ask, "studio_exec", { script: "return 1" })).toMatchObject({
    resultType: "complete",
    structuredContent: { returnValues: [1] },
  });
  const calls = await Promise.all([
    callAsync(ask, "studio_exec", { script: "task.wait(6) print('late') return 6" }),
    callAsync(ask, "studio_wait", { exists: "Workspace.Never", timeoutMs: 6_500, context: "edit" }),
  ]);
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(5_000);
  expect(calls.map(({ resultType }) => resultType)).toEqual(["task", "task"]);
  const [script, wait] = await Promise.all(calls.map(({ taskId }) => settledAsync(ask, taskId)));
  expect(script).toMatchObject({
    status: "completed",
    result: { structuredContent: { success: true, returnValues: [6], logs: [{ body: "late" }] } },
  });
  expect(wait).toMatchObject({ status: "completed", result: { structuredContent: { met: false } } });
});

test("cancelling a task, and the end of stdin, stop its script in Studio", async () => {
  const ids = await (async () => {
    await using peer = new McpPeer(box);
    const ask = overStdio(peer);
    const [one, two] = await Promise.all(
      ["One", "Two"].map((name) => callAsync(ask, "studio_exec", { script: BEAT(name) })),
    );
    const taskId: string = one.taskId;
    await ask("tasks/cancel", { taskId });
    expect(await settledAsync(ask, taskId)).toMatchObject({ status: "cancelled" });
    await stillAsync("One");
    expect(await beatAsync("Two")).not.toBe(await beatAsync("Two"));
    expect(await peer.endAsync()).toMatchObject({ exitCode: 0 });
    return [one.taskId, two.taskId];
  })();
  await stillAsync("Two");
  await using peer = new McpPeer(box);
  const { error } = await peer.requestAsync("tasks/get", { ...knowing, taskId: ids[1] });
  expect(Object(error).code).toBe(-32602);
});

test("over HTTP a task outlives its connection", async () => {
  const child = box.spawn(["mcp", "--http", String(freePort())], { env: { STUDIO_BRIDGE_MCP_TOKEN: TOKEN } });
  let said = "";
  for await (const part of child.stderr) {
    said += new TextDecoder().decode(part);
    if (said.includes("Bearer")) break;
  }
  const url = /http:\S+/.exec(said)?.[0] ?? "";
  const ask: Ask = async (method, params) => {
    const name = Object(params).taskId ?? Object(params).name;
    const response = await fetch(url, {
      method: "POST",
      headers: {
        ...{ Authorization: `Bearer ${TOKEN}`, "Content-Type": "application/json", Connection: "close" },
        ...{ "MCP-Protocol-Version": VERSION, "Mcp-Method": method, "Mcp-Name": name },
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { ...knowing, ...params } }),
    });
    return Object(Object(await response.json()).result);
  };
  const { taskId } = await callAsync(ask, "studio_exec", { script: "task.wait(6) return 7" });
  expect(taskId).toMatch(/^[0-9a-f]{32}$/);
  const task = await settledAsync(ask, taskId);
  expect(objectIn(task, "result")).toMatchObject({ structuredContent: { returnValues: [7] } });
});
