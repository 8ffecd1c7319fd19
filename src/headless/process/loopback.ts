/** Tells addresses of this machine from all others. */

const LOOPBACK_HOSTS = new Set(["localhost", "[::1]"]);

/** True for a URL of this machine with one of the schemes. False for any other text. */
export function isLoopbackUrl(url: string, protocols: readonly string[]): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname } = new URL(url);
  return (
    protocols.includes(protocol) && (LOOPBACK_HOSTS.has(hostname) || /^127\.\d+\.\d+\.\d+$/.test(hostname))
  );
}
