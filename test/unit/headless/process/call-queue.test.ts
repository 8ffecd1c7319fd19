/** Which calls of the engine reach the main thread in one message. */
import { expect, test } from "bun:test";
import { CallQueue } from "../../../../src/headless/process/call-queue.ts";
import type { HostCall } from "../../../../src/headless/process/worker-messages.ts";

const line = (text: string): HostCall => ["sendSocket", 1, JSON.stringify({ type: "output", text })];
const reply: HostCall = ["sendSocket", 1, JSON.stringify({ type: "scriptComplete" })];

function opened(): { readonly queue: CallQueue; readonly posted: (readonly HostCall[])[] } {
  const posted: (readonly HostCall[])[] = [];
  return { queue: new CallQueue((calls) => posted.push(calls)), posted };
}

test("lines of output wait for the next other call and arrive before it, in one message", () => {
  const { queue, posted } = opened();
  queue.add(line("a"));
  queue.add(line("b"));
  expect(posted).toEqual([]);
  queue.add(reply);
  expect(posted).toEqual([[line("a"), line("b"), reply]]);
  queue.add(["closeSocket", 1]);
  expect(posted).toHaveLength(2);
});

test("waiting lines are sent when the VM rests, and nothing is sent if no line waits", () => {
  const { queue, posted } = opened();
  queue.flush();
  queue.add(line("a"));
  queue.flush();
  queue.flush();
  expect(posted).toEqual([[line("a")]]);
});

test("while the VM works, a line waits for 5 ms at most", async () => {
  const { queue, posted } = opened();
  queue.flushOld();
  queue.add(line("a"));
  await Bun.sleep(6);
  queue.flushOld();
  expect(posted).toEqual([[line("a")]]);
});

test("lines with many characters are sent at once", () => {
  const { queue, posted } = opened();
  queue.add(line("a"));
  queue.add(line("b".repeat(65_536)));
  expect(posted).toHaveLength(1);
});
