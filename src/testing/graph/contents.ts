/** Hashes of the files that a test run reads, by which a later run knows which files have changed. */
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
  /** Paths of the place's scripts, relative to the folder. */
  #scripts: ReadonlySet<string> = new Set();
  /** Paths of modules that are not part of the place. */
  readonly #modules = new Set<string>();
  /** The last result of `#surroundings`; undefined after a change. */
  #known: string | undefined;

  /**
   * `isTest` says whether a path relative to the folder is that of a test file. `variant` names the other circumstances on
   * which the scripts of a test depend, such as the target.
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

  /** `scripts` are the absolute paths of the place's scripts. Any other file that is no test concerns every test. */
  setScripts(scripts: Iterable<string>): void {
    this.#scripts = new Set([...scripts].map((file) => pathInside(this.#folder, file)));
    this.#known = undefined;
  }

  /** Notes a module that is not part of the place. Only the tests that require it depend on it. */
  addModule(path: string, source: string): void {
    this.#modules.add(path);
    this.add(join(this.#folder, path), source);
  }

  /** For each path, the id that git gives to the file's content with Unix line ends. */
  get hashes(): ReadonlyMap<string, string> {
    return this.#hashes;
  }

  /** True if every test depends on the file, because the file is neither a script nor a test. */
  concernsAll(path: string): boolean {
    return !this.#scripts.has(path) && !this.#modules.has(path) && !this.#isTest(path);
  }

  /**
   * A digest of everything on which the record of a test file depends: the content of the test file, of the scripts that it
   * needs and of all files that are no scripts, and the list of the place's scripts. Other test files are no part of it.
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
