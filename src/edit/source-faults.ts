/** What the Luau compiler says of the sources that operations write, so that a script which cannot run is noticed at once. */
import type { SessionLink } from "../session/session-link.ts";
import { StudioBridgeError } from "../protocol/errors.ts";
import { placed } from "./operations.ts";
import type { WireOperation } from "./operations.ts";

interface SourceFault {
  readonly line?: number | undefined;
  readonly message: string;
}

/** The first fault of each operation of the caller, by its place in the list. Empty where Studio cannot be asked. */
export async function sourceFaultsAsync(
  wire: readonly WireOperation[],
  link: Pick<SessionLink, "callAsync">,
): Promise<ReadonlyMap<number, SourceFault>> {
  const written = wire.flatMap((each) => {
    const source = each.operation.properties?.["Source"];
    return typeof source === "string" ? [{ each, source }] : [];
  });
  const found = new Map<number, SourceFault>();
  if (written.length === 0) return found;
  for (const { index, line, message } of await faultsAsync(
    written.map(({ source }) => source),
    link,
  )) {
    const each = written[index]?.each;
    if (each === undefined || found.has(each.item)) continue;
    found.set(each.item, { ...(line === undefined ? {} : { line }), message: placed(each, message) });
  }
  return found;
}

/** The edit itself is done by then, so that a failure of the question must not fail the call. */
async function faultsAsync(sources: string[], { callAsync }: Pick<SessionLink, "callAsync">) {
  try {
    return (await callAsync("checkSources", { sources })).faults;
  } catch (error) {
    if (error instanceof StudioBridgeError) return [];
    throw error;
  }
}
