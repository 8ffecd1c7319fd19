/** Lists the files below a folder. It follows symbolic links, because a place follows them too. */
import { readdir, realpath, stat } from "node:fs/promises";
import { join, sep } from "node:path";

/** The files below `folder`. Links for which `isLeftOut` is true are not followed. All paths are relative to the folder. */
export class FilesBelow {
  readonly #folder: string;
  readonly #isLeftOut: (path: string) => boolean;

  constructor(folder: string, isLeftOut: (path: string) => boolean) {
    this.#folder = folder;
    this.#isLeftOut = isLeftOut;
  }

  /** The files below the folder, or below `path` in it. `around` are the targets of the links on the way to `path`. */
  async inAsync(path = "", around: readonly string[] = []): Promise<string[]> {
    const entries = await readdir(join(this.#folder, path), { withFileTypes: true }).catch(() => []);
    const found = await Promise.all(
      entries.map(async (entry): Promise<readonly string[]> => {
        const inner = path === "" ? entry.name : `${path}/${entry.name}`;
        if (entry.isSymbolicLink()) return this.behindAsync(inner, around);
        if (entry.isDirectory()) return this.inAsync(inner, around);
        return entry.isFile() ? [inner] : [];
      }),
    );
    return found.flat();
  }

  /**
   * The file to which the link at `path` leads, or the files below that folder. Empty if the folder contains the link itself,
   * because that would have no end.
   */
  async behindAsync(path: string, around: readonly string[] = []): Promise<string[]> {
    if (this.#isLeftOut(path)) return [];
    const target = join(this.#folder, path);
    const info = await stat(target).catch(() => undefined);
    if (info?.isFile() === true) return [path];
    if (info?.isDirectory() !== true) return [];
    const folders = [target, join(target, ".."), this.#folder];
    const [real = target, ...outer] = await Promise.all(folders.map((path) => realpath(path)));
    // The root of a disk ends with a slash, other folders do not.
    const below = real.endsWith(sep) ? real : real + sep;
    const isAround = [...outer, ...around].some((other) => other === real || other.startsWith(below));
    return isAround ? [] : this.inAsync(path, [...around, real]);
  }
}
