/** What becomes of the errors of scripts and of the threads that they start. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { untilAsync } from "../../../harness.ts";
import { BridgePeer } from "../bridge-peer.ts";

setDefaultTimeout(120_000);

test("names line and frames of an error", async () => {
  using peer = await BridgePeer.connectAsync();
  const script = "local function inner()\n\terror('oops')\nend\nprint('before')\ninner()";
  const { lines, reply } = await peer.executeAsync(script, { chunkName: "hello.luau" });
  expect(lines).toEqual(["before"]);
  expect(reply.payload).toEqual({
    success: false,
    returnValues: [],
    durationMs: expect.any(Number),
    error: "hello.luau:2: oops",
    errorInfo: {
      code: "SCRIPT_RUNTIME_ERROR",
      line: 2,
      traceback: "hello.luau:2 function inner\nhello.luau:5",
    },
    outputCount: 1,
    undo: { recorded: false, name: "sb: run hello.luau", reason: "nothing is different from before" },
  });
});

test("names the line of an error of the engine, which names no place itself", async () => {
  using peer = await BridgePeer.connectAsync();
  const inner = "local function inner()\n\treturn workspace.Nope\nend\n";
  const direct = await peer.executeAsync(`${inner}inner()`, { chunkName: "hello.luau" });
  expect(direct.reply.payload).toMatchObject({
    error: 'Nope is not a valid member of Workspace "Workspace"',
    errorInfo: { line: 2, traceback: "hello.luau:2 function inner\nhello.luau:4" },
  });
  const module = `local module = Instance.new("ModuleScript")
    module.Source = "return function() return workspace.Nope end"
    require(module)()`;
  const elsewhere = await peer.executeAsync(module, { chunkName: "hello.luau" });
  expect(elsewhere.reply.payload).not.toHaveProperty("errorInfo.line");
  expect(elsewhere.reply.payload).toMatchObject({ errorInfo: { traceback: "ModuleScript:1\nhello.luau:3" } });
});

test("names the line of a syntax error", async () => {
  using peer = await BridgePeer.connectAsync();
  const { reply } = await peer.executeAsync("local a = 1\nlocal = 2", { chunkName: "bad.luau" });
  expect(reply.payload).toMatchObject({
    success: false,
    error: expect.stringMatching(/^bad\.luau:2: /),
    errorInfo: { code: "SCRIPT_LOAD_ERROR", line: 2 },
  });
});

test("reports errors that are no text", async () => {
  using peer = await BridgePeer.connectAsync();
  const withText = await peer.executeAsync(
    "error(setmetatable({}, {__tostring = function() return 'mine' end}))",
  );
  expect(withText.reply.payload).toMatchObject({ success: false, error: "mine" });
  const failing = await peer.executeAsync(
    "error(setmetatable({}, {__tostring = function() error('no') end}))",
  );
  expect(failing.reply.payload).toMatchObject({ success: false, error: "an error of type table" });
  const nothing = await peer.executeAsync("error()");
  expect(nothing.reply.payload).toMatchObject({ success: false, error: "nil" });
});

test("tells refusals of headless Studio from mistakes", async () => {
  using peer = await BridgePeer.connectAsync();
  const { reply } = await peer.executeAsync("Instance.new('Part'):ApplyImpulse(Vector3.zero)");
  expect(reply.payload).toMatchObject({ success: false, errorInfo: { code: "NOT_SIMULATED", line: 1 } });
});

test("keeps its own frames out of the log of a script that ran too long", async () => {
  using peer = await BridgePeer.connectAsync();
  await peer.executeAsync("while true do end", { timeoutMs: 100 });
  peer.send("queryLogs", { levels: ["Error", "Info"] }, "logs");
  const { payload } = await peer.nextAsync("logsResult");
  expect(payload).toMatchObject({
    entries: [
      { level: "Error", body: "Script timeout: exhausted allowed execution time", isOutput: true },
      { level: "Info", body: "Stack Begin", isOutput: true },
      { level: "Info", body: "Script 'Script', Line 1", isOutput: true },
      { level: "Info", body: "Stack End", isOutput: true },
    ],
  });
});

test("a script that ran too long is reported once: by its reply, not also as a line of another script", async () => {
  using peer = await BridgePeer.connectAsync();
  const { lines, reply } = await peer.executeAsync("print(1) while true do end", { timeoutMs: 100 });
  expect(lines).toEqual(["1"]);
  expect(reply.payload).toMatchObject({ errorInfo: { code: "TIMEOUT" } });
  const result = await untilAsync("the line is in the log", async () => {
    peer.send("queryLogs", { levels: ["Error"] }, "logs");
    const { payload } = await peer.nextAsync("logsResult");
    const { entries } = Object(payload);
    return entries.length === 0 ? undefined : entries;
  });
  const errors = result.filter(({ level }: { readonly level: string }) => level === "Error");
  expect(errors).toMatchObject([{ isOutput: true }]);
});

for (const behavior of ["Deferred", "Immediate"])
  test(`passes on errors of threads that the script started, with their stack and ${behavior} signals`, async () => {
    using peer = await BridgePeer.connectAsync();
    peer.studio.runSource("=Mode", `engine("./Kernel/Signal").setDeferred(${behavior === "Deferred"})`);
    const bare = await peer.executeAsync("task.spawn(error, 'bare') task.wait() print('after')");
    expect(bare.lines).toEqual(["Error: bare", "after"]);
    expect(bare.reply.payload).toMatchObject({ success: true });
    const nothing = await peer.executeAsync("task.spawn(error, nil) task.wait() print('after')");
    expect(nothing.lines).toEqual(["Error: Error occurred, no output from Luau.", "after"]);
    const ordered = await peer.executeAsync(
      "print(1) task.spawn(error, 'two') print(3) task.spawn(error, 'four') print(5)",
    );
    expect(ordered.lines).toEqual(["1", "Error: two", "3", "Error: four", "5"]);
    const endless = await peer.executeAsync("local function f() task.defer(f) end f() task.wait()");
    expect(endless.lines[0]).toBe(
      "Error: Script:1: Maximum re-entrancy depth (80) exceeded calling task.defer",
    );
    const placed = await peer.executeAsync("task.delay(0, function() error('placed') end)");
    expect(placed.lines).toEqual([
      "Error: Script:1: placed",
      "Info: Stack Begin",
      "Info: Script 'Script', Line 1",
      "Info: Stack End",
    ]);
    const others = await peer.executeAsync("task.spawn(pcall, error, 'caught') task.wait()");
    expect(others.lines).toEqual([]);
  });

test("places a failing call on the script's line, whichever function made the call", async () => {
  using peer = await BridgePeer.connectAsync();
  const errorOf = async (script: string): Promise<unknown> =>
    Reflect.get(Object((await peer.executeAsync(script)).reply.payload), "error");
  expect(await errorOf("\nrequire(nil)")).toBe(
    "Script:2: Attempted to call require with invalid argument(s).",
  );
  const failing = "local m = Instance.new('ModuleScript') m.Source = 'error(1)'\nrequire(m)";
  expect(await errorOf(failing)).toBe("Script:2: Requested module experienced an error while loading");
  expect(await errorOf("\ntask.spawn(nil)")).toStartWith("Script:2: invalid argument #1 to 'spawn'");
  expect(await errorOf("\ntask.delay(0, nil)")).toStartWith("Script:2: invalid argument #2 to 'delay'");
  const caught = await peer.executeAsync("return select(2, pcall(require, nil))");
  expect(caught.reply.payload).toMatchObject({
    returnValues: ["Attempted to call require with invalid argument(s)."],
  });
});

test("gives every script a `script` of its own", async () => {
  using peer = await BridgePeer.connectAsync();
  const script = "local own = script own:Destroy() return own:GetFullName(), own.ClassName, own.Parent";
  for (let count = 0; count < 2; count += 1)
    expect((await peer.executeAsync(script, { chunkName: "mine.luau" })).reply.payload).toMatchObject({
      success: true,
      returnValues: ["mine.luau", "Script", { type: "nil" }],
    });
});

test("tells where a script was that ran too long or was cancelled, however it was stopped", async () => {
  using peer = await BridgePeer.connectAsync();
  const inner = "local function inner()\n\tBODY\nend\n";
  const at = { line: 2, traceback: "hello.luau:2 function inner\nhello.luau:4" };
  const run = (body: string, call: string, timeoutMs = 600) =>
    peer.executeAsync(inner.replace("BODY", body) + call, { chunkName: "hello.luau", timeoutMs });
  const busy = await run("while true do end", "inner()");
  expect(busy.reply.payload).toMatchObject({ errorInfo: { code: "TIMEOUT", ...at } });
  const caught = await run("while true do end", "while true do pcall(inner) end");
  expect(caught.reply.payload).toMatchObject({ errorInfo: { code: "TIMEOUT", ...at } });
  const waiting = await run("task.wait(60)", "inner()");
  expect(waiting.reply.payload).toMatchObject({ errorInfo: { code: "TIMEOUT", ...at } });
  const nested = await run("while true do end", "coroutine.wrap(inner)()");
  expect(nested.reply.payload).toMatchObject({ errorInfo: { code: "TIMEOUT", ...at } });
  const spawned = await run("while true do end", "task.spawn(inner)");
  expect(spawned.reply.payload).toMatchObject({ errorInfo: { code: "TIMEOUT", line: 2 } });
  expect([busy, caught, waiting, nested, spawned].flatMap(({ lines }) => lines)).toEqual([]);

  peer.send("execute", { script: "\nprint('on') task.wait(60)", chunkName: "hello.luau" }, "r-cancel");
  await peer.nextAsync("output");
  peer.send("cancel", {}, "r-cancel");
  const cancelled = await peer.outcomeAsync("r-cancel");
  expect(cancelled.reply.payload).toMatchObject({
    errorInfo: { code: "CANCELLED", line: 2, traceback: "hello.luau:2" },
  });
});
