/** The expected pictures of one test file: compares pictures with them, writes those that the run may write, and finds unused ones. */
import { mkdir, readdir, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { type BaselineResult, type BaselineWishes, holdAgainstAsync } from "../../files/picture-baseline.ts";
import { StudioBridgeError } from "../../protocol/errors.ts";
import { nameKey } from "../../roblox/rojo/names.ts";
import { pathInside } from "../../util/path-inside.ts";
import type { SnapshotCounts, SnapshotMode } from "../events.ts";
import { checkOwnFileAsync } from "../own-file.ts";
import { pictureFileIn, pictureFileName, pictureNameFault } from "./picture-names.ts";
import { removePictureAsync } from "./remove-picture.ts";

export interface PictureBookOptions {
  /** The project's folder. */
  readonly folder: string;
  /** The folder of the file's pictures. */
  readonly pictures: string;
  readonly mode: SnapshotMode;
  /** The number of the client in which the file runs, if it is not the first. */
  readonly client?: number | undefined;
  /** The screen with which the run began, as `--viewport` takes it. */
  readonly viewport: string;
}

/** A picture that was taken for a comparison. */
export interface TakenPicture {
  readonly png: Uint8Array;
  /** The screen of its Studio, as `--viewport` takes it. */
  readonly viewport: string;
  readonly masks: BaselineWishes["masks"];
}

export interface PictureLimits {
  /** How much a pixel may differ, from 0 to 1. */
  readonly threshold: number;
  /** How many pixels may. */
  readonly maxDiff: number;
}

/** A picture that is not as expected, as the case that asked for it raises it. */
export class PictureDiffersError extends Error {
  override readonly name = "PictureDiffersError";
  /** Relative to the project's folder, with slashes; absent where nothing could be compared. */
  readonly difference?: string;

  constructor(message: string, difference?: string) {
    super(message);
    if (difference !== undefined) this.difference = difference;
  }
}

const UPDATE = "sb test -u";

export class PictureBook {
  readonly #options: PictureBookOptions;
  readonly #counts = { written: 0, updated: 0, removed: 0, obsolete: 0, failed: 0 };
  /** The files that this run of the test has compared, by the names that some systems take for one. */
  readonly #used = new Map<string, string>();
  /** Those that it has written, with which later pictures of the same name are compared. */
  readonly #written = new Set<string>();
  readonly #viewports: Set<string>;

  constructor(options: PictureBookOptions) {
    this.#options = options;
    this.#viewports = new Set([options.viewport]);
  }

  /** Throws where no picture can have the name. */
  check(name: string): void {
    const fault = pictureNameFault(name);
    if (fault !== undefined)
      throw new Error(`${JSON.stringify(name)} ${fault}, so no picture can have this name`);
  }

  /** Throws PictureDiffersError, and other errors where the file cannot be read or written. */
  async matchAsync(name: string, taken: TakenPicture, limits: PictureLimits): Promise<BaselineResult> {
    const { pictures, client } = this.#options;
    const file = join(pictures, pictureFileName({ name, viewport: taken.viewport, client }));
    await this.#checkNameAsync(file);
    await checkOwnFileAsync(this.#options.folder, file);
    this.#viewports.add(taken.viewport);
    return (await isFileAsync(file))
      ? this.#compareAsync(name, file, taken, limits)
      : this.#newAsync(name, file, taken);
  }

  /**
   * Counts the pictures that nothing has used, and removes them where the run may. Only a file whose cases all ran tells which
   * those are; pictures of other screens and of other clients are not looked at.
   */
  async closeAsync(isWhole: boolean): Promise<SnapshotCounts | undefined> {
    const unused = isWhole ? await this.#unusedAsync() : [];
    if (this.#options.mode !== "all") this.#counts.obsolete = unused.length;
    else {
      for (const file of unused) await removePictureAsync(this.#options.folder, file);
      this.#counts.removed = unused.length;
    }
    return Object.values(this.#counts).some((count) => count > 0) ? this.#counts : undefined;
  }

  /** Two names that differ only in upper and lower case are one file on Windows and macOS. */
  async #checkNameAsync(file: string): Promise<void> {
    const twin = this.#used.get(nameKey(file));
    const folder = dirname(file);
    const others = [
      ...(twin === undefined ? [] : [twin]),
      ...(await twinsAsync(file)),
      ...(await twinsAsync(folder)),
    ].filter((other) => other !== file && other !== folder);
    const [other] = others;
    if (other !== undefined)
      throw new Error(
        `${basename(file)} and ${this.#shown(other)} differ only in upper and lower case, which is one file on some systems`,
      );
    this.#used.set(nameKey(file), file);
  }

  async #newAsync(name: string, file: string, taken: TakenPicture): Promise<BaselineResult> {
    if (this.#options.mode === "none") {
      this.#counts.failed += 1;
      throw new PictureDiffersError(
        `there is no expected picture ${JSON.stringify(name)} yet (${basename(file)}). ${UPDATE} writes it.`,
      );
    }
    await mkdir(dirname(file), { recursive: true });
    const result = await holdAgainstAsync(taken.png, wishesFor(name, file, taken, true));
    this.#written.add(file);
    this.#counts.written += 1;
    return result;
  }

  async #compareAsync(
    name: string,
    file: string,
    taken: TakenPicture,
    limits: PictureLimits,
  ): Promise<BaselineResult> {
    const held = await holdAgainstAsync(taken.png, {
      ...wishesFor(name, file, taken, false),
      ...limits,
    }).catch((error: unknown) => incomparable(error));
    if (!("message" in held) && held.same) return held;
    if (this.#options.mode === "all" && !this.#written.has(file)) {
      this.#written.add(file);
      this.#counts.updated += 1;
      return holdAgainstAsync(taken.png, wishesFor(name, file, taken, true));
    }
    this.#counts.failed += 1;
    if ("message" in held) throw new PictureDiffersError(held.message, this.#shownDifference(held.diff));
    throw new PictureDiffersError(differenceText(name, held), this.#shownDifference(held.diff));
  }

  async #unusedAsync(): Promise<readonly string[]> {
    const { pictures, client } = this.#options;
    const used = new Set(this.#used.values());
    const names = await readdir(pictures).catch((): string[] => []);
    return names.flatMap((name) => {
      const facts = pictureFileIn(name);
      const file = join(pictures, name);
      const isOfRun = facts !== undefined && this.#viewports.has(facts.viewport) && facts.client === client;
      return isOfRun && !used.has(file) ? [file] : [];
    });
  }

  #shown(path: string): string {
    return pathInside(this.#options.folder, path);
  }

  #shownDifference(file: string | undefined): string | undefined {
    return file === undefined ? undefined : this.#shown(file);
  }
}

const wishesFor = (name: string, file: string, { masks }: TakenPicture, update: boolean): BaselineWishes => ({
  file,
  called: JSON.stringify(name),
  update,
  masks,
  threshold: 0,
  maxDiff: 0,
  updateWord: UPDATE,
});

/** A file that is no PNG, has another size or other fonts: what is wrong, and the file that shows both pictures. */
function incomparable(error: unknown): { readonly message: string; readonly diff?: string | undefined } {
  if (!(error instanceof StudioBridgeError)) throw error;
  const { diff } = error.data;
  const message = `${error.message}. If the new one is right, ${UPDATE} writes it.`;
  return { message, ...(typeof diff === "string" ? { diff } : {}) };
}

function differenceText(name: string, { pixels, ratio }: BaselineResult): string {
  const count = pixels === 1 ? "1 pixel" : `${pixels} pixels`;
  const share = `${(ratio * 100).toPrecision(2)} %`;
  return `${JSON.stringify(name)} differs from the expected picture in ${count} (${share}). If it is right, ${UPDATE} writes it.`;
}

const isFileAsync = async (file: string): Promise<boolean> =>
  (await stat(file).catch(() => undefined))?.isFile() === true;

/** What is beside a path and has the same name on some systems, among them the path itself. */
async function twinsAsync(path: string): Promise<readonly string[]> {
  const folder = dirname(path);
  const key = nameKey(basename(path));
  const names = await readdir(folder).catch((): string[] => []);
  return names.filter((name) => nameKey(name) === key).map((name) => join(folder, name));
}
