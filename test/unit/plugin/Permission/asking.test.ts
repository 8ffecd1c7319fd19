/** What a request meets at the level Ask, at the end of the host: questions, answers, deadlines, and callers that lie. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { words } from "../../../../src/protocol/words.ts";
import type { Envelope } from "../../../../src/protocol/envelope.ts";
import { PanelHand } from "../../../peers/panel-hand.ts";
import { BridgePeer, SESSION_ID } from "../bridge-peer.ts";

setDefaultTimeout(120_000);

const asking = (answers: string, level = "ask") => ({
  [words.permissionSetting]: JSON.stringify(level),
  [words.answersSetting]: JSON.stringify(answers),
});
const agent = { id: "c1", name: "Claude Code" };
const part = (name: string) => ({
  op: "create",
  className: "Part",
  parent: "game.Workspace",
  name,
});
const patch = (...operations: object[]) => ({ name: "x", operations });

function ask(peer: BridgePeer, type: string, payload: object, caller: object | undefined = agent): string {
  const requestId = crypto.randomUUID();
  peer.sendRaw(JSON.stringify({ type, sessionId: SESSION_ID, requestId, caller, payload }));
  return requestId;
}

const framesOf = (peer: BridgePeer, id: string): Envelope[] =>
  peer.inbox.filter(({ requestId }) => requestId === id);

function endOf(peer: BridgePeer, id: string): Promise<Envelope> {
  const isEnd = ({ type }: Envelope) => !["held", "running", "output"].includes(type);
  return peer.untilAsync(() => framesOf(peer, id).find(isEnd), `an end of ${id}`);
}

async function codeAsync(peer: BridgePeer, type: string, payload: object, caller?: object): Promise<string> {
  const end = await endOf(peer, ask(peer, type, payload, caller));
  return end.type === "error" ? String(Object(end.payload).code) : end.type;
}

const namesAsync = async (peer: BridgePeer): Promise<string[]> => {
  const { instance } = await peer.askAsync("queryDataModel", { path: "game.Workspace", depth: 1 });
  return (instance.children ?? []).map(({ name }) => name);
};

test("a change waits, says so at once, and is made after the Yes", async () => {
  using peer = await BridgePeer.connectAsync({ settings: asking("once") });
  const id = ask(peer, "applyPatch", patch(part("Asked")));
  const [held] = await peer.untilAsync(() => framesOf(peer, id).length > 0 && framesOf(peer, id), "held");
  expect(held).toMatchObject({ type: "held", payload: { reason: "permission" } });
  expect(await namesAsync(peer)).not.toContain("Asked");
  expect((await endOf(peer, id)).type).toBe("patchResult");
  expect(framesOf(peer, id).map(({ type }) => type)).toEqual(["held", "running", "patchResult"]);
  expect(await namesAsync(peer)).toContain("Asked");
  expect(peer.faults).toEqual([]);
});

test("a no leaves nothing, and looking needs no question", async () => {
  using peer = await BridgePeer.connectAsync({ settings: asking("no,no,no") });
  const steps = await peer.askAsync("listSteps", {});
  expect(await codeAsync(peer, "applyPatch", patch(part("Asked")))).toBe("DENIED");
  expect(await codeAsync(peer, "execute", { script: "workspace.Name = 'W'" })).toBe("DENIED");
  expect(await codeAsync(peer, "select", { paths: ["game.Workspace"] })).toBe("DENIED");
  expect(await codeAsync(peer, "select", {})).toBe("selectResult");
  expect(await peer.askAsync("listSteps", {})).toEqual(steps);
  expect(await namesAsync(peer)).not.toContain("Asked");
});

test("a dry run is asked about too, because it touches the place", async () => {
  using peer = await BridgePeer.connectAsync({ settings: asking("no") });
  expect(await codeAsync(peer, "applyPatch", { ...patch(part("A")), dryRun: true })).toBe("DENIED");
});

test("always holds for that connection and that class, and for no other", async () => {
  using peer = await BridgePeer.connectAsync({ settings: asking("always,no,no,no") });
  expect(await codeAsync(peer, "applyPatch", patch(part("A")))).toBe("patchResult");
  expect(await codeAsync(peer, "applyPatch", patch(part("B")))).toBe("patchResult");
  expect(await codeAsync(peer, "execute", { script: "return 1" })).toBe("DENIED");
  expect(await codeAsync(peer, "applyPatch", patch(part("C")), { id: "c2", name: "Claude Code" })).toBe(
    "DENIED",
  );
  expect(await codeAsync(peer, "applyPatch", patch(part("D")), undefined)).toBe("patchResult");
});

test("a client without a name is offered no always", async () => {
  using peer = await BridgePeer.connectAsync({ settings: asking("always,once") });
  const requestId = crypto.randomUUID();
  peer.sendRaw(
    JSON.stringify({ type: "execute", sessionId: SESSION_ID, requestId, payload: { script: "return 1" } }),
  );
  await Bun.sleep(2_000);
  expect(framesOf(peer, requestId).map(({ type }) => type)).toEqual(["held"]);
});

test("a caller that leaves withdraws its question, and nothing runs", async () => {
  using peer = await BridgePeer.connectAsync({ settings: asking("none,once") });
  const id = ask(peer, "applyPatch", patch(part("Left")));
  await peer.untilAsync(() => framesOf(peer, id).length > 0, "held");
  peer.send("cancel", {}, id);
  expect((await endOf(peer, id)).payload).toMatchObject({ code: "CANCELLED", outcome: "not_started" });
  expect(await codeAsync(peer, "applyPatch", patch(part("Kept")))).toBe("patchResult");
  const names = await namesAsync(peer);
  expect([names.includes("Left"), names.includes("Kept")]).toEqual([false, true]);
});

test("a repeated request and a question about it do not ask twice", async () => {
  using peer = await BridgePeer.connectAsync({ settings: asking("once,no") });
  const payload = patch(part("Twice"));
  const id = ask(peer, "applyPatch", payload);
  peer.send("await", { fromSeq: 0 }, id);
  peer.sendRaw(
    JSON.stringify({ type: "applyPatch", sessionId: SESSION_ID, requestId: id, caller: agent, payload }),
  );
  expect((await endOf(peer, id)).type).toBe("patchResult");
  expect((await namesAsync(peer)).filter((name) => name === "Twice")).toHaveLength(1);
});

test("from 5 Instances: few changes pass, many and every removal ask, and runs always ask", async () => {
  using peer = await BridgePeer.connectAsync({ settings: asking("no,no,no,no,no", "askFrom5") });
  expect(await codeAsync(peer, "applyPatch", patch(part("A"), part("B")))).toBe("patchResult");
  expect(await codeAsync(peer, "applyPatch", patch(part("C"), part("D")))).toBe("patchResult");
  expect(await codeAsync(peer, "applyPatch", patch(part("E")))).toBe("DENIED");
  const other = { id: "c2", name: "other" };
  expect(await codeAsync(peer, "applyPatch", patch(part("F")), other)).toBe("patchResult");
  const removal = patch({ op: "delete", path: "game.Workspace.A" });
  expect(await codeAsync(peer, "applyPatch", removal, { id: "c3", name: "third" })).toBe("DENIED");
  expect(await codeAsync(peer, "execute", { script: "return 1" }, other)).toBe("DENIED");
  expect(await codeAsync(peer, "undo", {}, other)).toBe("DENIED");
});

test("the parts of a step are asked about once, but not what the first part has not shown", async () => {
  using peer = await BridgePeer.connectAsync({ settings: asking("once,no,no") });
  const step = (isLast: boolean) => ({ step: { id: "s1", isLast } });
  const coming = [part("B"), { op: "delete", path: "game.Workspace.Old" }];
  const first = { ...patch(part("A")), coming, ...step(false) };
  expect(await codeAsync(peer, "applyPatch", first)).toBe("patchResult");
  expect(await codeAsync(peer, "applyPatch", { ...patch(part("B")), ...step(false) })).toBe("patchResult");
  const lie = { ...patch({ op: "delete", path: "game.Workspace.A" }), ...step(true) };
  expect(await codeAsync(peer, "applyPatch", lie)).toBe("DENIED");
  expect(await namesAsync(peer)).toContain("A");
});

/** Turns the engine's clock faster than the world's, for a host that is heard all the while. */
function hasten(peer: BridgePeer): Disposable {
  const timer = setInterval(() => {
    peer.studio.runSource(
      "=Clock",
      'local Clock = engine("./Kernel/Clock") Clock.useManual() Clock.advance(0.1)',
    );
    peer.send("ping", {});
  }, 10);
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

test("a step stays one undo step where the person thinks long about a part of it", async () => {
  using peer = await BridgePeer.connectAsync({ settings: asking("once,none") });
  using _clock = hasten(peer);
  const hand = new PanelHand(peer);
  await hand.openAsync();
  const part1 = { ...patch(part("A")), coming: [part("B")], step: { id: "s1", isLast: false } };
  expect(await codeAsync(peer, "applyPatch", part1)).toBe("patchResult");
  const unannounced = { op: "delete", path: "game.Workspace.A" };
  const id = ask(peer, "applyPatch", { ...patch(part("B"), unannounced), step: { id: "s1", isLast: true } });
  await peer.untilAsync(() => framesOf(peer, id).length >= 5, "twenty seconds of waiting");
  await hand.answerAsync("Once");
  expect((await endOf(peer, id)).payload).toMatchObject({ ok: true, undo: { recorded: true } });
  expect((await peer.askAsync("listSteps", {})).steps.filter(({ name }) => name === "x")).toHaveLength(1);
});

test("a Yes that comes too late is told to the host, and serves the next try", async () => {
  using peer = await BridgePeer.connectAsync({ settings: asking("late,none") });
  using _clock = hasten(peer);
  const lateAsync = (marks: object) =>
    codeAsync(peer, "applyPatch", {
      ...patch(part("Late"), { op: "set", path: "game.ServerStorage", attributes: marks }),
      step: { id: crypto.randomUUID(), isLast: true },
    });
  const revision = () => ({ [`${words.revisionPrefix}p`]: crypto.randomUUID() });
  expect(await lateAsync({ [words.placeMark]: "1", ...revision() })).toBe("UNANSWERED");
  const yes = await peer.untilAsync(() => {
    const beats = peer.inbox.filter(({ type }) => type === "heartbeat");
    return beats.find(({ payload }) => Object(payload).lateYesAt !== undefined);
  }, "a heartbeat that tells it");
  expect(Object(yes.payload).lateYesAt).toBeNumber();
  expect(await lateAsync(revision())).toBe("patchResult");
});

test("a sync whose batch was refused is not asked about its revision too", async () => {
  using peer = await BridgePeer.connectAsync({ settings: asking("no,none") });
  const holder = { id: "h1", name: "sync" };
  expect(await codeAsync(peer, "syncOpen", { holder })).toBe("syncOpened");
  const sync = { project: "p", plan: "1" };
  expect(await codeAsync(peer, "applyPatch", { ...patch(part("A")), sync })).toBe("DENIED");
  expect(await codeAsync(peer, "nameRevision", { project: "p", name: "r" })).toBe("DENIED");
});

test("200 questions at once: each ends, and one more is told that too many wait", async () => {
  using peer = await BridgePeer.connectAsync({ settings: asking("none") });
  const ids = Array.from({ length: 201 }, (_, at) => ask(peer, "execute", { script: `return ${at}` }));
  const [last = ""] = ids.slice(-1);
  expect(Object((await endOf(peer, last)).payload).code).toBe("BUSY");
  peer.trigger("StudioBridgeLookOnly");
  for (const id of ids.slice(0, -1)) expect(Object((await endOf(peer, id)).payload).code).toBe("DENIED");
});

test("a change of the level decides what waits", async () => {
  using peer = await BridgePeer.connectAsync({ settings: asking("none,none") });
  const id = ask(peer, "execute", { script: "return 1" });
  await peer.untilAsync(() => framesOf(peer, id).length > 0, "held");
  peer.trigger("StudioBridgePause");
  expect(Object((await endOf(peer, id)).payload).code).toBe("PAUSED");
});
