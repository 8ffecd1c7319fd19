/** Where in the state folder `sb test` keeps what it remembers of a project. */
import { realpath } from "node:fs/promises";
import { join } from "node:path";
import { stateFile } from "../../util/state-folder.ts";

/** `ending` says what the file contains. Undefined where there is no state folder. */
export async function projectStateFileAsync(folder: string, ending: string): Promise<string | undefined> {
  const real = await realpath(folder).catch(() => folder);
  const hash = new Bun.CryptoHasher("sha256").update(real).digest("hex").slice(0, 16);
  try {
    return stateFile(join("test", `${hash}${ending}`));
  } catch {
    return undefined;
  }
}
