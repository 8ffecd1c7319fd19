/** Turns the fault that a schema of the SDK finds in a request into an error that the client can act on. */
import { invalidParams } from "../wire/rpc-error.ts";
import type { RpcError } from "../wire/rpc-error.ts";

interface SchemaError {
  readonly issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[];
}

/** Names the first fault. The SDK itself answers −32603 with the whole list as JSON (golden case leg-11). */
export function schemaFault({ issues: [first] }: SchemaError): RpcError {
  return invalidParams(
    first === undefined ? "malformed request" : `${first.path.map(String).join(".")}: ${first.message}`,
  );
}
