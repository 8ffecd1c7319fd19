/** When a cancel frame may interrupt the VM. */
import { expect, test } from "bun:test";
import { ScriptCancel } from "../../../src/headless/script-cancel.ts";
import { SHARED } from "../../../src/headless/worker-messages.ts";

function watch(isBusy: boolean): { cancel: ScriptCancel; isFlagged: () => boolean } {
  const shared = new SharedArrayBuffer(SHARED.cells * 4);
  const cells = new Int32Array(shared);
  cells[SHARED.busy] = isBusy ? 1 : 0;
  return { cancel: new ScriptCancel(shared), isFlagged: () => cells[SHARED.cancel] === 1 };
}

const frame = (type: string, requestId: string): string =>
  JSON.stringify({ payload: { type: "execute", requestId: "inner" }, type, sessionId: "s", requestId });

test("a cancel of the script that keeps the VM busy interrupts it", () => {
  const { cancel, isFlagged } = watch(true);
  cancel.seeIncoming(frame("execute", "a"));
  cancel.seeIncoming(frame("cancel", "a"));
  expect(isFlagged()).toBe(true);
});

test("a cancel of a script that still waits for its turn interrupts nothing", () => {
  const { cancel, isFlagged } = watch(true);
  cancel.seeIncoming(frame("execute", "a"));
  cancel.seeIncoming(frame("execute", "b"));
  cancel.seeIncoming(frame("cancel", "b"));
  expect(isFlagged()).toBe(false);
});

test("after an answer the next script is the one that runs", () => {
  const { cancel, isFlagged } = watch(true);
  cancel.seeIncoming(frame("execute", "a"));
  cancel.seeIncoming(frame("execute", "b"));
  cancel.seeOutgoing(frame("output", "a"));
  cancel.seeIncoming(frame("cancel", "b"));
  expect(isFlagged()).toBe(false);
  cancel.seeOutgoing(frame("scriptComplete", "a"));
  cancel.seeIncoming(frame("cancel", "b"));
  expect(isFlagged()).toBe(true);
});

test("an idle VM is left alone", () => {
  const { cancel, isFlagged } = watch(false);
  cancel.seeIncoming(frame("execute", "a"));
  cancel.seeIncoming(frame("cancel", "a"));
  expect(isFlagged()).toBe(false);
});

test("frames that are no envelopes are ignored", () => {
  const { cancel, isFlagged } = watch(true);
  for (const text of ["", "[]", "{}", '{"type":5,"requestId":null}', "nonsense"]) {
    cancel.seeIncoming(text);
    cancel.seeOutgoing(text);
  }
  expect(isFlagged()).toBe(false);
});
