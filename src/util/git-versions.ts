/** Reads what `git diff-tree -z -r` prints: which blobs a path had before and after a commit. */

/** The modes of plain files; links and submodules have others. */
export const PLAIN_MODES: ReadonlySet<string> = new Set(["100644", "100755"]);

/** Hears of a blob at a path from the top of the work tree. Returns false where it has heard enough. */
export type OnVersion = (path: string, blob: string) => boolean;

/** False where `onVersion` has heard enough. */
export async function readVersionsAsync(
  output: ReadableStream<Uint8Array>,
  onVersion: OnVersion,
): Promise<boolean> {
  let rest = Buffer.alloc(0);
  let facts: string | undefined;
  for await (const chunk of output) {
    const bytes = Buffer.concat([rest, chunk]);
    const end = bytes.lastIndexOf(0) + 1;
    rest = bytes.subarray(end);
    for (const part of bytes.toString("utf8", 0, end).split("\0").slice(0, -1)) {
      if (facts === undefined) facts = part;
      else {
        if (!blobsOf(facts).every((blob) => onVersion(part, blob))) return false;
        facts = undefined;
      }
    }
  }
  return true;
}

/** `:MODE MODE ID ID STATUS`; for a merge, one colon, mode and id more for each further parent. */
function blobsOf(facts: string): readonly string[] {
  const parents = facts.lastIndexOf(":") + 1;
  const words = facts.slice(parents).split(" ");
  const modes = words.slice(0, parents + 1);
  return modes.flatMap((mode, index) => (PLAIN_MODES.has(mode) ? (words[modes.length + index] ?? []) : []));
}
