/** A key of its own for real hosts and clients in this process, put away again with everything else. */
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Prover } from "../../../src/auth/index.ts";
import type { HostServerOptions } from "../../../src/bridge/host/host-server.ts";
import { loadProverAsync } from "../../../src/bridge/finding/load-prover.ts";
import { StudioBridgeError } from "../../../src/protocol/errors.ts";

export interface RealWorld extends Disposable {
  readonly stateHome: string;
  readonly prover: Prover;
}

export async function realWorldAsync(): Promise<RealWorld> {
  const before = process.env["XDG_STATE_HOME"];
  const stateHome = fs.mkdtempSync(join(tmpdir(), "sb-bridge-"));
  process.env["XDG_STATE_HOME"] = stateHome;
  return {
    stateHome,
    prover: await loadProverAsync(),
    [Symbol.dispose]: () => {
      if (before === undefined) delete process.env["XDG_STATE_HOME"];
      else process.env["XDG_STATE_HOME"] = before;
      fs.rmSync(stateHome, { recursive: true, force: true });
    },
  };
}

/** What a host of this world is made with, but for its port. */
export const hostOptions = ({ prover }: RealWorld): Omit<HostServerOptions, "port"> => ({
  prover,
  version: "9.9.9",
  allowUnpaired: false,
  isExposed: false,
  idleExitMs: 60_000,
  makesRoom: true,
});

/** The StudioBridgeError that a promise rejects with. */
export async function failureAsync(promise: Promise<unknown>): Promise<StudioBridgeError> {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof StudioBridgeError) return error;
  throw new Error(`expected a StudioBridgeError, got ${String(error)}`);
}
