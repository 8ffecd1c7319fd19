/** A script asks its caller for standard input, a piece at a time. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { untilAsync } from "../../../harness.ts";
import { BridgePeer } from "../bridge-peer.ts";

setDefaultTimeout(120_000);

/** A nil between other values. */
const NIL = { type: "nil" };

interface Piece {
  readonly text?: string;
  readonly isLast?: boolean;
  readonly fault?: string;
}

async function answerAsync(peer: BridgePeer, seq: number, piece: Piece): Promise<void> {
  expect((await peer.nextAsync("inputWanted")).payload).toEqual({ seq });
  peer.send("provideInput", { scriptId: "run", seq, ...piece }, `piece-${seq}`);
  await peer.nextAsync("provideInputResult");
}

async function valuesAsync(peer: BridgePeer): Promise<unknown> {
  const { payload } = await peer.nextAsync("scriptComplete");
  return payload;
}

const start = (peer: BridgePeer, script: string, fields = {}) =>
  peer.send("execute", { script, ...fields }, "run");

test("lines go over pieces, the last one needs no end, and then there are none", async () => {
  using peer = await BridgePeer.connectAsync();
  start(peer, "local l = {} for i = 1, 4 do l[i] = sb.readLine() end return l, sb.readLine(), sb.readAll()");
  await answerAsync(peer, 0, { text: "one\ntw" });
  await answerAsync(peer, 1, { text: "o\r\n\nthr" });
  await answerAsync(peer, 2, { text: "ee", isLast: true });
  expect(await valuesAsync(peer)).toMatchObject({ returnValues: [["one", "two", "", "three"], NIL, ""] });
});

test("what a script has printed arrives before its question", async () => {
  using peer = await BridgePeer.connectAsync();
  start(peer, "print('one') print('two') print('three', sb.readLine())");
  const isOf = (wanted: string) => (frame: { readonly type: string }) => frame.type === wanted;
  await untilAsync("the question", () => peer.inbox.find(isOf("inputWanted")));
  const told = peer.inbox.slice(0, peer.inbox.findIndex(isOf("inputWanted"))).filter(isOf("output"));
  expect(JSON.stringify(told)).toContain("two");
  await answerAsync(peer, 0, { isLast: true });
});

test("the whole rest is read at once", async () => {
  using peer = await BridgePeer.connectAsync();
  start(peer, "return sb.readLine(), sb.readAll(), sb.readLine()");
  await answerAsync(peer, 0, { text: "a\nb\n" });
  await answerAsync(peer, 1, { text: "c\n" });
  await answerAsync(peer, 2, { isLast: true });
  expect(await valuesAsync(peer)).toMatchObject({ returnValues: ["a", "b\nc\n", NIL] });
});

test("threads that read at the same time get one line each, in the order in which they asked", async () => {
  using peer = await BridgePeer.connectAsync();
  start(
    peer,
    `local got = {}
     for index = 1, 3 do task.spawn(function() table.insert(got, index .. sb.readLine()) end) end
     while #got < 3 do task.wait() end
     return got`,
  );
  await answerAsync(peer, 0, { text: "a\nb\n" });
  await answerAsync(peer, 1, { text: "c\n" });
  expect(await valuesAsync(peer)).toMatchObject({ returnValues: [["1a", "2b", "3c"]] });
});

test("where there is no standard input, the script fails at the line that reads", async () => {
  using peer = await BridgePeer.connectAsync();
  start(peer, "local x = 1\nsb.readAll()", { chunkName: "read.luau" });
  await answerAsync(peer, 0, { fault: "There is none." });
  expect(await valuesAsync(peer)).toMatchObject({ success: false, error: "read.luau:2: There is none." });
});

test("a piece that comes twice counts once, and a question that may be lost is asked again", async () => {
  using peer = await BridgePeer.connectAsync();
  start(peer, "return sb.readLine(), sb.readLine()");
  expect((await peer.nextAsync("inputWanted")).payload).toEqual({ seq: 0 });
  peer.send("await", {}, "run");
  await answerAsync(peer, 0, { text: "one\n" });
  expect((await peer.nextAsync("inputWanted")).payload).toEqual({ seq: 1 });
  for (const [seq, text] of [
    [0, "one\n"],
    [1, "two\n"],
  ] as const)
    peer.send("provideInput", { scriptId: "run", seq, text }, `late-${seq}`);
  expect(await valuesAsync(peer)).toMatchObject({ returnValues: ["one", "two"] });
});

test("a script that waits for input can be cancelled, and the next one is not disturbed by what comes then", async () => {
  using peer = await BridgePeer.connectAsync();
  start(peer, "sb.readLine()");
  await peer.nextAsync("inputWanted");
  peer.send("cancel", {}, "run");
  expect(await valuesAsync(peer)).toMatchObject({ errorInfo: { code: "CANCELLED" } });
  peer.send("provideInput", { scriptId: "run", seq: 0, text: "late\n" }, "late");
  await peer.nextAsync("provideInputResult");
  expect((await peer.executeAsync("return 1")).reply.payload).toMatchObject({ returnValues: [1] });
});

test("sb is in the script's own environment only, and cannot be changed", async () => {
  using peer = await BridgePeer.connectAsync();
  const own = await peer.executeAsync(
    `local module = Instance.new("ModuleScript")
     module.Source = "return { isThere = sb ~= nil }"
     return sb.env.A, sb.env.B, sb.env.C, sb.input, _G.sb, shared.sb, require(module).isThere,
       table.isfrozen(sb), table.isfrozen(sb.env)`,
    { variables: ["A=1=2", "B="], input: "text" },
  );
  expect(own.reply.payload).toMatchObject({
    returnValues: ["1=2", "", NIL, "text", NIL, NIL, false, true, true],
  });
});

test("a script that may emit sends values between its lines, and only such a script can", async () => {
  using peer = await BridgePeer.connectAsync();
  const script = 'print("a") sb.emit({ n = 1, t = "ä\\n" }) print("b")';
  const { lines, reply } = await peer.executeAsync(script, { emits: true });
  expect(lines).toEqual(["a", expect.stringMatching(/^Event: \{.*\}$/), "b"]);
  expect(JSON.parse(lines[1]?.slice("Event: ".length) ?? "")).toEqual({ n: 1, t: "ä\n" });
  expect(reply.payload).toMatchObject({ success: true });
  const denied = await peer.executeAsync("return sb.emit");
  expect(denied.reply.payload).toMatchObject({ returnValues: [NIL] });
});
