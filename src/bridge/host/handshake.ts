/**
 * A link's first frames, in which both sides prove that they have the machine's key, bound to role and port
 * (docs/protocol.md has the frames). Before the proof the host reveals as little as it can and does nothing for the
 * peer.
 */
import { isSameProof } from "../../auth/index.ts";
import { decodePayload } from "../../protocol/codec.ts";
import type { Envelope } from "../../protocol/envelope.ts";
import { StudioBridgeError } from "../../protocol/errors.ts";
import { handshake } from "../../protocol/events.ts";
import { intervals, limits, PROTOCOL_VERSION } from "../../protocol/limits.ts";
import { OTHER_PRODUCT } from "./host-news.ts";
import { closeCodes } from "../wire/close-codes.ts";
import { errorFrame, frame } from "../wire/frames.ts";
import {
  close,
  countRefusal,
  countUnproven,
  nextPingAt,
  provenLinks,
  send,
  tellOfClient,
  wakeBy,
  wakeForPeerBy,
} from "./host-state.ts";
import type { HostEvent, HostState, Link } from "./host-state.ts";
import { presentSessions } from "./session-list.ts";
import { admitSession, register } from "./session-tracker.ts";
import { noteUnpaired } from "./unpaired-plugins.ts";

export function openLink(host: HostState, event: Extract<HostEvent, { type: "open" }>): void {
  if (host.closing !== undefined) return close(host, event.linkId, closeCodes.hostStopped, "closing");
  if (event.isLocal !== true && countUnproven(host) >= limits.unprovenSockets) {
    countRefusal(host, "crowded");
    return close(host, event.linkId, closeCodes.crowded, "try again");
  }
  const link: Link = {
    id: event.linkId,
    role: event.role,
    phase: { name: "hello" },
    protocolVersion: 1,
    proofDueAtMs: host.nowMs + intervals.proofMs,
    lastSeenAtMs: host.nowMs,
    nextPingAtMs: Infinity,
    isStale: false,
    inFlight: 0,
    callers: new Map(),
    sessionIds: new Set(),
  };
  host.links.set(link.id, link);
  if (event.isLocal === true) {
    link.protocolVersion = PROTOCOL_VERSION;
    admitLink(host, link);
    return;
  }
  wakeForPeerBy(host, link.proofDueAtMs);
}

/** Closes the link without an answer, so that a peer without the key learns nothing. `reason` is only counted. */
export function refuse(host: HostState, link: Link, reason: string, code: number = closeCodes.refused): void {
  countRefusal(host, reason);
  host.links.delete(link.id);
  close(host, link.id, code, "");
}

export function handshakeFrame(host: HostState, link: Link, envelope: Envelope): void {
  if (link.phase.name === "hello" && envelope.type === "hello") return hello(host, link, envelope);
  if (link.phase.name === "auth" && envelope.type === "auth") return auth(host, link, envelope);
  const isUnprovenRegister = envelope.type === "register" && link.phase.name === "hello";
  if (isUnprovenRegister && link.role === "plugin" && host.config.allowUnpaired)
    return registerUnproven(host, link, envelope);
  if (link.phase.name === "hello" && FOREIGN_FRAMES[link.role].includes(envelope.type))
    return refuseOtherProduct(host, link, envelope);
  refuse(host, link, "malformed");
}

/**
 * The first frames of other programs called studio-bridge, which use the same port. They cannot prove themselves, so
 * they are only told what to install.
 */
const FOREIGN_FRAMES: { readonly [Kind in Link["role"]]: readonly string[] } = {
  plugin: ["register"],
  client: ["list-sessions", "host-envelope"],
};

function refuseOtherProduct(host: HostState, link: Link, { requestId }: Envelope): void {
  const message =
    link.role === "plugin"
      ? "This port belongs to sb, which has a plugin of its own: install that with `sb install-plugin` and restart Studio."
      : "This port belongs to the bridge host of sb, which other command lines cannot use: use sb, or another port.";
  countRefusal(host, OTHER_PRODUCT);
  const error = new StudioBridgeError("UNPAIRED", message);
  send(host, link.id, errorFrame(error, requestId === undefined ? {} : { requestId }));
  host.links.delete(link.id);
  close(host, link.id, closeCodes.unpaired, "not the studio-bridge of sb");
}

