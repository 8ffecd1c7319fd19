import { describe, expect, test } from "bun:test";
import { exampleRegister } from "../../../peers/scripted-plugin.ts";
import { CoreWorld, errorOf, nonceA, port, prover, simpleWorld } from "./core-world.ts";

const closed = (linkId: number, code: number, reason = "") =>
  ({ type: "close", linkId, code, reason }) as const;

describe("handshake", () => {
  test.each(["plugin", "client"] as const)("of a %s proves both sides", (role) => {
    const world = new CoreWorld();
    const link = world.open(role);
    world.hello(link, role);
    const [challenge] = world.frames(link);
    const nonceB = String(challenge?.payload["nonceB"]);
    const claim = { role, port, nonceA, nonceB, hostId: "host-1" } as const;
    expect(challenge?.payload).toEqual({
      nonceB,
      hostId: "host-1",
      proof: prover.prove({ side: "host", ...claim }),
    });
    world.say(link, "auth", { proof: prover.prove({ side: "peer", ...claim }) });
    expect(world.frames(link).map(({ type, payload }) => ({ type, payload }))).toEqual([
      {
        type: "welcome",
        payload: {
          serverVersion: "9.9.9",
          protocolVersion: 2,
          ...(role === "client" ? { sessions: [] } : {}),
        },
      },
    ]);
  });

  test("with a wrong proof ends without a word", () => {
    const world = new CoreWorld();
    const link = world.open("plugin");
    world.hello(link, "plugin");
    world.frames(link);
    world.say(link, "auth", { proof: "00".repeat(32) });
    expect({ frames: world.frames(link), others: world.others }).toEqual({
      frames: [],
      others: [closed(link, 1008)],
    });
  });

  test.each([
    ["another port", { port: port + 1 }],
    ["the other role", { role: "client" as const }],
    ["the host's own side", { side: "host" as const }],
  ])("with a proof made for %s ends without a word", (_, difference) => {
    const world = new CoreWorld();
    const link = world.open("plugin");
    world.hello(link, "plugin");
    const nonceB = String(world.frames(link)[0]?.payload["nonceB"]);
    const claim = { side: "peer", role: "plugin", port, nonceA, nonceB, hostId: "host-1" } as const;
    world.say(link, "auth", { proof: prover.prove({ ...claim, ...difference }) });
    expect({ frames: world.frames(link), others: world.others }).toEqual({
      frames: [],
      others: [closed(link, 1008)],
    });
  });

  test("with the proof of an earlier connection ends without a word", () => {
    const world = new CoreWorld();
    const first = world.open("client");
    world.hello(first, "client");
    const nonceB = String(world.frames(first)[0]?.payload["nonceB"]);
    const claim = { side: "peer", role: "client", port, nonceA, nonceB, hostId: "host-1" } as const;
    const recorded = prover.prove(claim);
    world.say(first, "auth", { proof: recorded });
    expect(world.frames(first)[0]?.type).toBe("welcome");
    const second = world.open("client");
    world.hello(second, "client");
    world.frames(second);
    world.say(second, "auth", { proof: recorded });
    expect({ frames: world.frames(second), refusals: [...world.host.refusals] }).toEqual({
      frames: [],
      refusals: [["proof", 1]],
    });
  });

  test("of a plugin without the key is answered UNPAIRED and listed for a minute", () => {
    const world = new CoreWorld();
    const client = world.proven("client");
    const plugin = world.open("plugin");
    const hello = { role: "plugin", nonceA, keyId: "0".repeat(16), pluginVersion: "0.1" };
    world.say(plugin, "hello", hello, { protocolVersion: 2 });
    expect(errorOf(world.frames(plugin)[0]).code).toBe("UNPAIRED");
    expect(world.others).toEqual([closed(plugin, 4401, "unpaired")]);
    const unpaired = () => {
      world.say(client, "list-sessions", {}, { requestId: "list" });
      return world.frames(client)[0]?.payload["unpaired"];
    };
    expect(unpaired()).toEqual([
      { at: new Date(1_000).toISOString(), pluginVersion: "0.1", keyId: "0".repeat(16) },
    ]);
    world.pass(60_000);
    expect(unpaired()).toEqual([]);
  });

  test("that is not finished within two seconds ends, and the peer is told that it was too slow", () => {
    const world = new CoreWorld();
    const link = world.open("client");
    world.hello(link, "client");
    world.pass(1_999);
    expect(world.others).toEqual([]);
    world.pass(1);
    expect(world.others).toEqual([closed(link, 4408)]);
    expect([...world.host.refusals]).toEqual([["slow", 1]]);
  });

  test("may take its two seconds although the machine stands still for longer meanwhile", () => {
    const world = new CoreWorld();
    const link = world.open("client");
    world.pass(500);
    world.standStill(5_000);
    world.hello(link, "client");
    expect(world.frames(link).map(({ type }) => type)).toEqual(["challenge"]);
    world.pass(1_000);
    expect(world.others).toEqual([]);
    world.pass(600);
    expect(world.others).toEqual([closed(link, 4408)]);
  });

  test.each([
    ["a request", "execute"],
    ["auth before hello", "auth"],
  ])("that begins with %s ends without a word", (_, type) => {
    const world = new CoreWorld();
    const link = world.open("plugin");
    world.say(link, type, {}, { requestId: "1" });
    expect({ frames: world.frames(link), others: world.others }).toEqual({
      frames: [],
      others: [closed(link, 1008)],
    });
  });

  test.each([
    ["plugin", "register", "sb install-plugin"],
    ["client", "list-sessions", "use sb"],
    ["client", "host-envelope", "use sb"],
  ] as const)("of another product, a %s that begins with %s, is told what to do", (role, type, next) => {
    const world = new CoreWorld();
    const link = world.open(role);
    world.say(link, type, {}, { requestId: "1" });
    expect(world.frames(link)).toEqual([
      expect.objectContaining({
        type: "error",
        requestId: "1",
        payload: { code: "UNPAIRED", message: expect.stringContaining(next) },
      }),
    ]);
    expect(world.others).toEqual([closed(link, 4401, "not the studio-bridge of sb")]);
  });

  test("takes no frame over 4 KB and no role but the door's", () => {
    const world = new CoreWorld();
    const long = world.open("client");
    world.say(long, "hello", {
      role: "client",
      nonceA,
      keyId: prover.keyId("client"),
      filler: "x".repeat(4_096),
    });
    const wrongDoor = world.open("client");
    world.hello(wrongDoor, "plugin");
    expect(world.others).toEqual([closed(long, 1008), closed(wrongDoor, 1008)]);
  });

  test("lets sixteen wait and turns the next away until one has proven itself", () => {
    const world = new CoreWorld();
    const links = Array.from({ length: 16 }, () => world.open("client"));
    const turnedAway = world.open("client");
    expect(world.others).toEqual([closed(turnedAway, 4429, "try again")]);
    world.do({ type: "closed", linkId: links[0] ?? 0, isWanted: true });
    world.proven("client");
    expect(world.others).toHaveLength(1);
  });
});

