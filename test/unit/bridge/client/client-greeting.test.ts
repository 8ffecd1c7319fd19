import { describe, expect, test } from "bun:test";
import { Greeting } from "../../../../src/bridge/client/client-greeting.ts";
import { encode } from "../../../../src/protocol/codec.ts";
import { exampleSession } from "./client-world.ts";
import { nonceA, port, prover } from "../host/core-world.ts";

const nonceB = "b2".repeat(32);
const hostId = "host-1";

const greeting = (allowUnpaired = false) => new Greeting({ prover, port, nonceA, allowUnpaired });

const hear = (client: Greeting, type: string, payload: unknown) =>
  client.receive(encode({ type, sessionId: "", payload }));

function challenge(client: Greeting, claim: { port?: number; side?: "host" | "peer" } = {}) {
  const proof = prover.prove({ side: "host", role: "client", port, nonceA, nonceB, hostId, ...claim });
  return hear(client, "challenge", { nonceB, hostId, proof });
}

const welcome = { serverVersion: "1", protocolVersion: 2 };

describe("a client's greeting", () => {
  test("proves itself only to a host that has proven itself first", () => {
    const client = greeting();
    expect(client.hello()).toBe(
      encode({
        type: "hello",
        sessionId: "",
        protocolVersion: 2,
        payload: { role: "client", nonceA, keyId: prover.keyId("client") },
      }),
    );
    const proof = prover.prove({ side: "peer", role: "client", port, nonceA, nonceB, hostId });
    expect(challenge(client)).toEqual({
      type: "send",
      text: encode({ type: "auth", sessionId: "", payload: { proof } }),
    });
    expect(hear(client, "welcome", welcome)).toEqual({
      type: "ready",
      welcome: { hostId, serverVersion: "1", sessions: undefined, isSettling: false },
    });
  });

  test("hears which sessions there are, and asks later where it cannot read them", () => {
    const heard = (sessions: unknown) => {
      const client = greeting();
      challenge(client);
      return hear(client, "welcome", { ...welcome, sessions });
    };
    const ready = { type: "ready", welcome: { hostId, serverVersion: "1" } } as const;
    expect(heard([exampleSession])).toMatchObject({ ...ready, welcome: { sessions: [exampleSession] } });
    expect(heard([{ ...exampleSession, context: "mirror" }])).toMatchObject({
      ...ready,
      welcome: { sessions: undefined, isSettling: false },
    });
  });

  test.each([
    ["a relay on another port", (client: Greeting) => challenge(client, { port: port + 1 })],
    ["an echo of our own side", (client: Greeting) => challenge(client, { side: "peer" })],
    ["a welcome without a proof", (client: Greeting) => hear(client, "welcome", welcome)],
    ["our own words", (client: Greeting) => hear(client, "hello", { role: "client", nonceA })],
    ["UNPAIRED", (client: Greeting) => hear(client, "error", { code: "UNPAIRED", message: "" })],
    ["noise", (client: Greeting) => client.receive("220 ready")],
  ])("hangs up on %s and tells it nothing", (_, say) => {
    expect(say(greeting())).toEqual({ type: "untrusted" });
  });

  test("takes a host without a proof only when it is told to", () => {
    expect(hear(greeting(true), "welcome", welcome)).toEqual({
      type: "ready",
      welcome: { hostId: "", serverVersion: "1", sessions: undefined, isSettling: false },
    });
  });
});
