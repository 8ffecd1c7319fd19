/** Who a client is: each conversation has an id, and a client says its name and version itself. */
import { randomHex } from "../../util/random-hex.ts";
import { objectIn, stringIn } from "../wire/json.ts";
import type { JsonObject } from "../wire/json.ts";
import { metaKeys } from "../wire/dialects.ts";

export interface ClientIdentity {
  /** The same for all requests of the client, and another for each client. */
  readonly id: string;
  /** `claude-code 2.1`; absent where the client has not said it. */
  readonly name?: string;
}

const NAME_LIMIT = 100;

export const unnamedClient = (): ClientIdentity => ({ id: randomHex(8) });

/** `client` with the name that it gives in the parameters of its handshake. */
export function introduced(client: ClientIdentity, params: JsonObject): ClientIdentity {
  const name = nameIn(objectIn(params, "clientInfo"));
  return name === undefined ? { id: client.id } : { id: client.id, name };
}

/** The client of a request that stands for itself. Requests with one name are taken for those of one client. */
export function clientOfEnvelope(client: ClientIdentity, params: JsonObject): ClientIdentity {
  const name = nameIn(objectIn(objectIn(params, "_meta"), metaKeys.clientInfo));
  return name === undefined ? client : { id: `${client.id}/${name}`, name };
}

function nameIn(info: JsonObject | undefined): string | undefined {
  const { name, version } = { name: stringIn(info, "name"), version: stringIn(info, "version") };
  const text = [name, version].filter((part) => part !== undefined && part !== "").join(" ");
  return text === "" ? undefined : text.slice(0, NAME_LIMIT);
}
