/**
 * Decides which requests reach the HTTP endpoint. It stops web pages of other sites (their Origin is not loopback) and pages
 * behind a rebound DNS name (whose Host is not ours). It does not stop local programs: that is what the token is for.
 */

const hostNames = ["127.0.0.1", "localhost", "[::1]"];

/** 403 for other hosts and origins, 401 without the token, undefined for requests that may pass. */
export function refusalStatus(headers: Headers, token: string | undefined): 401 | 403 | undefined {
  if (!isLoopbackHost(headers.get("host") ?? "")) return 403;
  const origin = headers.get("origin");
  if (origin !== null && !isLoopbackOrigin(origin)) return 403;
  // The scheme may be written in any letter case (RFC 9110 §11.1).
  const presented = (headers.get("authorization") ?? "").replace(/^Bearer /i, "Bearer ");
  if (token !== undefined && !isSame(presented, `Bearer ${token}`)) return 401;
  return undefined;
}

/** A name with or without a port. */
function isLoopbackHost(host: string): boolean {
  const [, name] = /^(.+?)(?::[0-9]{1,5})?$/.exec(host.toLowerCase()) ?? [];
  return name !== undefined && hostNames.includes(name);
}

function isLoopbackOrigin(origin: string): boolean {
  const [, host] = /^https?:\/\/([^/]+)$/.exec(origin.toLowerCase()) ?? [];
  return host !== undefined && isLoopbackHost(host);
}

/** Takes as long for a wrong token as for the right one. */
function isSame(given: string, wanted: string): boolean {
  const [left, right] = [Buffer.from(given), Buffer.from(wanted)];
  return left.byteLength === right.byteLength && crypto.timingSafeEqual(left, right);
}
