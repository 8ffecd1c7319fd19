/** Finds the port for a new host: answers the claim's questions with real sockets, and says why there is no port. */
import type { StudioBridgeError } from "../../protocol/errors.ts";
import * as messages from "../../protocol/messages.ts";
import { systemCodeOf, systemReason } from "../../util/system-error.ts";
import { claim } from "./claim-core.ts";
import type { ClaimAnswer, ClaimEnd, ClaimQuestion, Holder } from "./claim-core.ts";
import { dialAsync, localAddress } from "../client/client-socket.ts";
import { portHolder } from "./port-holder.ts";
import { HostServer } from "../host/host-server.ts";
import type { HostServerOptions } from "../host/host-server.ts";

type ServerOptions = Omit<HostServerOptions, "port">;

/**
 * `hasLooked`: the caller has just dialled every candidate. Throws HOST_RUNNING, PORT_UNAVAILABLE or HOST_UNTRUSTED;
 * the error names the port's holder if it is known.
 */
export async function claimPortAsync(
  ports: readonly number[],
  options: ServerOptions,
  hasLooked: boolean,
): Promise<HostServer> {
  const claimant = new Claimant(options);
  const steps = claim({ ports, hasLooked, nowMs: () => performance.now() });
  let step = steps.next({});
  while (step.done !== true) step = steps.next(await claimant.answerAsync(step.value));
  const { server } = claimant;
  if (step.value.end === "won" && server !== undefined) {
    server.settle();
    return server;
  }
  server?.stop("yielded");
  throw lost(step.value, ports);
}

/** Answers the claim's questions; owns the one server that the claim may lead to. */
class Claimant {
  server: HostServer | undefined;
  readonly #options: ServerOptions;

  constructor(options: ServerOptions) {
    this.#options = options;
  }

  async answerAsync(question: ClaimQuestion): Promise<ClaimAnswer> {
    switch (question.ask) {
      case "holders":
        return { holders: await Promise.all(question.ports.map((port) => this.#holderAsync(port))) };
      case "bind":
        return this.#bind(question.port);
      case "pause":
        await Bun.sleep(question.durationMs);
        return {};
    }
  }

  #bind(port: number): ClaimAnswer {
    try {
      this.server = new HostServer({ ...this.#options, port, isSettling: true });
      return {};
    } catch (error) {
      return { fault: { isTaken: systemCodeOf(error) === "EADDRINUSE", reason: systemReason(error) } };
    }
  }

  async #holderAsync(port: number): Promise<Holder> {
    const dialled = await dialAsync(localAddress(port), {
      prover: this.#options.prover,
      allowUnpaired: false,
    });
    if (dialled.kind !== "host") return dialled.kind;
    dialled.socket[Symbol.dispose]();
    return dialled.welcome.isSettling ? "settling" : "host";
  }
}

function lost(result: ClaimEnd, ports: readonly number[]): StudioBridgeError {
  switch (result.end) {
    case "running":
      return messages.hostRunning(result.port, portHolder(result.port)?.pid);
    case "hung":
      return hungHolder(result.port);
    case "untrusted":
      return messages.hostUntrusted(`port ${result.port}`);
    case "unavailable":
      return messages.portUnavailable(result.port, result.reason);
    default:
      return messages.noPortAvailable(ports);
  }
}

function hungHolder(port: number): StudioBridgeError {
  const pid = portHolder(port)?.pid;
  const who = pid === undefined ? "a program" : `process ${pid}`;
  return messages.portUnavailable(port, `${who} holds it and does not answer`);
}
