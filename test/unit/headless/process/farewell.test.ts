/** What the bridge host hears of a VM that died. */
import { expect, test } from "bun:test";
import { Farewell } from "../../../../src/headless/process/farewell.ts";

const registered = (sessionId: string): string =>
  JSON.stringify({ type: "registered", sessionId: "", payload: { sessionId, capabilities: [] } });

test("answers the scripts of the dead, tells which of them started, and ends every session on its socket", () => {
  const farewell = new Farewell(true);
  farewell.seeIncoming(1, registered("edit"));
  farewell.seeIncoming(2, registered("idle"));
  farewell.seeIncoming(3, registered("over"));
  farewell.seeIncoming(3, JSON.stringify({ type: "execute", payload: { script: '"registered"' } }));
  farewell.seeOutgoing(JSON.stringify({ type: "unregister", sessionId: "over", payload: {} }));
  const unanswered = new Map([
    ["a", "edit"],
    ["b", "edit"],
    ["c", "over"],
  ]);
  const said = farewell.frames("out of memory", unanswered);
  const message =
    "Headless Studio ended: a script used more memory than it has. Changes that were not saved are lost.";
  const refusal = (requestId: string, outcome: string): object => ({
    type: "error",
    sessionId: "edit",
    requestId,
    payload: { code: "SESSION_GONE", message, outcome },
  });
  const over = (sessionId: string): object => ({
    type: "unregister",
    sessionId,
    payload: { reason: "out of memory" },
  });
  expect(said.map(({ socketId, text }) => [socketId, JSON.parse(text)])).toEqual([
    [1, refusal("a", "unknown")],
    [1, refusal("b", "not_started")],
    [1, over("edit")],
    [2, over("idle")],
  ]);
});
