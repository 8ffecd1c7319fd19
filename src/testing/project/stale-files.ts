/** Compares the project's scripts with those of an open Studio, which runs the sources that it has and not those of the files. */
import type { BridgeSession } from "../../bridge/index.ts";
import type { RunSurface } from "../../output/run-surface.ts";
import { remark } from "../../output/remark.ts";
import { StudioBridgeError } from "../../protocol/errors.ts";
import type { RojoScript } from "../../roblox/rojo/node.ts";
import { checksumOf } from "../coverage/checksum.ts";
import { HARNESS_NAME, staleSource } from "../harness.ts";
import { parsedJson } from "../../util/parsed-json.ts";
import { pathInside } from "../../util/path-inside.ts";
import { visibleOnOneLine } from "../../util/visible-controls.ts";

export interface StaleWishes {
  /** The project's folder. */
  readonly folder: string;
  readonly scripts: readonly RojoScript[];
  /** Run the tests although Studio has other sources. */
  readonly allowStale: boolean;
}

/** The number of files that the message names. The data of the error has all of them. */
const MAX_NAMED = 5;

/** Throws STALE_SOURCES if Studio does not have the sources of the files, unless that is allowed: then it tells them. */
export async function checkStaleAsync(
  session: BridgeSession,
  { folder, scripts, allowStale }: StaleWishes,
  { emit, signal }: RunSurface,
): Promise<void> {
  const files = await staleFilesAsync(session, scripts, signal);
  if (files.length === 0) return;
  const stale = files.map((file) => pathInside(folder, file));
  const named = stale.slice(0, MAX_NAMED).map(visibleOnOneLine).join(", ");
  const more = stale.length > MAX_NAMED ? ` and ${stale.length - MAX_NAMED} more` : "";
  const what = `Studio does not have the current sources of ${stale.length === 1 ? "this file" : "these files"}: ${named}${more}.`;
  if (allowStale) return emit(remark(`${what} The tests run with those of Studio.`, "yellow"));
  throw new StudioBridgeError("STALE_SOURCES", what, {
    agentHint: "Call studio_sync first, and then studio_test again.",
    data: { stale },
  });
}

async function staleFilesAsync(
  session: BridgeSession,
  scripts: readonly RojoScript[],
  signal: AbortSignal,
): Promise<readonly string[]> {
  // Scripts with the same full name cannot be told apart.
  const compared = scripts.filter(({ namesakes = [] }) => namesakes.length === 0);
  if (compared.length === 0) return [];
  const input = compared.map(({ names, source }) => ({ names, checksum: checksumOf(source) }));
  const { success, returnValues, error } = await session.callAsync(
    "execute",
    { script: staleSource, chunkName: HARNESS_NAME, input: JSON.stringify(input) },
    { signal },
  );
  if (!success)
    throw new StudioBridgeError(
      "SCRIPT_RUNTIME_ERROR",
      `The scripts of Studio cannot be compared: ${error ?? ""}`,
    );
  const indexes = parsedJson(String(returnValues[0]));
  const files = (Array.isArray(indexes) ? indexes : []).map((index) => compared[Number(index)]?.file ?? "");
  return [...new Set(files)].sort();
}
