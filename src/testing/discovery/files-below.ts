/** The files below a folder, also behind symbolic links, because the place has them as well. */
import { readdir, realpath, stat } from "node:fs/promises";
import { join, sep } from "node:path";

/** A folder whose links are followed, unless `isLeftOut` says no. All paths are relative to it, with slashes. */
export class FilesBelow {
  readonly #folder: string;
  readonly #isLeftOut: (path: string) => boolean;

  constructor(folder: string, isLeftOut: (path: string) => boolean) {
    this.#folder = folder;
    this.#isLeftOut = isLeftOut;
  }

  /** Of the folder itself, or of one in it. `around`: the folders to which links on the way there lead. */
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

  /** The file to which a link leads, or the files of the folder; none where that folder is one around the link. */
  async behindAsync(path: string, around: readonly string[] = []): Promise<string[]> {
    if (this.#isLeftOut(path)) return [];
    const target = join(this.#folder, path);
    const facts = await stat(target).catch(() => undefined);
    if (facts?.isFile() === true) return [path];
    if (facts?.isDirectory() !== true) return [];
    const folders = [target, join(target, ".."), this.#folder];
    const [real = target, ...outer] = await Promise.all(folders.map((each) => realpath(each)));
    // The root of a disk ends with a slash, other folders do not.
    const below = real.endsWith(sep) ? real : real + sep;
    const isAround = [...outer, ...around].some((each) => each === real || each.startsWith(below));
    return isAround ? [] : this.inAsync(path, [...around, real]);
  }
}
