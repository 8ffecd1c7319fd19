/** The address of Open Cloud, and the check of addresses that its answers name. */
import { invalidInput } from "../protocol/messages.ts";

const SERVICE = "https://apis.roblox.com";
const VARIABLE = "SB_OPEN_CLOUD_URL";
const LOOPBACK = new Set(["127.0.0.1", "localhost", "[::1]"]);

const isLoopback = ({ hostname }: URL): boolean => LOOPBACK.has(hostname);

/**
 * The address of the service, without a slash at its end. SB_OPEN_CLOUD_URL may replace it with an address of this machine,
 * for tests against a fake. Any other address is an INVALID_INPUT error, because the server there would get the key.
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

/** Whether sb may send bytes to an address that the service named, or read bytes from it. */
export function isTrustedUri(uri: string, service: string): boolean {
  const url = URL.parse(uri);
  if (url === null) return false;
  return url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url) && service !== SERVICE);
}
