/** Finds `sb.config.json`: the one of a folder, or of the nearest folder above it. */
import { dirname, join, resolve } from "node:path";
import { systemCodeOf } from "../util/system-error.ts";

export const PROJECT_FILE = "sb.config.json";

/** What stands in the file, or why it cannot be read. */
export type FoundProjectFile = { readonly file: string } & (
  { readonly bytes: Uint8Array } | { readonly error: unknown }
);

/** Undefined where there is none. All folders are looked at at once, because most have none. */
export async function findProjectFileAsync(folder: string): Promise<FoundProjectFile | undefined> {
  const files = foldersFrom(resolve(folder)).map((each) => join(each, PROJECT_FILE));
  const found = await Promise.all(files.map(readAsync));
  return found.find((each) => each !== undefined);
}

async function readAsync(file: string): Promise<FoundProjectFile | undefined> {
  try {
    // Reading a pipe would wait for its writer.
    const content = Bun.file(file);
    if ((await content.stat()).isFIFO()) return { file, error: new Error("it is a pipe") };
    return { file, bytes: await content.bytes() };
  } catch (error) {
    return ["ENOENT", "ENOTDIR"].includes(systemCodeOf(error) ?? "") ? undefined : { file, error };
  }
}

/** The folder itself, then those above it. */
function foldersFrom(folder: string): string[] {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...foldersFrom(above)];
}
