/** What git knows about the files of a project's scripts, in the words of a plan. */
import type { RojoNode } from "../roblox/rojo/node.ts";
import { bytesOf } from "../util/bytes.ts";
import { type GitFacts, readGitAsync } from "./base/git.ts";

/** `scripts` are nodes of the files. Without git, or without its answer, everything is unknown. */
export async function committedFilesAsync(
  folder: string,
  scripts: readonly RojoNode[],
  lastHead: string | undefined,
): Promise<GitFacts> {
  const sources = scripts.flatMap(({ file, properties }): [string, Uint8Array][] => {
    const source = properties.get("Source");
    return file === undefined || source?.type !== "String" ? [] : [[file, bytesOf(source.value)]];
  });
  const facts = await readGitAsync({
    folder,
    files: new Map(sources),
    ...(lastHead === undefined ? {} : { lastHead }),
  });
  return facts ?? { files: new Map() };
}
