import { expect, setDefaultTimeout, test } from "bun:test";
import { UNTIL_LET_GO, withinAsync } from "../../../harness.ts";
import { BridgePeer, fieldOf, healthy, linesOf } from "../bridge-peer.ts";

setDefaultTimeout(120_000);

const completed = (more: object = {}): object => ({
  success: true,
  returnValues: [],
  durationMs: expect.any(Number),
  outputCount: 0,
  undo: { recorded: false, name: "sb: exec", reason: "nothing is different from before" },
  ...more,
});

test("gives lines in order, results and arguments", async () => {
  using peer = await BridgePeer.connectAsync();
  const script = "print('a', 1, nil, true) warn('w') print() local x, y = ... return x, nil, y .. '!'";
  const { lines, reply } = await peer.executeAsync(script, { args: ["p", "q"] });
  expect(lines).toEqual(["a 1 nil true", "Warning: w", ""]);
  expect(reply.payload).toEqual(completed({ returnValues: ["p", { type: "nil" }, "q!"], outputCount: 3 }));
  expect(peer.log).toEqual(["a 1 nil true", "2: w", ""]);
  expect(peer.faults).toEqual([]);
});

test("marks the reply of a script that raised an error", async () => {
  using peer = await BridgePeer.connectAsync();
  expect((await peer.executeAsync("error('no')")).reply.failed).toBe(true);
  expect((await peer.executeAsync("return 1")).reply.failed).toBeUndefined();
});

test("streams the lines of a script that waits", async () => {
  using peer = await BridgePeer.connectAsync();
  peer.send("execute", { script: "print('first') task.wait(0.2) print('second')" }, "r1");
  const early = await peer.nextAsync("output");
  expect(linesOf(early)).toEqual(["first"]);
  expect(peer.inbox).toEqual([]);
  const { lines, reply } = await peer.outcomeAsync("r1");
  expect(lines).toEqual(["second"]);
  expect(reply.payload).toMatchObject({ success: true, outputCount: 2 });
});

test("runs scripts one after the other", async () => {
  using peer = await BridgePeer.connectAsync();
  peer.send("execute", { script: "task.wait(0.05) print('one')" }, "r1");
  peer.send("execute", { script: "print('two')" }, "r2");
  expect((await peer.outcomeAsync("r1")).lines).toEqual(["one"]);
  expect((await peer.outcomeAsync("r2")).lines).toEqual(["two"]);
});

test("refuses the script behind 32 waiting ones", async () => {
  using peer = await BridgePeer.connectAsync();
  for (let index = 0; index < 34; index += 1) peer.send("execute", { script: "task.wait(1e6)" }, `r${index}`);
  const { reply } = await peer.outcomeAsync("r33");
  expect(reply.payload).toMatchObject({ code: "BUSY", outcome: "not_started" });
});

test("answers a repeated request from the ledger and never runs it again", async () => {
  using peer = await BridgePeer.connectAsync();
  const script = "shared.runs = (shared.runs or 0) + 1 print('ran') return shared.runs";
  peer.send("execute", { script }, "r1");
  const first = await peer.outcomeAsync("r1");
  peer.send("execute", { script }, "r1");
  const second = await peer.outcomeAsync("r1");
  expect(second.reply.payload).toEqual(first.reply.payload);
  expect(second.lines).toEqual(["ran"]);
  expect((await peer.executeAsync("return shared.runs")).reply.payload).toMatchObject({ returnValues: [1] });
});

test("answers `await` after a lost link: running, then the lines since, then the reply", async () => {
  let isHostThere = true;
  using peer = await BridgePeer.connectAsync({
    health: () => (isHostThere ? { status: 200, body: healthy } : undefined),
  });
  const script = `print('a') task.wait(0.1) print('b') ${UNTIL_LET_GO} print('c')`;
  peer.send("execute", { script }, "r1");
  await peer.nextAsync("output");
  isHostThere = false;
  peer.dropSocket();
  await peer.untilAsync(() => peer.log.includes("b"), "line that is printed without a host");
  isHostThere = true;
  await peer.untilAsync(() => peer.registrations === 2, "second registration");
  peer.inbox.length = 0;
  peer.send("await", { fromSeq: 1 }, "r1");
  await peer.nextAsync("running");
  peer.letGo();
  const { lines, reply } = await peer.outcomeAsync("r1");
  expect(lines).toEqual(["b", "c"]);
  expect(reply.payload).toMatchObject({ success: true, outputCount: 3 });

  peer.send("await", { fromSeq: 2 }, "r1");
  expect((await peer.outcomeAsync("r1")).lines).toEqual(["c"]);
  peer.send("await", { fromSeq: 0, ageMs: 10 }, "r-lost");
  const lost = await peer.outcomeAsync("r-lost");
  expect(lost.reply.payload).toMatchObject({ code: "NOT_RECEIVED", outcome: "not_started" });
  peer.send("await", { fromSeq: 0, ageMs: 3_600_000 }, "r-old");
  const old = await peer.outcomeAsync("r-old");
  expect(old.reply.payload).toMatchObject({ code: "UNKNOWN_REQUEST", outcome: "unknown" });
  peer.send("await", { fromSeq: 0 }, "r-unknown");
  const unknown = await peer.outcomeAsync("r-unknown");
  expect(unknown.reply.payload).toMatchObject({ code: "UNKNOWN_REQUEST", outcome: "unknown" });
});

