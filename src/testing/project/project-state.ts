/** The files in the state folder in which `sb test` remembers facts about a project. */
import { realpath } from "node:fs/promises";
import { join } from "node:path";
import { stateFile } from "../../util/state-folder.ts";

/** The file with this ending for the project in `folder`. Undefined if there is no state folder. */
export async function projectStateFileAsync(folder: string, ending: string): Promise<string | undefined> {
  const real = await realpath(folder).catch(() => folder);
  const hash = new Bun.CryptoHasher("sha256").update(real).digest("hex").slice(0, 16);
  try {
    return stateFile(join("test", `${hash}${ending}`));
  } catch {
    return undefined;
  }
}