function hello(host: HostState, link: Link, envelope: Envelope): void {
  const decoded = decodePayload(handshake.hello.payload, envelope);
  if (!decoded.ok || decoded.value.role !== link.role) return refuse(host, link, "malformed");
  const { nonceA, keyId, pluginVersion, sessionId } = decoded.value;
  link.protocolVersion = Math.min(PROTOCOL_VERSION, Math.max(1, envelope.protocolVersion ?? 1));
  const { prover, hostId, port, allowUnpaired } = host.config;
  if (nonceA === undefined || keyId !== prover.keyId(link.role)) {
    if (!allowUnpaired) return refuseUnpaired(host, link, pluginVersion, keyId);
    if (!admitLink(host, link)) return;
    const isVersion1 = link.role === "plugin" && link.protocolVersion === 1;
    return isVersion1 ? welcomeVersion1(host, link, sessionId) : welcome(host, link);
  }
  const nonceB = host.config.randomHex(32);
  link.phase = { name: "auth", nonceA, nonceB, protocolVersion: link.protocolVersion };
  const proof = prover.prove({ side: "host", role: link.role, port, nonceA, nonceB, hostId });
  send(host, link.id, frame("challenge", { nonceB, hostId, proof }));
}

function auth(host: HostState, link: Link, envelope: Envelope): void {
  const decoded = decodePayload(handshake.auth.payload, envelope);
  if (!decoded.ok || link.phase.name !== "auth") return refuse(host, link, "malformed");
  const { nonceA, nonceB } = link.phase;
  const { prover, hostId, port } = host.config;
  const expected = prover.prove({ side: "peer", role: link.role, port, nonceA, nonceB, hostId });
  if (!isSameProof(expected, decoded.value.proof)) return refuse(host, link, "proof");
  if (admitLink(host, link)) welcome(host, link);
}

function refuseUnpaired(
  host: HostState,
  link: Link,
  pluginVersion: string | undefined,
  keyId: string | undefined,
): void {
  if (link.role === "plugin") noteUnpaired(host, pluginVersion, keyId);
  const error = new StudioBridgeError("UNPAIRED", "This peer does not hold this machine's key.");
  countRefusal(host, "unpaired");
  send(host, link.id, errorFrame(error));
  host.links.delete(link.id);
  close(host, link.id, closeCodes.unpaired, "unpaired");
}

/** Counts the link as proven from here on. If there are too many links, closes it and returns false. */
function admitLink(host: HostState, link: Link): boolean {
  const limit = link.role === "client" ? limits.clients : limits.sessions;
  if (provenLinks(host, link.role).length >= limit) {
    const message = `The bridge host already serves ${limit} connections of this kind.`;
    send(host, link.id, errorFrame(new StudioBridgeError("TOO_MANY_REQUESTS", message)));
    refuse(host, link, "full");
    return false;
  }
  link.phase = { name: "proven" };
  if (link.role === "client") {
    host.idleSinceMs = undefined;
    host.wasUsed = true;
    tellOfClient(host, "connected");
  }
  // Version 1 has no ping, so its silence says nothing.
  if (link.role === "plugin" && link.protocolVersion > 1) {
    link.nextPingAtMs = nextPingAt(host);
    wakeBy(host, link.nextPingAtMs);
  }
  return true;
}

function welcome(host: HostState, link: Link, extra: { readonly sessionId?: string } = {}): void {
  const { protocolVersion } = link;
  const sessions = link.role === "client" ? presentSessions(host) : undefined;
  const listing = sessions === undefined ? {} : { sessions };
  const settling = link.role === "client" && host.isSettling ? { isSettling: true } : {};
  const payload = { serverVersion: host.config.version, protocolVersion, ...listing, ...settling, ...extra };
  send(host, link.id, frame("welcome", payload, { protocolVersion, ...extra }));
}

/** With auth off, a plugin of version 2 may leave out the proof and begin with `register`. */
function registerUnproven(host: HostState, link: Link, envelope: Envelope): void {
  link.protocolVersion = PROTOCOL_VERSION;
  if (!admitLink(host, link)) return;
  welcome(host, link);
  register(host, link, envelope);
}

/** Version 1 can only run scripts; its `hello` is also its registration. */
function welcomeVersion1(host: HostState, link: Link, wanted: string | undefined): void {
  const session = admitSession(host, link, {
    pluginVersion: "1",
    instanceId: wanted ?? host.config.randomUuid(),
    context: "edit",
    placeName: "",
    placeId: 0,
    gameId: 0,
    state: "Edit",
    capabilities: ["execute"],
  });
  if (session instanceof StudioBridgeError) return refuse(host, link, "full");
  welcome(host, link, { sessionId: session.sessionId });
}
