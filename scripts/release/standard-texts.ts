/** Licences whose text is the same for everyone, as files of licences/texts. */
import { readdirSync } from "node:fs";
import { join } from "node:path";

const folder = join(import.meta.dir, "licences", "texts");

/** Their names, which are those of SPDX. */
export const standardTexts: readonly string[] = readdirSync(folder)
  .map((file) => file.replace(/\.txt$/, ""))
  .toSorted();

export const standardTextAsync = (name: string): Promise<string> =>
  Bun.file(join(folder, `${name}.txt`)).text();
