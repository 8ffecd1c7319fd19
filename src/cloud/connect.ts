/** Makes the client of Open Cloud with the key and the address that this process was started with. */
import { invalidInput } from "../protocol/messages.ts";
import { apiKey, KEY_VARIABLE } from "./api-key.ts";
import { realClock } from "./clock.ts";
import { OpenCloud } from "./open-cloud.ts";
import type { OnWait } from "./pace.ts";
import { serviceAddress } from "./service-address.ts";

/** What the key is for, as the beginning of a sentence and as Roblox calls the permission. */
interface CloudUse {
  readonly what: string;
  readonly scope: string;
  readonly onWait?: OnWait | undefined;
}

/** Sends nothing yet. Throws INVALID_INPUT with the next step if there is no usable key. */
export function connectToCloud(signal: AbortSignal, { what, scope, onWait }: CloudUse): OpenCloud {
  return new OpenCloud({
    service: serviceAddress(process.env),
    key: checkedKey(apiKey(), { what, scope }),
    fetch,
    clock: realClock,
    signal,
    ...(onWait === undefined ? {} : { onWait }),
  });
}

function checkedKey(key: string | undefined, { what, scope }: CloudUse): string {
  if (key === undefined)
    throw invalidInput(
      `${what} an API key, and ${KEY_VARIABLE} is not set.`,
      `Make a key with the scope ${scope} at https://create.roblox.com/dashboard/credentials, and set the variable to it.`,
    );
  // A space or a letter beyond ASCII cannot be sent in a header.
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  throw invalidInput(
    `${KEY_VARIABLE} is not an API key, because it contains spaces or special characters.`,
    "Copy the key again.",
  );
}
