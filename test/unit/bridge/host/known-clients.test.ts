import { describe, expect, test } from "bun:test";
import { CoreWorld, simpleWorld } from "./core-world.ts";
import type { Frame } from "./core-world.ts";

const lists = (frames: readonly Frame[]) =>
  frames.filter(({ type }) => type === "clients").map(({ payload }) => payload["clients"]);

function ask(
  world: CoreWorld,
  client: number,
  sessionId: string,
  caller: { id: string; name: string },
): void {
  const requestId = `${caller.id} asks`;
  const action = { type: "queryState", payload: {} };
  const body = { requestId, targetSessionId: sessionId, caller: { ...caller, version: "1", pid: 7 }, action };
  world.say(client, "host-envelope", body, { requestId });
}

const one = { id: "c1", name: "sb" };
const other = { id: "c2", name: "agent" };

describe("the list of clients", () => {
  test("reaches plugins a moment after a client has named itself, and after it has left", () => {
    const { world, client, plugin, sessionId } = simpleWorld();
    ask(world, client, sessionId, one);
    ask(world, client, sessionId, other);
    expect(lists(world.frames(plugin))).toEqual([]);
    world.pass(250);
    expect(lists(world.frames(plugin))).toEqual([[one, other]]);
    world.do({ type: "closed", linkId: client, isWanted: true });
    world.pass(250);
    expect(lists(world.frames(plugin))).toEqual([[]]);
  });

  test("is not sent again while nothing of it changes", () => {
    const { world, client, plugin, sessionId } = simpleWorld();
    ask(world, client, sessionId, one);
    world.pass(1_000);
    world.frames(plugin);
    ask(world, client, sessionId, { ...one });
    world.pass(1_000);
    expect(lists(world.frames(plugin))).toEqual([]);
  });

  test("reaches a plugin that connects later", () => {
    const { world, client, sessionId } = simpleWorld();
    ask(world, client, sessionId, one);
    world.pass(1_000);
    const late = world.proven("plugin");
    world.say(late, "register", { ...registration }, { requestId: "register" });
    expect(lists(world.frames(late))).toEqual([[one]]);
  });

  test("changes at most four times in a second", () => {
    const { world, client, plugin, sessionId } = simpleWorld();
    for (let index = 0; index < 100; index += 1) {
      ask(world, client, sessionId, { id: `c${index}`, name: "sb" });
      world.say(plugin, "stateResult", {}, { sessionId, requestId: `c${index} asks` });
      world.pass(10);
    }
    expect(lists(world.frames(plugin)).length).toBeLessThanOrEqual(4);
  });
});

const registration = {
  pluginVersion: "1",
  instanceId: "window-9",
  context: "edit",
  placeName: "",
  placeId: 0,
  gameId: 0,
  state: "Edit",
  capabilities: ["execute"],
};
