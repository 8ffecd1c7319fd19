import { describe, expect, test } from "bun:test";
import { knownSessions } from "../../../../src/bridge/client/client-core.ts";
import type { SessionInfo } from "../../../../src/protocol/network.ts";
import { ClientWorld, exampleSession } from "./client-world.ts";

const other: SessionInfo = { ...exampleSession, sessionId: "t" };

const known = ({ client, nowMs }: ClientWorld) =>
  knownSessions(client, nowMs)?.map(({ sessionId, state }) => `${sessionId} ${state}`);
const list = (world: ClientWorld, sessions: readonly SessionInfo[]) => {
  const [asked] = world.do({ type: "list", callId: "l", timeoutMs: 1_000 });
  expect(asked?.type).toBe("send");
  world.hear("list-sessions-response", { requestId: "l", sessions }, { requestId: "l" });
};

describe("the sessions that a client knows", () => {
  test("are those of the welcome, kept up to date by what the host tells, with time passing", () => {
    const world = new ClientWorld();
    world.do({ type: "attached", sessions: [exampleSession] });
    expect(known(world)).toEqual(["s Edit"]);
    world.nowMs = 250;
    expect(knownSessions(world.client, world.nowMs)?.[0]?.uptimeMs).toBe(350);
    world.hear("session-event", { event: "connected", session: other });
    world.hear("session-event", { event: "state-changed", session: { ...exampleSession, state: "Play" } });
    expect(known(world)).toEqual(["s Play", "t Edit"]);
    world.hear("session-event", { event: "disconnected", session: exampleSession });
    expect(known(world)).toEqual(["t Edit"]);
  });

  test("are not known before a host that does not tell was asked once", () => {
    const world = new ClientWorld().ready();
    world.hear("session-event", { event: "connected", session: other });
    expect(known(world)).toBeUndefined();
    list(world, [exampleSession, other]);
    expect(known(world)).toEqual(["s Edit", "t Edit"]);
    world.hear("session-event", { event: "disconnected", session: exampleSession });
    expect(known(world)).toEqual(["t Edit"]);
  });

  test("are those of the next host only once it has waited for them", () => {
    const world = new ClientWorld();
    world.do({ type: "attached", sessions: [exampleSession, other] });
    world.do({ type: "detached" });
    expect(known(world)).toBeUndefined();
    world.do({ type: "attached", sessions: [] });
    expect(known(world)).toBeUndefined();
    const sessions = [{ ...exampleSession, state: "Run" }];
    const heard = world.hear(
      "list-sessions-response",
      { requestId: "fresh-1", sessions },
      { requestId: "fresh-1" },
    );
    expect(heard).toMatchObject([{ event: { event: "disconnected", session: { sessionId: "t" } } }]);
    expect(known(world)).toEqual(["s Run"]);
  });

  test("are asked for again where the next host stood still, so that a session that is gone is told", () => {
    const world = new ClientWorld();
    world.do({ type: "attached", sessions: [exampleSession, other] });
    world.do({ type: "detached" });
    world.do({ type: "attached", sessions: [] });
    expect(
      world.pass(6_000).map((effect) => ("text" in effect ? JSON.parse(effect.text) : effect)),
    ).toMatchObject([{ type: "list-sessions", requestId: "fresh-2" }]);
    const answer = (requestId: string) =>
      world.hear("list-sessions-response", { requestId, sessions: [exampleSession] }, { requestId });
    // The late answer to the first question belongs to nothing any more.
    expect(answer("fresh-1")).toEqual([]);
    expect(answer("fresh-2")).toMatchObject([
      { event: { event: "disconnected", session: { sessionId: "t" } } },
    ]);
    expect(known(world)).toEqual(["s Edit"]);
    expect(world.pass(60_000)).toEqual([]);
  });

  test("are none any more when the connection has ended", () => {
    const world = new ClientWorld();
    world.do({ type: "attached", sessions: [exampleSession] });
    world.do({ type: "lost" });
    expect(known(world)).toBeUndefined();
  });
});
