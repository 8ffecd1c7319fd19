/** Lists the files below folders. It follows symbolic links, because a place follows them too, and reads each real folder once. */
import type { Dirent } from "node:fs";
import { readdir, realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import { invalidInput } from "../../protocol/messages.ts";
import { isWithin } from "../../util/path-inside.ts";
import { visibleOnOneLine } from "../../util/visible-controls.ts";

/** More than any project has that was seen, and few enough that a wrong folder costs seconds and little memory. */
const MAX_ENTRIES = 250_000;
const MAX_MS = 8_000;
/** How many folders are read at once. */
const AT_ONCE = 32;

const TESTS = {
  noun: "tests",
  hint: 'Run the tests in the folder of one project, or name the folders of the tests in sb.config.json: "test": { "include": ["src/**/*.spec.luau"] }.',
};

/** Which folders and links a search follows. All paths are relative to the folder of the search, with slashes. */
export interface SearchRules {
  /** Neither these folders nor what is behind these links is searched. */
  isLeftOut(path: string): boolean;
  /** Called for a link that leads to nothing. */
  onDangling?(path: string): void;
  /** The files behind this link are listed by its name too, although they are listed by another. */
  isWanted(path: string): boolean;
  readonly signal?: AbortSignal | undefined;
  /** What the files are searched for, and what to do where the folder is too large. Without it: for tests. */
  readonly work?: { readonly noun: string; readonly hint: string };
  readonly maxEntries?: number;
  readonly maxMs?: number;
}

interface Folder {
  readonly path: string;
  /** The same folder without links. */
  readonly real: string;
}

/** A link to follow, and the folder that it is in. */
interface Link {
  readonly path: string;
  readonly from: Folder;
}

/** One search. Its bounds are for all calls together. */
export class FilesBelow {
  readonly #folder: string;
  readonly #rules: SearchRules;
  readonly #startedMs = performance.now();
  #entries = 0;

  constructor(folder: string, rules: SearchRules) {
    this.#folder = folder;
    this.#rules = rules;
  }

  /** The files below these folders, or below the folder of the search, which is called "". Missing ones have none. */
  async inAsync(paths: readonly string[]): Promise<string[]> {
    const folders: Folder[] = [];
    for (const path of paths) {
      const real = await realpath(join(this.#folder, path)).catch(() => undefined);
      if (real !== undefined) folders.push({ path, real });
    }
    return this.#walkAsync(folders, []);
  }

  /** The files to which these links lead, and those in the folders to which they lead. */
  async behindAsync(paths: readonly string[]): Promise<string[]> {
    const links: Link[] = [];
    for (const path of paths) {
      const parent = path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : "";
      const real = await realpath(join(this.#folder, parent)).catch(() => undefined);
      if (real !== undefined) links.push({ path, from: { path: parent, real } });
    }
    return this.#walkAsync([], links);
  }

  /** Folders come before links, so that a file has its own path where it has one. */
  async #walkAsync(folders: readonly Folder[], links: readonly Link[]): Promise<string[]> {
    const found: string[] = [];
    const seen = new Set<string>();
    const waiting = [...links];
    let next = await this.#readAllAsync(folders, seen, found);
    for (let index = 0; ; index++) {
      waiting.push(...next);
      next = [];
      const link = waiting[index];
      if (link === undefined) return found;
      const target = await this.#targetAsync(link);
      if (target === undefined) continue;
      if (target === "file") found.push(link.path);
      else if (!seen.has(target.real)) next = await this.#readAllAsync([target], seen, found);
      else if (this.#rules.isWanted(link.path)) found.push(...(await this.#walkAsync([target], [])));
    }
  }

  /** Adds the files below the folders to `found`, without those behind links, which it returns. */
  async #readAllAsync(folders: readonly Folder[], seen: Set<string>, found: string[]): Promise<Link[]> {
    const links: Link[] = [];
    let level = [...folders];
    while (level.length > 0) {
      const deeper: Folder[] = [];
      const unread = level.filter(({ real }) => !seen.has(real) && seen.add(real));
      for (let start = 0; start < unread.length; start += AT_ONCE) {
        const batch = unread.slice(start, start + AT_ONCE).map((folder) => this.#entriesAsync(folder));
        for (const listing of await Promise.all(batch)) {
          found.push(...listing.files);
          deeper.push(...listing.folders);
          links.push(...listing.links);
        }
      }
      level = deeper;
    }
    return links;
  }

  async #entriesAsync(folder: Folder) {
    const { path, real } = folder;
    const entries = await readdir(real, { withFileTypes: true }).catch((): Dirent[] => []);
    this.#count(entries.length);
    const files: string[] = [];
    const folders: Folder[] = [];
    const links: Link[] = [];
    for (const entry of entries) {
      const inner = path === "" ? entry.name : `${path}/${entry.name}`;
      if (entry.isFile()) files.push(inner);
      else if (this.#rules.isLeftOut(inner)) continue;
      else if (entry.isSymbolicLink()) links.push({ path: inner, from: folder });
      else if (entry.isDirectory()) folders.push({ path: inner, real: join(real, entry.name) });
    }
    return { files, folders, links };
  }

  /** Undefined for a link to nothing, and to a folder that contains the link or the search, which would have no end. */
  async #targetAsync({ path, from }: Link): Promise<Folder | "file" | undefined> {
    this.#count(1);
    if (this.#rules.isLeftOut(path)) return undefined;
    const target = join(this.#folder, path);
    const info = await stat(target).catch(() => undefined);
    if (info === undefined) this.#rules.onDangling?.(path);
    if (info?.isFile() === true) return "file";
    if (info?.isDirectory() !== true) return undefined;
    const real = await realpath(target).catch(() => undefined);
    const top = await realpath(this.#folder).catch(() => this.#folder);
    if (real === undefined || isWithin(real, from.real) || isWithin(real, top)) return undefined;
    return { path, real };
  }

  /** Throws where the search is cancelled, or takes more than a project would. */
  #count(entries: number): void {
    const { signal, maxEntries = MAX_ENTRIES, maxMs = MAX_MS } = this.#rules;
    signal?.throwIfAborted();
    this.#entries += entries;
    if (this.#entries > maxEntries) throw this.#tooLarge(`has more than ${maxEntries} files and folders`);
    if (performance.now() - this.#startedMs > maxMs)
      throw this.#tooLarge(`could not be searched within ${maxMs / 1000} seconds`);
  }

  #tooLarge(what: string): Error {
    const { noun, hint } = this.#rules.work ?? TESTS;
    return invalidInput(
      `${visibleOnOneLine(this.#folder)} ${what}, so it is not searched for ${noun}.`,
      hint,
    );
  }
}
