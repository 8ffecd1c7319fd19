/** Tells plugins which clients use the host, so that a person at Studio can see it and a test knows whether its starter is there. */
import type { Caller } from "../../protocol/fields/callers.ts";
import { frame } from "../wire/frames.ts";
import { provenLinks, send, wakeBy } from "./host-state.ts";
import type { HostState, Link } from "./host-state.ts";

/** Commands come and go faster than a person can read. */
const COLLECT_MS = 250;
/** How many callers of one link are remembered; each call over MCP may name another client. */
const CALLERS_PER_LINK = 64;

/** A request names its caller. */
export function noteCaller(host: HostState, client: Link, caller: Caller): void {
  if (client.callers.get(caller.id)?.name === caller.name) return;
  if (client.callers.size >= CALLERS_PER_LINK) client.callers.delete([...client.callers.keys()][0] ?? "");
  client.callers.set(caller.id, caller);
  clientsChanged(host);
}

/**
 * The caller as plugins may know it: what a person has allowed to one connection must not serve another one that names the
 * same id.
 */
export function distinctCaller(host: HostState, client: Link, caller: Caller): Caller {
  for (const { id, callers } of host.links.values())
    if (id < client.id && callers.has(caller.id))
      return { ...caller, id: `${caller.id.slice(0, 100)}~${client.id}` };
  return caller;
}

export function clientsChanged(host: HostState): void {
  if (host.clientsDueAtMs !== Infinity) return;
  host.clientsDueAtMs = host.nowMs + COLLECT_MS;
  wakeBy(host, host.clientsDueAtMs);
}

/** For the timers: tells every plugin once it is time. */
export function tellClients(host: HostState): void {
  if (host.nowMs >= host.clientsDueAtMs) {
    host.clientsDueAtMs = Infinity;
    const text = clientsFrame(host);
    for (const plugin of provenLinks(host, "plugin")) tell(host, plugin, text);
  }
}

/** Tells the plugin that has just connected; it knows of none by itself. */
export function tellClientsTo(host: HostState, plugin: Link): void {
  if (provenLinks(host, "client").some(({ callers }) => callers.size > 0))
    tell(host, plugin, clientsFrame(host));
}

function tell(host: HostState, plugin: Link, text: string): void {
  if (plugin.protocolVersion > 1) send(host, plugin.id, text);
}

function clientsFrame(host: HostState): string {
  const callers = new Map(provenLinks(host, "client").flatMap((client) => [...client.callers]));
  const clients = [...callers.values()].map(({ id, name }) => ({ id, name }));
  return frame("clients", { clients });
}
