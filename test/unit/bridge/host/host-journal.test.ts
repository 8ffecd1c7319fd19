/** What the host tells its journal: each request once, and each end once. */
import { expect, test } from "bun:test";
import type { Journal, JournaledReply, JournaledRequest } from "../../../../src/journal/index.ts";
import { simpleWorld } from "./core-world.ts";

function noted() {
  const requests: JournaledRequest[] = [];
  const replies: JournaledReply[] = [];
  const sessions: string[] = [];
  const lines: string[] = [];
  const journal: Pick<Journal, "request" | "reply" | "session" | "lines" | "wantsLines" | "reread"> = {
    request: (request) => void requests.push(request),
    reply: (reply) => void replies.push(reply),
    session: (event, { sessionId }) => void sessions.push(`${event} ${sessionId}`),
    lines: (sessionId, entries) => void lines.push(...entries.map(({ body }) => `${sessionId} ${body}`)),
    wantsLines: false,
    reread: () => {},
  };
  return { requests, replies, sessions, lines, journal };
}

test("each end of a request has its own outcome", () => {
  const { requests, replies, journal } = noted();
  const { world, client, plugin, sessionId } = simpleWorld({ journal });
  const header = (requestId: string) => ({ sessionId, requestId });
  for (const id of ["fine", "raises", "denied", "chunked", "left", "gone"])
    world.request(client, id, sessionId, id === "left" ? "queryState" : "execute", { script: "x" });
  world.pass(5);
  world.say(plugin, "scriptComplete", { success: true }, header("fine"));
  world.say(plugin, "scriptComplete", { success: false }, { ...header("raises"), failed: true });
  world.say(plugin, "error", { code: "DENIED", message: "no", outcome: "not_started" }, header("denied"));
  world.say(plugin, "chunk", { seq: 0, total: 2, data: "{" }, { ...header("chunked"), failed: true });
  world.say(plugin, "chunk", { seq: 1, total: 2, data: "}" }, { ...header("chunked"), failed: true });
  world.do({ type: "closed", linkId: client, isWanted: true });
  world.say(plugin, "unregister", {}, { sessionId });
  expect(replies).toEqual([
    { requestId: "fine", ms: 5, outcome: "ok" },
    { requestId: "raises", ms: 5, outcome: "failed" },
    { requestId: "denied", ms: 5, outcome: "error", code: "DENIED" },
    { requestId: "chunked", ms: 5, outcome: "failed" },
    { requestId: "left", ms: 5, outcome: "left" },
    { requestId: "gone", ms: 5, outcome: "error", code: "SESSION_GONE" },
  ]);
  expect(requests.map(({ requestId }) => requestId).sort()).toEqual(
    replies.map(({ requestId }) => requestId).sort(),
  );
});

test("a request that the host refuses is noted with its end", () => {
  const { requests, replies, journal } = noted();
  const { world, client } = simpleWorld({ journal });
  world.request(client, "r1", "no such session", "execute", { script: "x" });
  expect(requests).toMatchObject([{ requestId: "r1", sessionId: "no such session", class: "run" }]);
  expect(replies).toEqual([{ requestId: "r1", ms: 0, outcome: "error", code: "SESSION_NOT_FOUND" }]);
});

test("a question beside another request is not noted", () => {
  const { requests, replies, journal } = noted();
  const { world, client, plugin, sessionId } = simpleWorld({ journal });
  world.request(client, "r1", sessionId, "queryCaveats", { of: "studio" });
  world.say(plugin, "caveatsResult", { neverFires: [] }, { sessionId, requestId: "r1" });
  world.request(client, "r2", "no such session", "queryCaveats", { of: "studio" });
  expect([...requests, ...replies]).toEqual([]);
});

test("a request is noted with its client, its summary, its class and its body, before its plugin has it", () => {
  const { requests, journal } = noted();
  const { world, client, plugin, sessionId } = simpleWorld({ journal });
  const caller = { id: "c1", name: "agent" };
  const action = { type: "execute", payload: { script: "x" } };
  const body = { requestId: "r1", targetSessionId: sessionId, caller, summary: "exec", action };
  world.say(client, "host-envelope", body, { requestId: "r1" });
  expect(requests).toEqual([
    {
      ...{ requestId: "r1", sessionId, caller, action: "execute", summary: "exec" },
      class: "run",
      body: '{"script":"x"}',
    },
  ]);
  expect(world.texts(plugin)).toHaveLength(1);
});

test("sessions are noted as they come and go, and lines as a client follows them", () => {
  const { sessions, lines, journal } = noted();
  const { world, client, plugin, sessionId } = simpleWorld({ journal });
  world.request(client, "r1", sessionId, "subscribe", { events: ["logPush"] });
  world.say(plugin, "subscribeResult", { events: ["logPush"] }, { sessionId, requestId: "r1" });
  const entries = [{ level: "Print", body: "hello", timestamp: 1 }];
  world.say(plugin, "logPush", { entries, seq: 0 }, { sessionId });
  world.say(plugin, "unregister", {}, { sessionId });
  expect(lines).toEqual([`${sessionId} hello`]);
  expect(sessions).toEqual([`connected ${sessionId}`, `disconnected ${sessionId}`]);
});

test("with lines on, the host follows every session by itself, and stops when they are off", () => {
  const { journal } = noted();
  let wantsLines = true;
  const wishing = Object.defineProperty({ ...journal }, "wantsLines", { get: () => wantsLines });
  const { world, client, plugin, sessionId } = simpleWorld({ journal: wishing });
  const other = world.register(plugin, { context: "server", capabilities: ["subscribe", "unsubscribe"] });
  const asked = () => world.frames(plugin).map(({ type, sessionId: id }) => [type, id]);
  wantsLines = false;
  world.say(client, "list-sessions", {}, { requestId: "l1" });
  expect(asked()).toContainEqual(["unsubscribe", other]);
  wantsLines = true;
  world.say(client, "list-sessions", {}, { requestId: "l2" });
  expect(asked()).toContainEqual(["subscribe", other]);
  expect(asked()).not.toContainEqual(["subscribe", sessionId]);
});