test("carries a table that was raised as the error", async () => {
  using peer = await BridgePeer.connectAsync();
  const { reply } = await peer.executeAsync("error({ code = 1, where = { 'a' } })");
  expect(reply.payload).toMatchObject({
    success: false,
    error: expect.stringMatching(/^table: 0x/),
    errorInfo: { code: "SCRIPT_RUNTIME_ERROR", value: { code: 1, where: ["a"] } },
  });
});

test("says of a script whose time is over that it never started", async () => {
  using peer = await BridgePeer.connectAsync();
  peer.send("execute", { script: "print('on') task.wait(60)" }, "r1");
  peer.send("execute", { script: "print('never')", timeoutMs: 100 }, "r2");
  const { reply } = await peer.outcomeAsync("r2");
  expect(reply.payload).toEqual({
    code: "TIMEOUT",
    message: "Script execution timed out after 0.1 seconds. It never started: another script was running.",
    outcome: "not_started",
  });
  expect(peer.log).toEqual(["on"]);
});

test("cancels what waits and what yields", async () => {
  using peer = await BridgePeer.connectAsync();
  peer.send("execute", { script: "print('on') task.wait(60)" }, "r1");
  peer.send("execute", { script: "print('never')" }, "r2");
  peer.send("cancel", {}, "r2");
  const waiting = await peer.outcomeAsync("r2");
  expect(waiting.reply.payload).toMatchObject({ code: "CANCELLED", outcome: "not_started" });
  peer.send("cancel", {}, "r1");
  const running = await peer.outcomeAsync("r1");
  expect(running.reply.payload).toMatchObject({
    success: false,
    error: "Cancelled.",
    errorInfo: { code: "CANCELLED" },
  });
  expect(peer.log).toEqual(["on"]);
});

test("ends a yielding script at its deadline, with the threads it started", async () => {
  using peer = await BridgePeer.connectAsync();
  const script = "task.spawn(function() while true do task.wait() end end) task.wait(60)";
  const { reply } = await peer.executeAsync(script, { timeoutMs: 100 });
  expect(reply.payload).toMatchObject({
    success: false,
    error: "Script execution timed out after 0.1 seconds.",
    errorInfo: { code: "TIMEOUT" },
  });
});

test("ends a busy script at its deadline and goes on", async () => {
  using peer = await BridgePeer.connectAsync();
  const busy = await peer.executeAsync("print('busy') while true do end", { timeoutMs: 200 });
  expect(busy.lines).toEqual(["busy"]);
  expect(busy.reply.payload).toMatchObject({ success: false, errorInfo: { code: "TIMEOUT" } });
  const stubborn = await peer.executeAsync("while true do pcall(function() while true do end end) end", {
    timeoutMs: 200,
  });
  expect(stubborn.reply.payload).toMatchObject({ success: false, errorInfo: { code: "TIMEOUT" } });
  expect((await peer.executeAsync("return 1")).reply.payload).toMatchObject({ returnValues: [1] });
});

test("ends a script that is busy after a wait not much later than its deadline", async () => {
  using peer = await BridgePeer.connectAsync();
  await withinAsync(2_400, async () => {
    const { reply } = await peer.executeAsync("task.wait(1) while true do end", { timeoutMs: 1500 });
    expect(reply.payload).toMatchObject({ errorInfo: { code: "TIMEOUT" } });
    expect(reply.payload).toHaveProperty("durationMs", expect.any(Number));
    return Number(Reflect.get(Object(reply.payload), "durationMs"));
  });
});

test("reports a busy script that was interrupted as cancelled", async () => {
  using peer = await BridgePeer.connectAsync({
    onLog: ({ cancelFlag }, line) => {
      if (line === "busy") cancelFlag[0] = 1;
    },
  });
  peer.send("execute", { script: "print('busy') while true do end" }, "r1");
  peer.send("cancel", {}, "r1");
  const { lines, reply } = await peer.outcomeAsync("r1");
  expect(lines).toEqual(["busy"]);
  expect(reply.payload).toMatchObject({
    success: false,
    error: "Cancelled.",
    errorInfo: { code: "CANCELLED", line: 1, traceback: "Script:1" },
  });
  expect(peer.log).toEqual(["busy"]);
  expect((await peer.executeAsync("return 1")).reply.payload).toMatchObject({ returnValues: [1] });
});

