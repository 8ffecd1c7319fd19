/** Noticing that a host has stopped answering, in time that is turned by hand. */
import { expect, test } from "bun:test";
import type { ClientEffect } from "../../../../src/bridge/client/client-core.ts";
import { ClientWorld } from "./client-world.ts";

const told = (effects: readonly ClientEffect[]) =>
  effects.flatMap((effect) => (effect.type === "quiet" ? [effect.isQuiet] : []));
const sent = (effects: readonly ClientEffect[]) =>
  effects.flatMap((effect) => (effect.type === "send" ? [JSON.parse(effect.text).type] : []));

test("a host that stops answering is asked after 5 s and reported after 15 s, and the call goes on", () => {
  const world = new ClientWorld().ready();
  world.call("a", 60_000);
  expect(sent(world.pass(4_999))).toEqual([]);
  expect(sent(world.pass(1))).toEqual(["list-sessions"]);
  expect(told(world.pass(9_999))).toEqual([]);
  expect(told(world.pass(1))).toEqual([true]);
  const later = world.pass(20_000);
  expect([told(later), sent(later)]).toEqual([[], []]);
  expect(world.answer("a", "scriptComplete", { success: true }).map(({ type }) => type)).toEqual([
    "quiet",
    "reply",
  ]);
});

test("a host that only has nothing to say is not reported", () => {
  const world = new ClientWorld().ready();
  world.call("a", 600_000);
  for (let round = 0; round < 20; round += 1) {
    const effects = world.pass(5_000);
    expect(told(effects)).toEqual([]);
    for (const effect of effects) {
      if (effect.type !== "send") continue;
      const { requestId } = JSON.parse(effect.text);
      world.hear("list-sessions-response", { requestId, sessions: [] }, { requestId });
    }
  }
});

test("a client that waits for nothing does not ask, and the silence does not count later", () => {
  const world = new ClientWorld().ready();
  expect(world.pass(3_600_000)).toEqual([]);
  expect(told([...world.call("a", 60_000), ...world.pass(14_999)])).toEqual([]);
  expect(told(world.pass(1))).toEqual([true]);
});

test("a client that slept itself does not report its host", () => {
  const world = new ClientWorld().ready();
  world.call("a", 600_000);
  world.nowMs += 120_000;
  expect(told(world.do({ type: "tick" }))).toEqual([]);
});

test("a host that is lost is not reported as silent", () => {
  const world = new ClientWorld().ready();
  world.call("a", 60_000);
  world.pass(15_000);
  expect(told(world.do({ type: "detached" }))).toEqual([false]);
  expect(told(world.pass(40_000))).toEqual([]);
});
