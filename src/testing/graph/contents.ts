/** The contents of the files that a run of tests is made of, as hashes, so that a later run knows which have changed. */
import { join } from "node:path";
import { gitBlobHash } from "../../util/git-blob-hash.ts";
import { withUnixEnds } from "../../util/git.ts";
import { pathInside } from "../../util/path-inside.ts";
import type { Needs } from "./needs.ts";

export class ProjectContents {
  readonly #folder: string;
  readonly #hashes = new Map<string, string>();
  readonly #isTest: (path: string) => boolean;
  readonly #variant: string;
  /** Of the place. */
  #scripts: ReadonlySet<string> = new Set();
  /** Modules that are no part of the place. */
  readonly #modules = new Set<string>();
  /** What `#surroundings` gave. */
  #known: string | undefined;

  /**
   * `isTest`: whether a path relative to the folder is that of a test file. `variant`: what else decides which scripts a
   * test uses, such as the target.
   */
  constructor(folder: string, isTest: (path: string) => boolean, variant: string) {
    this.#folder = folder;
    this.#isTest = isTest;
    this.#variant = variant;
  }

  /** Notes a file that was read; `file` is absolute. */
  add(file: string, content: Uint8Array | string): void {
    const bytes = typeof content === "string" ? Buffer.from(content) : content;
    this.#hashes.set(pathInside(this.#folder, file), gitBlobHash(withUnixEnds(bytes)));
    this.#known = undefined;
  }

  /** `scripts`: the files of the place's scripts, absolute. All other files that are no tests concern every test. */
  setScripts(scripts: Iterable<string>): void {
    this.#scripts = new Set([...scripts].map((file) => pathInside(this.#folder, file)));
    this.#known = undefined;
  }

  /** Notes a module that is no part of the place, which only those tests depend on that name it. */
  addModule(path: string, source: string): void {
    this.#modules.add(path);
    this.add(join(this.#folder, path), source);
  }

  /** The id that git would give to the file, by its path in the project, where its line ends are those of Unix. */
  get hashes(): ReadonlyMap<string, string> {
    return this.#hashes;
  }

  /** Whether every test depends on the file, because it is neither a script nor a test. */
  concernsAll(path: string): boolean {
    return !this.#scripts.has(path) && !this.#modules.has(path) && !this.#isTest(path);
  }

  /**
   * A text that is the same as long as what was recorded for the test file holds: as long as it, what it needs and all that
   * is no script are as they were, and the place has the same scripts. Scripts that are tests may come and go.
   */
  stateOf(test: string, needs: Needs): string {
    const own = "files" in needs ? [test, ...needs.files] : [test];
    const lines = own.map((path) => `${path} ${this.#hashes.get(path)}`);
    return digest([this.#variant, this.#surroundings(), ...lines]);
  }

  #surroundings(): string {
    return (this.#known ??= digest(
      [...this.#hashes]
        .filter(([path]) => this.#scripts.has(path) || !this.#modules.has(path))
        .filter(([path]) => !this.#isTest(path))
        .map(([path, hash]) => (this.concernsAll(path) ? `${path} ${hash}` : path))
        .sort(),
    ));
  }
}

const digest = (lines: readonly string[]): string =>
  new Bun.CryptoHasher("sha1").update(lines.join("\n")).digest("hex").slice(0, 20);
