/**
 * Reads a file and what the system says of that very file, through one descriptor. Apart from `key-file.ts`, because
 * `node:fs` takes longer to load than a private folder deserves.
 */
import type { Stats } from "node:fs";
import { open } from "node:fs/promises";

/** Throws what the system says. */
export async function readOpenedAsync(path: string): Promise<[Stats, string]> {
  await using file = await open(path);
  return [await file.stat(), await file.readFile("utf8")];
}
