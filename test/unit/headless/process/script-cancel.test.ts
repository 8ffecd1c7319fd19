/** When a cancel frame may interrupt the VM. */
import { expect, test } from "bun:test";
import { ScriptCancel } from "../../../../src/headless/process/script-cancel.ts";
import { SHARED, vmMark } from "../../../../src/headless/process/worker-messages.ts";

const SESSIONS = {
  edit: { context: "edit" },
  server: { context: "server" },
  client: { context: "client", player: { name: "Player2", index: 2 } },
};

/** With a session of each context, named after it. */
function watch(busy: number): { cancel: ScriptCancel; flagged: () => number | undefined } {
  const shared = new SharedArrayBuffer(SHARED.cells * 4);
  const cells = new Int32Array(shared);
  cells[SHARED.busy] = busy;
  const cancel = new ScriptCancel(shared);
  for (const [sessionId, payload] of Object.entries(SESSIONS)) {
    const requestId = `register ${sessionId}`;
    cancel.seeOutgoing(JSON.stringify({ type: "register", requestId, sessionId: "", payload }));
    cancel.seeIncoming(JSON.stringify({ type: "registered", requestId, payload: { sessionId } }));
  }
  return { cancel, flagged: () => cells[SHARED.cancel] };
}

const frame = (type: string, requestId: string, sessionId = "edit"): string =>
  JSON.stringify({ payload: { type: "execute", requestId: "inner" }, type, sessionId, requestId });

test.each([
  ["edit", vmMark("edit")],
  ["server", vmMark("server")],
  ["client", vmMark("client", 2)],
])("a cancel of the script that keeps the VM of its %s session busy interrupts it", (session, mark) => {
  const { cancel, flagged } = watch(mark);
  cancel.seeIncoming(frame("execute", "a", session));
  cancel.seeIncoming(frame("cancel", "a", session));
  expect(flagged()).toBe(mark);
});

test.each([vmMark("server"), vmMark("client", 1), vmMark("client", 2)])(
  "a cancel of a script that waits leaves the other DataModels alone (%d)",
  (mark) => {
    const { cancel, flagged } = watch(mark);
    cancel.seeIncoming(frame("execute", "a"));
    cancel.seeIncoming(frame("cancel", "a"));
    expect(flagged()).toBe(0);
  },
);

test("a cancel of a script that still waits for its turn interrupts nothing", () => {
  const { cancel, flagged } = watch(vmMark("edit"));
  cancel.seeIncoming(frame("execute", "a"));
  cancel.seeIncoming(frame("execute", "b"));
  cancel.seeIncoming(frame("cancel", "b"));
  expect(flagged()).toBe(0);
});

test("after an answer the next script is the one that runs", () => {
  const { cancel, flagged } = watch(vmMark("edit"));
  cancel.seeIncoming(frame("execute", "a"));
  cancel.seeIncoming(frame("execute", "b"));
  cancel.seeOutgoing(frame("output", "a"));
  cancel.seeIncoming(frame("cancel", "b"));
  expect(flagged()).toBe(0);
  cancel.seeOutgoing(frame("scriptComplete", "a"));
  cancel.seeIncoming(frame("cancel", "b"));
  expect(flagged()).toBe(vmMark("edit"));
});

test("an idle VM is left alone", () => {
  const { cancel, flagged } = watch(0);
  cancel.seeIncoming(frame("execute", "a"));
  cancel.seeIncoming(frame("cancel", "a"));
  expect(flagged()).toBe(0);
});

test("frames that are no envelopes are ignored", () => {
  const { cancel, flagged } = watch(vmMark("edit"));
  for (const text of ["", "[]", "{}", '{"type":5,"requestId":null}', "nonsense"]) {
    cancel.seeIncoming(text);
    cancel.seeOutgoing(text);
  }
  expect(flagged()).toBe(0);
});

const chunk = (requestId: string, seq: number, total: number): string =>
  JSON.stringify({
    type: "chunk",
    sessionId: "edit",
    requestId,
    payload: { seq, total, data: '"type":"error"' },
  });

test("a large reply ends its script with its last piece", () => {
  const { cancel, flagged } = watch(vmMark("edit"));
  cancel.seeIncoming(frame("execute", "a"));
  cancel.seeIncoming(frame("execute", "b"));
  cancel.seeOutgoing(chunk("a", 0, 2));
  expect([...cancel.unanswered.keys()]).toEqual(["a", "b"]);
  cancel.seeOutgoing(chunk("a", 1, 2));
  expect([...cancel.unanswered.keys()]).toEqual(["b"]);
  cancel.seeIncoming(frame("cancel", "b"));
  expect(flagged()).toBe(vmMark("edit"));
});

test("a script that may have ended while the link was down does not keep later scripts from being cancelled", () => {
  const { cancel, flagged } = watch(vmMark("edit"));
  cancel.seeIncoming(frame("execute", "a"));
  cancel.linkLost();
  cancel.seeIncoming(frame("execute", "b"));
  expect([...cancel.unanswered.keys()]).toEqual(["b"]);
  cancel.seeIncoming(frame("cancel", "b"));
  expect(flagged()).toBe(vmMark("edit"));
});

test("a script that the next host asks about is still the one that runs", () => {
  const { cancel, flagged } = watch(vmMark("edit"));
  cancel.seeIncoming(frame("execute", "a"));
  cancel.linkLost();
  cancel.seeIncoming(frame("await", "a"));
  cancel.seeIncoming(frame("execute", "b"));
  cancel.seeIncoming(frame("cancel", "b"));
  expect(flagged()).toBe(0);
  cancel.seeIncoming(frame("cancel", "a"));
  expect(flagged()).toBe(vmMark("edit"));
});
