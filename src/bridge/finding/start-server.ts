/** Starts a host server for given options: reads the key and claims the port. */
import type { Prover } from "../../auth/index.ts";
import { intervals, PORT_CANDIDATES } from "../../protocol/limits.ts";
import { isJournalOff } from "../../journal/index.ts";
import { expectLongRun } from "../../util/long-run.ts";
import type { HostOptions } from "../host-options.ts";
import { claimPortAsync } from "./claim-port.ts";
import { HostServer } from "../host/host-server.ts";
import { loadProverAsync } from "./load-prover.ts";

/**
 * `lookedWith`: the prover of a caller that has just dialled every candidate. Throws KEY_ERROR, HOST_RUNNING,
 * PORT_UNAVAILABLE or HOST_UNTRUSTED; the error names the port's holder if it is known.
 */
export async function startServerAsync(options: HostOptions, lookedWith?: Prover): Promise<HostServer> {
  expectLongRun();
  const { version, buildId, port } = options;
  const serverOptions = {
    prover: lookedWith ?? (await loadProverAsync()),
    version,
    buildId,
    allowUnpaired: options.allowUnpaired ?? false,
    isExposed: options.dangerouslyExpose ?? false,
    idleExitMs: options.idleExitMs ?? intervals.hostIdleExitMs,
    makesRoom: options.makesRoom ?? false,
    onNews: options.onNews,
    keepsJournal: !isJournalOff(),
    keepsLevels: true,
  };
  if (port === 0) return new HostServer({ ...serverOptions, port });
  const ports = port === undefined ? PORT_CANDIDATES : [port];
  return claimPortAsync(ports, serverOptions, lookedWith !== undefined);
}