test("answers for a script whose thread was ended by another", async () => {
  using peer = await BridgePeer.connectAsync();
  const script = "local me = coroutine.running() task.defer(function() task.cancel(me) end) task.wait(60)";
  const { reply } = await peer.executeAsync(script);
  expect(reply.payload).toMatchObject({
    success: false,
    error: "The script's thread was cancelled, or interrupted by the engine.",
    errorInfo: { code: "SCRIPT_RUNTIME_ERROR" },
  });
});

test("waits a moment for threads that the script left behind", async () => {
  using peer = await BridgePeer.connectAsync();
  const script = "task.delay(0.05, print, 'late') task.delay(60, print, 'too late') print('now')";
  const { lines, reply } = await peer.executeAsync(script);
  expect(lines).toEqual(["now", "late"]);
  expect(reply.payload).toMatchObject({ success: true, outputCount: 2 });
  const hog = "task.delay(0, function() local t = os.clock() while os.clock() - t < 0.2 do end end)";
  expect((await peer.executeAsync(`${script} ${hog}`)).lines).toEqual(["now", "late"]);
});

for (const behavior of ["Deferred", "Immediate"])
  test(`counts lines of required modules as output, once and in order, with ${behavior} signals`, async () => {
    using peer = await BridgePeer.connectAsync();
    peer.studio.runSource("=Mode", `engine("./Kernel/Signal").setDeferred(${behavior === "Deferred"})`);
    const script = `
      local module = Instance.new("ModuleScript")
      module.Source = "print('loading') return function() print('called') end"
      print("before", {})
      local call = require(module)
      print("between")
      call()
      print("after")
      task.wait()
      call()
      print("end")`;
    const { lines } = await peer.executeAsync(script);
    const table = expect.stringMatching(/^before table: /);
    const expected = [table, "loading", "between", "called", "after", "called", "end"];
    expect(lines).toEqual(expected);
    expect(peer.log).toHaveLength(expected.length);
    const { lines: later } = await peer.executeAsync("print('own') task.wait(0.05)");
    expect(later).toEqual(["own"]);
  });

// test/e2e/run.test.ts does it with a hundred thousand, through the binary.
test("carries twenty thousand lines whole", async () => {
  using peer = await BridgePeer.connectAsync();
  const script = "for i = 1, 20000 do print(i .. string.rep('x', 100 - #tostring(i))) end";
  const { lines, reply } = await peer.executeAsync(script);
  expect(lines).toHaveLength(20_000);
  expect(lines.findIndex((line, index) => !line.startsWith(`${index + 1}x`))).toBe(-1);
  expect(reply.payload).toMatchObject({ success: true, outputCount: 20_000 });
  expect(peer.faults).toEqual([]);
});

test("sends a large reply in chunks that join to the reply", async () => {
  using peer = await BridgePeer.connectAsync();
  peer.send("execute", { script: "return string.rep('ü', 400000)" }, "r1");
  const reply = await peer.untilAsync(
    () => peer.inbox.find(({ type }) => type === "scriptComplete"),
    "scriptComplete",
  );
  expect(reply).toMatchObject({
    requestId: "r1",
    payload: { success: true, returnValues: ["ü".repeat(400_000)] },
  });
  const sizes = peer.inbox
    .filter(({ type }) => type === "chunk")
    .map((frame) => fieldOf(frame, "data").length);
  expect(sizes).toHaveLength(4);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(256 * 1024);
});

test("makes text of bytes that are none", async () => {
  using peer = await BridgePeer.connectAsync();
  const { lines, reply } = await peer.executeAsync(String.raw`print("a\xffb\xed\xa0\x80") return "a\xff"`);
  expect(lines).toEqual(["a\ufffdb\ufffd\ufffd\ufffd"]);
  expect(reply.payload).toMatchObject({ returnValues: [{ type: "bytes", base64: "Yf8=" }] });
});

test("sends a line of ten million characters in one frame, and cuts what fits none", async () => {
  using peer = await BridgePeer.connectAsync();
  const whole = await peer.executeAsync("print(string.rep('x', 10000000))");
  expect(whole.lines).toEqual(["x".repeat(10_000_000)]);
  const cut = await peer.executeAsync("print(string.rep('x', 17000000))");
  expect(cut.lines).toEqual([`${"x".repeat(1024 * 1024)}… (cut here; 17000000 bytes in all)`]);
  expect(peer.faults).toEqual([]);
});

test("gives a script an environment of its own, on level 0 too, which nested code shares", async () => {
  using peer = await BridgePeer.connectAsync();
  const script = `own = 5
    local environment = getfenv(0)
    environment.typeof = function() return "broken" end
    return loadstring("return own")(), environment == getfenv(), typeof(1), environment.own`;
  const first = await peer.executeAsync(script);
  expect(first.reply.payload).toMatchObject({ returnValues: [5, true, "broken", 5] });
  const second = await peer.executeAsync("return typeof(1), own, getfenv(print).own");
  expect(second.reply.payload).toMatchObject({
    returnValues: ["number", { type: "nil" }, { type: "nil" }],
  });
  expect(peer.faults).toEqual([]);
});
