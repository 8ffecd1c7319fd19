/** Which sockets of a headless Studio lead to this machine's bridge host. */
import { expect, test } from "bun:test";
import { prove } from "../../../../src/auth/proof.ts";
import { HostProof } from "../../../../src/headless/process/host-proof.ts";

const key = "1".repeat(64);
const nonces = { nonceA: "a".repeat(64), nonceB: "b".repeat(64) };

/** The host's first answer, made with the key for the port. */
function challenge(madeWith: string, port: number): string {
  const claim = { side: "host", role: "plugin", port, hostId: "h", ...nonces } as const;
  const proof = prove(Uint8Array.fromHex(madeWith), claim);
  return JSON.stringify({ type: "challenge", payload: { nonceB: nonces.nonceB, hostId: "h", proof } });
}

function greeted(proof: HostProof, url = "ws://127.0.0.1:4000/plugin"): HostProof {
  proof.opened(1, url);
  proof.seeOutgoing(1, JSON.stringify({ type: "hello", payload: { nonceA: nonces.nonceA } }));
  return proof;
}

test("a host with the machine's key is proven, until the socket is closed", () => {
  const proof = greeted(new HostProof(key));
  expect(proof.isProven(1)).toBe(false);
  proof.seeIncoming(1, challenge(key, 4000));
  expect(proof.isProven(1)).toBe(true);
  expect(proof.isProven(2)).toBe(false);
  proof.closed(1);
  expect(proof.isProven(1)).toBe(false);
});

test("another key, a relay from another port and another machine are not", () => {
  for (const frame of [challenge("2".repeat(64), 4000), challenge(key, 4001)]) {
    const proof = greeted(new HostProof(key));
    proof.seeIncoming(1, frame);
    expect(proof.isProven(1)).toBe(false);
  }
  const elsewhere = greeted(new HostProof(key), "ws://localhost:4000/plugin");
  elsewhere.seeIncoming(1, challenge(key, 4000));
  expect(elsewhere.isProven(1)).toBe(false);
});

test("a plugin without a key proves nothing, also to one who knows that", () => {
  const proof = greeted(new HostProof(""));
  proof.seeIncoming(1, challenge("", 4000));
  expect(proof.isProven(1)).toBe(false);
});

test("a challenge without a hello before it proves nothing", () => {
  const proof = new HostProof(key);
  proof.opened(1, "ws://127.0.0.1:4000/plugin");
  proof.seeIncoming(1, challenge(key, 4000));
  expect(proof.isProven(1)).toBe(false);
});
