/**
 * The keys derived from the machine's key, and the proofs made with them, as docs/protocol.md describes them. Pure
 * computation: key-file.ts keeps the key.
 */
import { words } from "../protocol/words.ts";

export type Role = "plugin" | "client";

/** `host` proves itself in `challenge`, `peer` in `auth`. */
export type Side = "host" | "peer";

export interface Claim {
  readonly side: Side;
  readonly role: Role;
  /** The port dialled and listened on: a relay on another port cannot pass the proof on. */
  readonly port: number;
  readonly nonceA: string;
  readonly nonceB: string;
  readonly hostId: string;
}

/** What a host or client needs of the key; the key itself stays inside. */
export interface Prover {
  /** First 16 hex digits of SHA-256 of the role's key. */
  keyId(role: Role): string;
  /** 64 hex digits. */
  prove(claim: Claim): string;
}

/** The role's own 32 bytes; the plugin is given these and never the machine's key. */
export function deriveRoleKey(key: Uint8Array, role: Role): Uint8Array {
  return new Bun.CryptoHasher("sha256", key).update(`sb/${role}/1`).digest();
}

export function keyIdOf(roleKey: Uint8Array): string {
  return new Bun.CryptoHasher("sha256").update(roleKey).digest("hex").slice(0, 16);
}

export function prove(roleKey: Uint8Array, claim: Claim): string {
  const { side, role, port, nonceA, nonceB, hostId } = claim;
  const statement = `${words.proofLabel}|${side}|${role}|${port}|${nonceA}|${nonceB}|${hostId}`;
  return new Bun.CryptoHasher("sha256", roleKey).update(statement).digest("hex");
}

/** Takes the same time wherever the two differ. */
export function isSameProof(expected: string, given: string): boolean {
  let difference = expected.length ^ given.length;
  for (let at = 0; at < expected.length; at += 1)
    difference |= expected.charCodeAt(at) ^ given.charCodeAt(at);
  return difference === 0;
}

export function createProver(key: Uint8Array): Prover {
  const keys: Record<Role, Uint8Array> = {
    plugin: deriveRoleKey(key, "plugin"),
    client: deriveRoleKey(key, "client"),
  };
  const ids: Record<Role, string> = { plugin: keyIdOf(keys.plugin), client: keyIdOf(keys.client) };
  return { keyId: (role) => ids[role], prove: (claim) => prove(keys[claim.role], claim) };
}
