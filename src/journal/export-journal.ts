/** Writes the page of `sb journal --export`, and reports what is in it before a person sends it to others. */
import { rename } from "node:fs/promises";
import { resolve } from "node:path";
import type { RunSurface } from "../output/run-surface.ts";
import { exportPage } from "./export-page.ts";
import { laneLines } from "./lane-lines.ts";
import type { JournaledCall } from "./read.ts";
import { StudioBridgeError } from "../protocol/errors.ts";
import { randomHex } from "../util/random-hex.ts";
import { systemCodeOf, systemReason } from "../util/system-error.ts";
import { writeNewFileAsync } from "../util/whole-file.ts";

const PRIVATE_FILE = 0o600;

interface Exported {
  readonly file: string;
  readonly calls: number;
  readonly lines: number;
  readonly cut: number;
}

/** Throws FILE_ERROR for a file that is there already, unless `force`, and for one that cannot be written. */
export async function exportJournalAsync(
  name: string,
  { force, redact }: { readonly force: boolean; readonly redact: boolean },
  calls: readonly JournaledCall[],
  { emit }: Pick<RunSurface, "emit">,
): Promise<Exported> {
  const file = resolve(name);
  const { html, ...counts } = exportPage(calls, laneLines(calls[0]?.at ?? Number.POSITIVE_INFINITY), redact);
  await writeAsync(file, new TextEncoder().encode(html), force);
  const cut = counts.cut === 0 ? "" : ` The oldest ${counts.cut} rows had no room.`;
  const contents = redact
    ? `${counts.calls} calls, with numbers in place of names. Names of clients and of commands are in it.`
    : `${counts.calls} calls and ${counts.lines} lines of Output. Names and paths of Instances, of places and of clients are in it, and what scripts printed.`;
  emit({ stream: "stderr", text: (style) => style.dim(`The page has ${contents}${cut}`) });
  return { file, ...counts };
}

async function writeAsync(file: string, content: Uint8Array, force: boolean): Promise<void> {
  try {
    if (!force) return await writeNewFileAsync(file, content, PRIVATE_FILE);
    const staging = `${file}.${randomHex(4)}`;
    await writeNewFileAsync(staging, content, PRIVATE_FILE);
    await rename(staging, file);
  } catch (error) {
    const isThere = systemCodeOf(error) === "EEXIST";
    const reason = isThere ? "it is there already" : systemReason(error);
    throw new StudioBridgeError("FILE_ERROR", `${file} cannot be written: ${reason}.`, {
      ...(isThere ? { hint: "Choose another name, or add --force to replace it." } : {}),
      data: { path: file },
    });
  }
}
