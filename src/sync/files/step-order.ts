/**
 * Puts the changes of a layout into an order in which each step finds what it needs: a folder before what is in it, a name
 * free before it is taken. It follows the steps on a planned disk, and refuses what would touch files of others.
 */
import { basename, dirname, extname, join, sep } from "node:path";
import { nameKey } from "../../roblox/rojo/names.ts";
import { gitBlobHash } from "../../util/git-blob-hash.ts";
import { systemCodeOf, systemReason } from "../../util/system-error.ts";
import type { PlanItem } from "../types.ts";
import type { Document } from "./documents.ts";
import type { Layout, PlainChange, Relocation } from "./layout-draft.ts";
import type { FileOperation } from "./operations.ts";
import type { PlannedDisk } from "./planned-disk.ts";
import type { SeenDisk } from "./read-project.ts";

type Items = ReadonlySet<PlanItem>;

export interface OrderedSteps {
  readonly operations: readonly FileOperation[];
  /** Those of the refused items whose names are taken by others. */
  readonly twins: ReadonlySet<PlanItem>;
  readonly refusals: ReadonlyMap<PlanItem, string>;
}

/** What systems put into folders by themselves. */
const JUNK = new Set([".DS_Store", "Thumbs.db", "desktop.ini"]);

/** `disk` is as the files are now, `seen` as they were when the project was read. */
export async function orderStepsAsync(
  layout: Layout,
  disk: PlannedDisk,
  seen: SeenDisk,
): Promise<OrderedSteps> {
  const order = new StepOrder(layout, disk, seen);
  await order.runAsync();
  return order;
}

/** A folder to make, or something to move. */
type Placing =
  | { readonly type: "folder"; readonly to: string; readonly items: Items }
  | { readonly type: "move"; readonly to: string; readonly items: Items; readonly relocation: Relocation };

class StepOrder implements OrderedSteps {
  readonly operations: FileOperation[] = [];
  readonly refusals = new Map<PlanItem, string>();
  readonly twins = new Set<PlanItem>();
  readonly #layout: Layout;
  readonly #disk: PlannedDisk;
  readonly #seen: SeenDisk;
  readonly #renames: (readonly [from: string, to: string])[] = [];
  /** Files that go, by the paths that they had at first. */
  readonly #removals: Map<string, PlainChange>;
  readonly #names = new Map<string, Map<string, string>>();

  constructor(layout: Layout, disk: PlannedDisk, seen: SeenDisk) {
    this.#layout = layout;
    this.#disk = disk;
    this.#seen = seen;
    this.#removals = new Map(layout.removedFiles.map((removal) => [removal.path, removal]));
  }

  async runAsync(): Promise<void> {
    await this.#placeAsync();
    for (const document of this.#layout.documents)
      await this.#unlessGoneAsync(itemsOf(document), () => this.#writeAsync(document));
    for (const { path, items } of this.#removals.values())
      await this.#unlessGoneAsync(items, () => this.#removeAsync(path));
    const folders = this.#layout.removedFolders.toSorted(
      (left, right) => right.path.length - left.path.length,
    );
    for (const folder of folders)
      await this.#unlessGoneAsync(folder.items, () => this.#removeFolderAsync(folder));
  }

  /** A file or folder may have gone since the project was read. */
  async #unlessGoneAsync(items: Items, act: () => Promise<unknown>): Promise<void> {
    try {
      await act();
    } catch (error) {
      const code = systemCodeOf(error);
      if (code === undefined) throw error;
      this.#refuse(items, `a file of it has changed since sb read it: ${systemReason(error)}`);
    }
  }

