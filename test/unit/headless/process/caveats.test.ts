/** Which questions about the limits of a Studio are answered in place of the plugin, and with which counts. */
import { expect, test } from "bun:test";
import { Caveats } from "../../../../src/headless/process/caveats.ts";

const ask = (payload: object) =>
  JSON.stringify({ type: "queryCaveats", sessionId: "s", requestId: "r", payload });

function opened() {
  const sent: string[] = [];
  const caveats = new Caveats({ isTrusted: (id) => id === 1, send: (_, frame) => void sent.push(frame) });
  const note = (name: string, count = 1) => caveats.add({ kind: "neverFires", name, count });
  const answer = (payload: object): unknown => {
    expect(caveats.take(1, ask(payload))).toBe(true);
    return JSON.parse(sent.pop() ?? "").payload.neverFires;
  };
  return { caveats, note, answer, sent };
}

test("counts of the Studio go on over tests, those of a test begin with it", () => {
  const { caveats, note, answer } = opened();
  note("A");
  note("B", 2);
  caveats.testStarted();
  note("A");
  expect(answer({ of: "test" })).toEqual([{ event: "A", connections: 1 }]);
  expect(answer({})).toEqual([
    { event: "A", connections: 2 },
    { event: "B", connections: 2 },
  ]);
});

test("what is taken back does not count any more", () => {
  const { note, answer } = opened();
  note("A", 2);
  note("B");
  note("A", -2);
  expect(answer({})).toEqual([{ event: "B", connections: 1 }]);
});

test("a socket of a script, and any other request, goes on to the plugin", () => {
  const { caveats, sent } = opened();
  expect(caveats.take(2, ask({}))).toBe(false);
  expect(caveats.take(1, JSON.stringify({ type: "queryState", payload: { queryCaveats: 1 } }))).toBe(false);
  expect(sent).toEqual([]);
});
