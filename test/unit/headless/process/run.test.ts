/** A headless Studio with its own thread: plugin, socket, cancel, end. Uses the embedded files, so it builds them. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { prepareAsync } from "../../../../scripts/prepare.ts";
import type { PluginNode } from "../../../../src/studio/plugin-tree.ts";
import { withinAsync } from "../../../harness.ts";

const DIAL = `
local Http = game:GetService("HttpService")
local client = Http:CreateWebStreamClient(Enum.WebStreamClientType.WebSocket, { Url = "ws://127.0.0.1:" .. require(script.Pairing).port })
client.Opened:Connect(function()
	client:Send(Http:JSONEncode({ type = "register", requestId = "r", payload = { context = "edit" } }))
	client:Send("up " .. plugin:GetSetting("StudioBridge.LaunchId") .. " " .. game.Name)
end)
_G.send = function(text) client:Send(text) end
client.MessageReceived:Connect(function(frame)
	local message = Http:JSONDecode(frame)
	if message.type ~= "execute" then return end
	client:Send("running")
	task.spawn(function()
		local ok, err = pcall(loadstring(message.payload.script))
		client:Send(tostring(ok) .. " " .. tostring(err))
	end)
end)
`;

const plugin = (source: string): PluginNode => ({
  name: "Plugin",
  className: "Script",
  source,
  children: [{ name: "Pairing", className: "ModuleScript", source: "", children: [] }],
});

const frames: string[] = [];
let socket: Bun.ServerWebSocket<undefined> | undefined;
const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  fetch: (request, bun) => (bun.upgrade(request) ? undefined : new Response(null, { status: 404 })),
  websocket: {
    open: (opened: Bun.ServerWebSocket<undefined>) => {
      socket = opened;
    },
    message: (_, text) => void frames.push(String(text)),
  },
});

// What has changed since the last build is built here.
beforeAll(async () => void (await prepareAsync()), 120_000);
afterAll(() => server.stop(true));

async function untilFrameAsync(frame: string): Promise<void> {
  while (!frames.includes(frame)) await Bun.sleep(1);
}

async function runAsync(source: string, signal: AbortSignal, memoryLimitMb = 512) {
  const { runHeadlessStudioAsync } = await import("../../../../src/headless/process/run.ts");
  const errors: string[] = [];
  const exitCode = await runHeadlessStudioAsync({
    bridge: {
      port: server.port ?? 0,
      pairing: { keyId: "0".repeat(16), key: "1".repeat(64) },
    },
    launchId: "launch-1",
    placeName: "My place",
    pluginTree: plugin(source),
    memoryLimitMb,
    signal,
    onLog: (type, text) => void (type === 3 && errors.push(text)),
  });
  return { exitCode, errors };
}

test("the plugin connects, a busy script is cancelled from outside, the next one runs, the end is clean", async () => {
  const end = new AbortController();
  const running = runAsync(DIAL, end.signal);
  await untilFrameAsync("up launch-1 My place");

  socket?.send(JSON.stringify({ type: "registered", requestId: "r", payload: { sessionId: "s" } }));
  const loop = "while true do pcall(function() while true do end end) end";
  socket?.send(
    JSON.stringify({ type: "execute", sessionId: "s", requestId: "a", payload: { script: loop } }),
  );
  await untilFrameAsync("running");
  socket?.send(JSON.stringify({ type: "cancel", requestId: "a", payload: {} }));
  socket?.send(JSON.stringify({ type: "execute", requestId: "b", payload: { script: "error('next', 0)" } }));
  await untilFrameAsync("false next");

  end.abort();
  expect(await running).toEqual({ exitCode: 0, errors: [] });
});

test("a line of output arrives while the script that has printed it still computes, and before what the script sends next", async () => {
  const busy = `
client.Opened:Connect(function()
	client:Send('{"type":"output","line":1}')
	local startedAt = os.clock()
	while os.clock() - startedAt < 1 do end
	client:Send('{"type":"output","line":2}')
	client:Send("over")
end)`;
  const dial = DIAL.slice(0, DIAL.indexOf("client.Opened"));
  // How late the line comes, of the second in which the script computes.
  await withinAsync(500, async () => {
    const end = new AbortController();
    frames.length = 0;
    const running = runAsync(dial + busy, end.signal);
    await untilFrameAsync('{"type":"output","line":1}');
    const atMs = performance.now();
    await untilFrameAsync("over");
    const beforeEndMs = performance.now() - atMs;
    expect(frames).toEqual(['{"type":"output","line":1}', '{"type":"output","line":2}', "over"]);
    end.abort();
    await running;
    return 1_000 - beforeEndMs;
  });
});

test("a Studio that ran out of memory ends with an exit code of its own and says why", async () => {
  const hog = "local s = string.rep('x', 6e7) local t = { s .. 1, s .. 2, s .. 3 }";
  expect(await runAsync(hog, new AbortController().signal, 64)).toEqual({
    exitCode: 3,
    errors: ["not enough memory", "Headless Studio ended: out of memory"],
  });
});

test("a kept place is returned to with its variables, its Instances and its clock, late answers do not reach it, and it tells which scripts were used", async () => {
  const { runHeadlessStudioAsync } = await import("../../../../src/headless/process/run.ts");
  const { FramePipe, readBlocksAsync } = await import("../../../../src/headless/process/frame-pipe.ts");
  const pipes = [
    new TransformStream<Uint8Array, Uint8Array>(),
    new TransformStream<Uint8Array, Uint8Array>(),
  ];
  const ends = pipes.map((from, index) => {
    const writer = pipes[1 - index]?.writable.getWriter();
    const sink = { write: (bytes: Uint8Array) => void writer?.write(bytes.slice()), flush: () => undefined };
    return { pipe: new FramePipe(readBlocksAsync(from.readable), sink), endAsync: () => writer?.close() };
  });
  const [near, far] = ends;
  if (near === undefined || far === undefined) throw new Error("a pipe has two ends");
  const heard: string[] = [];
  let linkId = 0;
  void near.pipe.listenAsync({
    frame: (id, text) => {
      linkId = id;
      heard.push(text);
    },
    closed: () => {},
  });
  const askAsync = async (script: string): Promise<string | undefined> => {
    heard.length = 0;
    near.pipe.send(linkId, JSON.stringify({ type: "execute", requestId: "a", payload: { script } }));
    while (heard.length < 2) await Bun.sleep(1);
    return heard.at(-1);
  };
  const ended = runHeadlessStudioAsync({
    bridge: { parent: far.pipe },
    launchId: "launch-1",
    placeName: "My place",
    pluginTree: plugin(DIAL),
  });
  while (!heard.some((text) => text.startsWith("up "))) await Bun.sleep(1);

  await askAsync("_G.x = 1 Instance.new('Folder', workspace).Name = 'Kept'");
  expect(await near.pipe.orderAsync("return")).toBe('{"fault":"nothing was kept"}');
  const none = '{"used":{"names":[],"made":[]}}';
  expect(await near.pipe.orderAsync("keep")).toBe(none);
  const state =
    "error(`{_G.x} {workspace.Kept} {workspace:FindFirstChild('New')} {_G.late} {os.clock() < 30}`, 0)";
  for (let round = 0; round < 3; round += 1) {
    await askAsync("_G.x = 2 workspace.Kept:Destroy() Instance.new('Folder', workspace).Name = 'New'");
    await askAsync("task.delay(0, function() _G.late = 1 end)");
    // Growth of the memory is undone, too.
    await askAsync("_G.y = {} for index = 1, 1e5 do _G.y[index] = { index } end");
    expect(await near.pipe.orderAsync("return")).toBe(none);
    expect(await askAsync(state)).toBe("false 1 Kept nil nil true");
  }
  // The answer to a later order may come first.
  const returned = near.pipe.orderAsync("returnAfterScript");
  expect(await near.pipe.orderAsync("frame")).toBe(none);
  expect(await askAsync("error(tostring(workspace.Kept), 0)")).toBe("false Kept");
  near.pipe.send(
    linkId,
    JSON.stringify({
      type: "execute",
      requestId: "a",
      payload: { script: `_G.x = 2 workspace.Kept:Destroy() _G.send('{"type":"scriptComplete"}')` },
    }),
  );
  expect(await returned).toBe(none);
  expect(await askAsync(state)).toBe("false 1 Kept nil nil true");
  expect(await near.pipe.orderAsync("note")).toBe(none);
  await askAsync(
    "local m = Instance.new('ModuleScript', workspace.Kept) m.Name, m.Source = 'Made', 'return 1' require(m)",
  );
  expect(await near.pipe.orderAsync("keep")).toBe('{"used":{"names":[],"made":["Workspace.Kept.Made"]}}');
  // The first frame after a pause runs at once.
  await askAsync(
    "beat = game:GetService('RunService').Heartbeat beat:Wait() beat:Once(function() _G.frame = true end)",
  );
  expect(await near.pipe.orderAsync("frame")).toBe(none);
  expect(await askAsync("error(tostring(_G.frame), 0)")).toBe("false true");
  expect(await near.pipe.orderAsync("other")).toBe('{"fault":"unknown order other"}');
  await near.endAsync();
  expect(await ended).toBe(0);
});
