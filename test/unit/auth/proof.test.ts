import { describe, expect, test } from "bun:test";
import { createProver, deriveRoleKey, isSameProof, keyIdOf } from "../../../src/auth/index.ts";

/** Computed with Python's hmac and hashlib from the formula in docs/protocol.md, for the key 00 01 … 1f. */
const vectors = [
  {
    role: "client",
    roleKey: "5a2db722d8b1a835084426ec7a86084a965ca742edd32349d09ac9e5bc8b5142",
    keyId: "ff4ba45bc4b42cc0",
    host: "b4056d7d10fcd12b03a64573cc152eae883e6fcdec859dd0d0426690efefc1ae",
    peer: "15e3442e612912d8225ebc68ac3566b45191d517c02d0d16a57e324b6ec826d8",
  },
  {
    role: "plugin",
    roleKey: "eafd9ae1c6b8369d41899712c7c2251f12e69cdf510787d4f005164d937089eb",
    keyId: "0db84732506bbc1b",
    host: "98c54aa4d4711f4d7545d2542ab27deb052754a5e54b4fbaa2302f9d079fe908",
    peer: "18072eb486aaea1920e71a1558772c0366da737acbfc366e18987b2df86f4392",
  },
] as const;

const key = Uint8Array.from({ length: 32 }, (_, index) => index);
const claim = {
  port: 38_741,
  nonceA: "a1".repeat(32),
  nonceB: "b2".repeat(32),
  hostId: "0123456789abcdef",
};

describe("proof", () => {
  test.each(vectors)("of a $role follows the published formula", ({ role, roleKey, keyId, host, peer }) => {
    const prover = createProver(key);
    const derived = deriveRoleKey(key, role);
    expect({
      roleKey: derived.toHex(),
      keyId: keyIdOf(derived),
      proverKeyId: prover.keyId(role),
      host: prover.prove({ side: "host", role, ...claim }),
      peer: prover.prove({ side: "peer", role, ...claim }),
    }).toEqual({ roleKey, keyId, proverKeyId: keyId, host, peer });
  });

  test("changes with every part of the claim", () => {
    const prover = createProver(key);
    const base = { side: "host", role: "plugin", ...claim } as const;
    const variants = [
      base,
      { ...base, side: "peer" } as const,
      { ...base, role: "client" } as const,
      { ...base, port: 38_742 },
      { ...base, nonceA: "a2".repeat(32) },
      { ...base, nonceB: "b3".repeat(32) },
      { ...base, hostId: "fedcba9876543210" },
    ];
    expect(new Set(variants.map((variant) => prover.prove(variant))).size).toBe(variants.length);
  });

  test("comparison takes only the same text of the same length", () => {
    expect(["abc", "abd", "ab", "abcd", ""].map((given) => isSameProof("abc", given))).toEqual([
      true,
      false,
      false,
      false,
      false,
    ]);
  });
});
