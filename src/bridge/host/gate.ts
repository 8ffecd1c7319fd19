/**
 * Who may reach the host at all, decided before any upgrade and without a key. It stops web pages (which always send an
 * Origin or Sec-Fetch headers), pages behind a rebound DNS name (whose Host is not ours) and other machines. It does not
 * stop a local program that sends any headers it likes: that is what the proof is for.
 */
import { CLIENT_PATH, HEALTH_PATH, PLUGIN_PATH } from "../../protocol/limits.ts";

export interface Knock {
  readonly method: string;
  /** Path and query of the HTTP request. */
  readonly target: string;
  readonly peerAddress: string | undefined;
  readonly header: (name: string) => string | null;
}

export type Verdict =
  | { readonly route: "plugin" | "client" | "health" }
  | { readonly status: 403 | 404; readonly reason: "peer" | "host" | "origin" | "browser" | "path" };

const hostNames = ["127.0.0.1", "localhost", "[::1]", "host.docker.internal"];
const fetchHeaders = ["sec-fetch-site", "sec-fetch-mode", "sec-fetch-dest", "sec-fetch-user"];
const routes: { readonly [target: string]: "plugin" | "client" | "health" } = {
  [PLUGIN_PATH]: "plugin",
  [CLIENT_PATH]: "client",
  [HEALTH_PATH]: "health",
};

/**
 * `isExposed`: other machines may connect, under any name of this one; then every request with an Origin is refused.
 */
export function judge(knock: Knock, isExposed = false): Verdict {
  if (!isExposed && !isLoopback(knock.peerAddress)) return { status: 403, reason: "peer" };
  const host = knock.header("host")?.toLowerCase();
  if (host === undefined || !(isExposed || isOurHost(host))) return { status: 403, reason: "host" };
  const origin = knock.header("origin");
  const isOurOrigin = !isExposed && origin?.toLowerCase() === `http://${host}`;
  if (origin !== null && !isOurOrigin) return { status: 403, reason: "origin" };
  if (fetchHeaders.some((name) => knock.header(name) !== null)) return { status: 403, reason: "browser" };
  const route = Object.hasOwn(routes, knock.target) ? routes[knock.target] : undefined;
  if (route === undefined || knock.method !== "GET") return { status: 404, reason: "path" };
  return { route };
}

/**
 * True for a name of this machine, with or without a port. Any port is accepted, because a forwarded port differs from
 * ours.
 */
function isOurHost(host: string): boolean {
  const match = /^(.+?)(?::([0-9]{1,5}))?$/.exec(host);
  if (match === null || !hostNames.includes(match[1] ?? "")) return false;
  const port = match[2];
  return port === undefined || (Number(port) > 0 && Number(port) < 65_536);
}

function isLoopback(address: string | undefined): boolean {
  return address === "::1" || /^(::ffff:)?127\.[0-9]+\.[0-9]+\.[0-9]+$/.test(address ?? "");
}
