/** The texts of git's blobs, which may have any line ends. Those of known texts are not read. */
import type { Git, Repository } from "../../util/git.ts";
import { gitBlobHash } from "../../util/git-blob-hash.ts";
import { decodeStrictly } from "../../util/strict-utf8.ts";

/** The ids that a text (LF) has in git with either line end. */
export function idsOfText(text: string, algorithm: Repository["idAlgorithm"]): readonly string[] {
  const forms = new Set([text, text.replaceAll("\n", "\r\n")]);
  return [...forms].map((form) => gitBlobHash(form, algorithm));
}

export class BlobTexts {
  readonly #git: Git;
  readonly #repository: Repository;
  readonly #texts = new Map<string, string>();

  constructor(git: Git, repository: Repository) {
    this.#git = git;
    this.#repository = repository;
  }

  /** With LF; undefined for a blob that is no text, or that was neither added nor read. */
  of(blob: string | undefined): string | undefined {
    return blob === undefined ? undefined : this.#texts.get(blob);
  }

  add(text: string): void {
    for (const id of idsOfText(text, this.#repository.idAlgorithm)) this.#texts.set(id, text);
  }

  /** Those that need no fetch. */
  async readAsync(blobs: readonly (string | undefined)[]): Promise<void> {
    const unread = new Set(
      blobs.filter((blob) => blob !== undefined).filter((blob) => !this.#texts.has(blob)),
    );
    // A partial clone must be asked what it has before it is asked for it.
    const { isPartial } = this.#repository;
    const readable = isPartial ? (await this.sizesAsync([...unread])).keys() : unread;
    for (const [blob, content] of await this.#git.textsAsync([...readable])) {
      const text = decodeStrictly(content, { keepsMark: true });
      if (typeof text === "string") this.#texts.set(blob, text);
    }
  }

  sizesAsync(blobs: readonly string[]): Promise<ReadonlyMap<string, number>> {
    return this.#git.sizesAsync(blobs, this.#repository);
  }
}

/**
 * Whether a blob of so many bytes can be a text (LF) of which some lines, but not all, end with CRLF. Others have an id of
 * `idsOfText`.
 */
export function canHaveMixedEnds(bytes: number, text: string): boolean {
  const least = Buffer.byteLength(text);
  return bytes > least && bytes < least + text.split("\n").length - 1;
}
