/** Asks a client of the revisions that begin with a handshake for the folders that its user has opened (MCP's roots). */
import { fileURLToPath } from "node:url";
import { ListRootsResultSchema } from "@modelcontextprotocol/sdk/types.js";
import type { HandlerExtra } from "./sdk-asker.ts";

/** The client answers by itself, without a person. */
const TIMEOUT_MS = 5_000;

/** A client that fails to answer has no folders. */
export async function clientRootsAsync({ sendRequest, signal }: HandlerExtra): Promise<readonly string[]> {
  try {
    const options = { signal, timeout: TIMEOUT_MS };
    const { roots } = await sendRequest({ method: "roots/list" }, ListRootsResultSchema, options);
    return roots.flatMap(({ uri }) => folderOf(uri));
  } catch {
    signal.throwIfAborted();
    return [];
  }
}

function folderOf(uri: string): string[] {
  try {
    return [fileURLToPath(uri)];
  } catch {
    return [];
  }
}
