/**
 * Frames that are nearly right: every message of the protocol, changed at random places by a seed. Whatever a peer
 * sends, the host throws nothing, no prototype is changed, and other peers are served as before.
 */
import { describe, expect, test } from "bun:test";
import { createClientState, step } from "../../../../src/bridge/client/client-core.ts";
import { Greeting } from "../../../../src/bridge/client/client-greeting.ts";
import { messageExamples } from "../../../../src/protocol/examples.ts";
import { Random } from "../../../simulator/random.ts";
import { CoreWorld, nonceA, port, prover, simpleWorld } from "./core-world.ts";

const FRAMES_PER_SEED = 400;
const SEEDS = 150;

/** Texts of JSON values that have caused defects in other programs. */
const nasty = [
  "null",
  "true",
  "-0",
  "1e999",
  "9007199254740993",
  "NaN",
  '""',
  '"\\ud800"',
  '"\\u0000"',
  '"\\u001b[2J"',
  "[]",
  "{}",
  '{"__proto__":{"polluted":1}}',
  '{"constructor":{"prototype":{"polluted":1}}}',
  '{"a":1,"a":2}',
  `${"[".repeat(100)}${"]".repeat(100)}`,
  `"${"x".repeat(70_000)}"`,
  '"../../etc/passwd"',
  "undefined",
];
const nastyKeys = ["__proto__", "constructor", "toString", "", "\u0000", "requestId", "type", "payload"];

/** The text of `value` with a few places bent. */
function bend(value: unknown, random: Random, rate: number): string {
  if (random.chance(rate)) return nasty[random.below(nasty.length)] ?? "null";
  if (Array.isArray(value)) {
    const items = value.map((item) => bend(item, random, rate));
    if (random.chance(rate)) items.push(...items);
    return `[${items.join()}]`;
  }
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const members = Object.entries(value).flatMap(([key, member]) => {
    if (random.chance(rate / 2)) return [];
    const name = random.chance(rate / 2) ? (nastyKeys[random.below(nastyKeys.length)] ?? "") : key;
    return [`${JSON.stringify(name)}:${bend(member, random, rate)}`];
  });
  return `{${members.join()}}`;
}

function bentFrame(random: Random, ids: { sessionId: string; requestId: string }): string {
  const example = messageExamples[random.below(messageExamples.length)];
  const { variant: _, ...frame } = { variant: "", ...example };
  const text = bend({ ...frame, ...(random.chance(0.7) ? ids : {}) }, random, random.chance(0.3) ? 0 : 0.06);
  if (random.chance(0.05)) return text.slice(0, random.below(text.length));
  return text;
}

const isPolluted = () => "polluted" in {} || "polluted" in Object.prototype;

describe("a host among peers that write nonsense", () => {
  test("serves all other peers as before, whatever the seed", () => {
    for (let seed = 1; seed <= SEEDS; seed += 1) {
      const random = new Random(seed);
      const { world, client, plugin, sessionId } = simpleWorld();
      const [badClient, badPlugin] = [world.proven("client"), world.proven("plugin")];
      for (let index = 0; index < FRAMES_PER_SEED; index += 1) {
        const stranger = world.open(random.chance(0.5) ? "client" : "plugin");
        const target = [badClient, badPlugin, stranger][random.below(3)] ?? stranger;
        world.raw(target, bentFrame(random, { sessionId, requestId: random.hex(4) }));
        world.do({ type: "closed", linkId: stranger, isWanted: true });
        if (random.chance(0.02)) world.pass(200);
      }
      world.frames(client);
      world.frames(plugin);
      world.request(client, "good", sessionId, "execute", { script: "x" });
      // The bad client may have sent valid requests too, so only the answers to the good client count.
      world.say(plugin, "scriptComplete", { success: true }, { sessionId, requestId: "good" });
      const types = world.answers(client).map(({ type }) => type);
      expect({ seed, types, isPolluted: isPolluted() }).toEqual({
        seed,
        types: ["scriptComplete"],
        isPolluted: false,
      });
    }
  }, 120_000);

  test("never lets an unproven peer past its first frames", () => {
    const world = new CoreWorld();
    const random = new Random(7);
    for (let index = 0; index < 5_000; index += 1) {
      const link = world.open(random.chance(0.5) ? "client" : "plugin");
      for (let frame = 0; frame < 3; frame += 1)
        world.raw(link, bentFrame(random, { sessionId: "", requestId: "r" }));
      const types = world.frames(link).map(({ type }) => type);
      expect(types.filter((type) => type !== "challenge" && type !== "error")).toEqual([]);
      world.do({ type: "closed", linkId: link, isWanted: true });
    }
    expect(world.host.sessions.size).toBe(0);
  }, 120_000);
});

describe("a client whose host writes nonsense", () => {
  test("neither throws nor ends a call twice", () => {
    for (let seed = 1; seed <= SEEDS; seed += 1) {
      const random = new Random(seed);
      const client = createClientState({ randomHex: (sizeBytes) => random.hex(sizeBytes) }, 0);
      step(client, { type: "attached" }, 0);
      const ends = new Map<string, number>();
      for (let index = 0; index < FRAMES_PER_SEED; index += 1) {
        const callId = `call-${index}`;
        const call = { callId, sessionId: "s", payload: {}, timeoutMs: 1_000 } as const;
        step(client, { type: "call", call: { ...call, action: "execute" } }, index);
        const text = bentFrame(random, { sessionId: "s", requestId: callId });
        const wrapped = `{"type":"host-response","payload":{"requestId":"${callId}","result":${text}}}`;
        for (const frame of [text, wrapped])
          for (const effect of step(client, { type: "frame", text: frame }, index))
            if (effect.type === "reply" || effect.type === "failed")
              ends.set(effect.callId, (ends.get(effect.callId) ?? 0) + 1);
      }
      expect([...ends.values()].filter((count) => count !== 1)).toEqual([]);
      expect(isPolluted()).toBe(false);
    }
  }, 120_000);

  test("does not prove itself to such a host", () => {
    const random = new Random(11);
    const said = Array.from({ length: 5_000 }, () => {
      const greeting = new Greeting({ prover, port, nonceA, allowUnpaired: false });
      return greeting.receive(bentFrame(random, { sessionId: "", requestId: "r" })).type;
    });
    expect([...new Set(said)]).toEqual(["untrusted"]);
  }, 120_000);
});