describe("with auth off", () => {
  test("a hello without a nonce is version 1, whose replies need no request id", () => {
    const world = new CoreWorld({ allowUnpaired: true });
    const client = world.proven("client");
    const plugin = world.open("plugin");
    world.say(plugin, "hello", { sessionId: "old" });
    const [welcome] = world.frames(plugin);
    const sessionId = String(welcome?.payload["sessionId"]);
    expect(welcome?.payload).toEqual({ serverVersion: "9.9.9", protocolVersion: 1, sessionId });
    world.request(client, "r1", sessionId, "execute", { script: "x" });
    expect(world.frames(plugin).map(({ type }) => type)).toEqual(["execute"]);
    world.say(plugin, "scriptComplete", { success: true }, { sessionId });
    expect(world.answers(client)).toMatchObject([{ type: "scriptComplete", payload: { success: true } }]);
  });

  test("a first-frame register is version 2 without a proof", () => {
    const world = new CoreWorld({ allowUnpaired: true });
    const link = world.open("plugin");
    world.say(link, "register", exampleRegister);
    expect(world.frames(link).map(({ type }) => type)).toEqual(["welcome", "registered"]);
  });
});

describe("after the proof", () => {
  test("a plugin can neither list nor execute", () => {
    const { world, client, plugin, sessionId } = simpleWorld();
    world.say(plugin, "list-sessions", {}, { requestId: "l" });
    world.request(plugin, "r1", sessionId, "execute", { script: "x" });
    world.say(plugin, "host-ready", {});
    expect({
      plugin: world.frames(plugin),
      client: world.frames(client),
      pending: world.host.pending.size,
    }).toEqual({
      plugin: [],
      client: [],
      pending: 0,
    });
  });

  test("a client cannot register or answer", () => {
    const { world, client, plugin, sessionId } = simpleWorld();
    world.request(client, "r1", sessionId, "queryState");
    world.frames(plugin);
    world.say(client, "register", {}, { requestId: "x" });
    world.say(client, "stateResult", {}, { requestId: "r1", sessionId });
    expect({ client: world.frames(client), sessions: world.host.sessions.size }).toEqual({
      client: [],
      sessions: 1,
    });
  });

  test("the 257th client is told why and closed", () => {
    const world = new CoreWorld();
    for (let index = 0; index < 256; index += 1) world.proven("client");
    expect(() => world.proven("client")).toThrow("not welcomed");
    expect(world.others).toEqual([closed(257, 1008)]);
  });
});
