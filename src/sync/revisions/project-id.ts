/** The id of a project on this machine, under which places keep the names of its revisions. */
import { mkdir, readFile } from "node:fs/promises";
import { randomHex } from "../../util/random-hex.ts";
import { writeWholeFileAsync } from "../../util/whole-file.ts";
import { projectIdFile, type SyncState } from "../state-paths.ts";

const ID_BYTES = 6;
const ID = /^[0-9a-f]{12}$/;
const PRIVATE_FOLDER = 0o700;

/** Undefined for a project that no place names a revision of. */
export async function knownProjectIdAsync(state: SyncState): Promise<string | undefined> {
  const known = await readFile(projectIdFile(state), "utf8").catch(() => "");
  return ID.test(known) ? known : undefined;
}

/** Made with the first call. For the process that holds the lock of the line. Throws the system's error. */
export async function projectIdAsync(state: SyncState): Promise<string> {
  const known = await knownProjectIdAsync(state);
  if (known !== undefined) return known;
  await mkdir(state.folder, { recursive: true, mode: PRIVATE_FOLDER });
  const id = randomHex(ID_BYTES);
  await writeWholeFileAsync(projectIdFile(state), Buffer.from(id));
  return id;
}
