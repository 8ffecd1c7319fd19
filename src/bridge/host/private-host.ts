/**
 * The bridge host of one command and of the headless Studio that the command started. It is the core without a port: no
 * other process can reach it, so it needs no proof and no note. It ends with its command.
 */
import type { Prover, Role } from "../../auth/index.ts";
import { hostLost } from "../../protocol/messages.ts";
import { Alarm } from "../../util/alarm.ts";
import { randomHex } from "../../util/random-hex.ts";
import type { FoundHost } from "../client/client-link.ts";
import { LocalLink } from "../client/local-link.ts";
import { createHostState, nextDueAt, presentSessions, step } from "./host-core.ts";
import type { HostEffect, HostEvent, HostState } from "./host-core.ts";

/** Carries the links of a plugin through a pipe instead of sockets. The plugin's side gives them numbers. */
export interface PluginPipe {
  send(linkId: number, text: string): void;
  close(linkId: number): void;
  /** Resolves when the plugin's side has ended. */
  listenAsync(listener: {
    frame(linkId: number, text: string): void;
    closed(linkId: number): void;
  }): Promise<void>;
}

/** A number on which no program can listen. */
const NO_PORT = 0;

/** A plugin at the end of a pipe has no key, and a client in this process needs none. */
const keyless: Prover = { keyId: () => "", prove: () => "" };

export class PrivateHost {
  readonly hostId = randomHex(16);
  readonly #core: HostState;
  readonly #alarm = new Alarm(() => this.#dispatch({ type: "tick" }));
  readonly #links = new Map<number, LocalLink>();
  #nextLinkId = 1;

  constructor(version: string) {
    const nowMs = performance.now();
    this.#core = createHostState(
      {
        hostId: this.hostId,
        port: NO_PORT,
        version,
        allowUnpaired: true,
        idleExitMs: Infinity,
        makesRoom: false,
        epochMs: Date.now() - nowMs,
        prover: keyless,
        randomHex,
        randomUuid: () => crypto.randomUUID(),
      },
      nowMs,
    );
  }

  /** Connects the command. */
  connect(): FoundHost {
    const link = this.#open("client", true);
    const welcome = {
      hostId: this.hostId,
      serverVersion: this.#core.config.version,
      sessions: presentSessions(this.#core),
      isSettling: false,
    };
    return { link, welcome, port: NO_PORT };
  }

  /** Connects the Studio. */
  async servePluginAsync(pipe: PluginPipe): Promise<void> {
    const links = new Map<number, LocalLink>();
    const closed = (linkId: number): void => {
      links.get(linkId)?.[Symbol.dispose]();
      links.delete(linkId);
    };
    const openLink = (linkId: number): LocalLink => {
      const link = this.#open("plugin", false);
      links.set(linkId, link);
      link.attach({
        frame: (text) => pipe.send(linkId, text),
        closed: () => {
          links.delete(linkId);
          pipe.close(linkId);
        },
      });
      return link;
    };
    await pipe.listenAsync({
      frame: (linkId, text) => (links.get(linkId) ?? openLink(linkId)).send(text),
      closed,
    });
    for (const linkId of [...links.keys()]) closed(linkId);
  }

  /** Always fails: the command has no other host. */
  async findNextAsync(): Promise<FoundHost> {
    throw hostLost("unknown");
  }

  get ownHost(): { readonly hostId: string } {
    return this;
  }

  async leaveHostAsync(): Promise<void> {}

  async [Symbol.asyncDispose](): Promise<void> {
    this.#dispatch({ type: "stop", reason: "its command ends", drainMs: 0 });
  }

  #open(role: Role, isLocal: boolean): LocalLink {
    const linkId = this.#nextLinkId++;
    const link = new LocalLink({
      frame: (text) => this.#dispatch({ type: "frame", linkId, text }),
      closed: () => {
        this.#links.delete(linkId);
        this.#dispatch({ type: "closed", linkId, isWanted: true });
      },
    });
    this.#links.set(linkId, link);
    this.#dispatch({ type: "open", linkId, role, isLocal });
    return link;
  }

  #dispatch(event: HostEvent): void {
    for (const effect of step(this.#core, event, performance.now())) this.#perform(effect);
    this.#alarm.wakeBy(nextDueAt(this.#core), performance.now());
  }

  #perform(effect: HostEffect): void {
    if (effect.type === "exit") return this.#alarm[Symbol.dispose]();
    const link = this.#links.get(effect.linkId);
    if (effect.type !== "close") return link?.deliver(effect.text);
    this.#links.delete(effect.linkId);
    link?.hangUp();
  }
}