  #refuse(items: Items, reason: string): void {
    for (const item of items) if (!this.refusals.has(item)) this.refusals.set(item, reason);
  }

  #emit(operation: FileOperation): void {
    this.operations.push(operation);
    this.#disk.take(operation);
  }

  /** Where something is now that was at `path` at first. */
  #now(path: string): string {
    return this.#renames.reduce(
      (at, [from, to]) => (at === from || at.startsWith(from + sep) ? to + at.slice(from.length) : at),
      path,
    );
  }

  /** Makes folders and moves files until nothing is left, each as soon as its place is free. */
  async #placeAsync(): Promise<void> {
    let waiting: Placing[] = [
      ...this.#layout.folders.map(({ path, items }): Placing => ({ type: "folder", to: path, items })),
      ...this.#layout.relocations.map((relocation): Placing => ({
        type: "move",
        to: relocation.to,
        items: relocation.items,
        relocation,
      })),
    ].sort((left, right) => left.to.length - right.to.length);
    while (waiting.length > 0) {
      const left: Placing[] = [];
      for (const placing of waiting)
        await this.#unlessGoneAsync(placing.items, async () => {
          if (!(await this.#tryPlaceAsync(placing))) left.push(placing);
        });
      if (left.length === waiting.length && !(await this.#makeRoomAsync(left))) {
        for (const { items, to } of left) await this.#refuseTakenAsync(items, to);
        return;
      }
      waiting = left;
    }
  }

  async #tryPlaceAsync(placing: Placing): Promise<boolean> {
    const { to } = placing;
    const items = [...placing.items];
    if ((await this.#disk.kindAsync(dirname(to))) !== "folder") return false;
    const path = placing.type === "move" ? this.#now(placing.relocation.path) : undefined;
    if (path === to) return true;
    const occupant = await this.#occupantAsync(to, path);
    if (occupant !== undefined && !(await this.#clearAsync(occupant))) return false;
    if (path === undefined) this.#emit({ type: "createFolder", path: to, items });
    else await this.#renameAsync(path, to, placing.type === "move" && placing.relocation.isFolder, items);
    this.#noteName(to, true);
    return true;
  }

  async #renameAsync(path: string, to: string, isFolder: boolean, items: readonly PlanItem[]): Promise<void> {
    this.#noteName(path, false);
    const before = isFolder ? {} : { before: await this.#hashAsync(path) };
    this.#emit({ type: "rename", path, to, ...before, items });
    this.#renames.push([path, to]);
    for (const folder of [...this.#names.keys()])
      if (folder === path || folder.startsWith(path + sep)) this.#names.delete(folder);
  }

  /** Two that want each other's names: one of them steps aside. */
  async #makeRoomAsync(waiting: readonly Placing[]): Promise<boolean> {
    for (const placing of waiting) {
      if (placing.type !== "move") continue;
      const path = this.#now(placing.relocation.path);
      const wanted = waiting.some(({ to }) => nameKey(to) === nameKey(path));
      if (!wanted) continue;
      const aside = join(dirname(path), `.${basename(path, extname(path))}.sb-aside`);
      if ((await this.#occupantAsync(aside, undefined)) !== undefined) continue;
      await this.#renameAsync(path, aside, placing.relocation.isFolder, [...placing.items]);
      this.#noteName(aside, true);
      return true;
    }
    return false;
  }

  async #refuseTakenAsync(items: Items, to: string): Promise<void> {
    const occupant = await this.#occupantAsync(to, undefined).catch(() => undefined);
    if (occupant === undefined) return this.#refuse(items, `${dirname(to)} is not a folder`);
    for (const item of items) this.twins.add(item);
    const isSame = occupant === to;
    this.#refuse(
      items,
      isSame
        ? `${basename(to)} exists already; rename the Instance in Studio, or add --safe-names`
        : `${basename(to)} differs from ${basename(occupant)} in case only, which many disks take for one name; rename it in Studio, or add --safe-names`,
    );
  }

  /** What is at a path already, also under a name that differs in case; undefined for the thing itself. */
  async #occupantAsync(to: string, path: string | undefined): Promise<string | undefined> {
    const folder = dirname(to);
    const name = (await this.#namesAsync(folder)).get(nameKey(basename(to)));
    const occupant = name === undefined ? undefined : join(folder, name);
    return occupant === path ? undefined : occupant;
  }

  async #namesAsync(folder: string): Promise<Map<string, string>> {
    let names = this.#names.get(folder);
    if (names === undefined) {
      const entries = await this.#disk.entriesAsync(folder);
      names = new Map(entries.map(({ name }) => [nameKey(name), name]));
      this.#names.set(folder, names);
    }
    return names;
  }

  #noteName(path: string, isThere: boolean): void {
    const names = this.#names.get(dirname(path));
    if (isThere) names?.set(nameKey(basename(path)), basename(path));
    else names?.delete(nameKey(basename(path)));
  }

  /** Removes a file that is to go anyway, because its name is needed. */
  async #clearAsync(occupant: string): Promise<boolean> {
    const removal = [...this.#removals.keys()].find((path) => this.#now(path) === occupant);
    if (removal === undefined) return false;
    await this.#removeAsync(removal);
    return true;
  }

  async #removeAsync(first: string): Promise<void> {
    const removal = this.#removals.get(first);
    if (removal === undefined) return;
    this.#removals.delete(first);
    const path = this.#now(first);
    if (!this.#isAsRead(first, await this.#disk.readAsync(path), removal.items)) return;
    this.#emit({ type: "remove", path, before: await this.#hashAsync(path), items: [...removal.items] });
    this.#noteName(path, false);
  }

  async #hashAsync(path: string): Promise<string> {
    return gitBlobHash(await this.#disk.readAsync(path));
  }

  #isAsRead(path: string, content: Uint8Array, items: Items): boolean {
    const known = this.#seen.hashOf(path);
    if (known === undefined || known === gitBlobHash(content)) return true;
    this.#refuse(items, `${path} has changed since sb read it`);
    return false;
  }

  async #writeAsync(document: Document): Promise<void> {
    const { path, old, edits } = document;
    const items = itemsOf(document);
    const removal = old === undefined ? undefined : this.#removals.get(old);
    if (removal !== undefined) {
      // What has left a file that goes shares its fate, so that it is never in two places.
      this.#removals.set(removal.path, { ...removal, items: new Set([...removal.items, ...items]) });
      return;
    }
    const present = old === undefined ? undefined : this.#now(old);
    const content = present === undefined ? undefined : await this.#disk.readAsync(present);
    if (old !== undefined && content !== undefined && !this.#isAsRead(old, content, items)) return;
    let fresh = content;
    for (const { items: own, edit } of edits) {
      const result = edit(fresh);
      if ("refused" in result) return this.#refuse(own, result.refused);
      fresh = result.content;
    }
    if (present !== undefined && content !== undefined && (fresh === undefined || present !== path)) {
      this.#emit({ type: "remove", path: present, before: gitBlobHash(content), items: [...items] });
      this.#noteName(present, false);
    }
    if (fresh === undefined) return;
    if (present === path && content !== undefined) return this.#overwrite(path, content, fresh, items);
    if ((await this.#disk.kindAsync(dirname(path))) !== "folder")
      return this.#refuse(items, `${dirname(path)} is not a folder`);
    const occupant = await this.#occupantAsync(path, undefined);
    if (occupant !== undefined && !(await this.#clearAsync(occupant)))
      return this.#refuseTakenAsync(items, path);
    this.#emit({ type: "write", path, content: fresh, items: [...items] });
    this.#noteName(path, true);
  }

  #overwrite(path: string, old: Uint8Array, content: Uint8Array, items: Items): void {
    const before = gitBlobHash(old);
    if (before !== gitBlobHash(content))
      this.#emit({ type: "write", path, before, content, items: [...items] });
  }

  async #removeFolderAsync({ path: first, items }: PlainChange): Promise<void> {
    const path = this.#now(first);
    const names: string[] = [];
    for (const { name, kind } of await this.#disk.entriesAsync(path)) {
      const file = join(path, name);
      if (JUNK.has(name) && kind === "file")
        this.#emit({ type: "remove", path: file, before: await this.#hashAsync(file), items: [...items] });
      else names.push(name);
    }
    if (names.length > 0) {
      const more = names.length > 1 ? ` and ${names.length - 1} more` : "";
      return this.#refuse(
        items,
        `its folder ${path} also holds ${names[0]}${more}, which is not part of it; move that away first`,
      );
    }
    this.#emit({ type: "removeFolder", path, items: [...items] });
    this.#noteName(path, false);
  }
}

const itemsOf = ({ edits }: Document): Items => new Set(edits.flatMap(({ items }) => [...items]));
