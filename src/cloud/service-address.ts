/** Where Open Cloud is, and which addresses that it names may be used. */
import { invalidInput } from "../protocol/messages.ts";

const SERVICE = "https://apis.roblox.com";
const VARIABLE = "SB_OPEN_CLOUD_URL";
const LOOPBACK = new Set(["127.0.0.1", "localhost", "[::1]"]);

const isLoopback = ({ hostname }: URL): boolean => LOOPBACK.has(hostname);

/**
 * The address of the service, without a slash at its end. A variable may replace it with one of this machine, for tests
 * against a fake; any other would get the key. Throws INVALID_INPUT.
 */
export function serviceAddress(variables: { readonly [name: string]: string | undefined }): string {
  const text = variables[VARIABLE];
  if (text === undefined || text === "") return SERVICE;
  const url = URL.parse(text);
  if (url === null || url.protocol !== "http:" || !isLoopback(url))
    throw invalidInput(
      `${VARIABLE} is not an address of this machine: ${text}`,
      "Remove the variable, or write http://127.0.0.1:PORT.",
    );
  return url.origin;
}

/** Whether bytes may be sent to or read from an address that the service gave. */
export function isTrustedUri(uri: string, service: string): boolean {
  const url = URL.parse(uri);
  if (url === null) return false;
  return url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url) && service !== SERVICE);
}
