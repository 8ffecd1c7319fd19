/** A disk as it would be after steps that are not done yet, so that their result can be read before anything is written. */
import { basename, dirname, join, parse, sep } from "node:path";
import type { DiskEntry, DiskKind, ProjectDisk } from "../../roblox/rojo/disk.ts";
import type { FileOperation } from "./operations.ts";

/** Differs from the disk at `real` by its children; null stands for one that is gone. */
interface PlannedEntry {
  /** Undefined for what is new. */
  readonly real: string | undefined;
  readonly kind: DiskKind | undefined;
  readonly content: Uint8Array | undefined;
  readonly children: Map<string, PlannedEntry | null>;
}

const existing = (real: string, kind?: DiskKind): PlannedEntry => ({
  real,
  kind,
  content: undefined,
  children: new Map(),
});

export class PlannedDisk implements ProjectDisk {
  readonly #disk: ProjectDisk;
  readonly #tops = new Map<string, PlannedEntry>();

  constructor(disk: ProjectDisk) {
    this.#disk = disk;
  }

  take(operation: FileOperation): void {
    const { path } = operation;
    switch (operation.type) {
      case "createFolder":
        this.#put(path, { real: undefined, kind: "folder", content: undefined, children: new Map() });
        break;
      case "write":
        this.#put(path, { real: undefined, kind: "file", content: operation.content, children: new Map() });
        break;
      case "rename": {
        const moved = this.#entry(path) ?? existing(path);
        const kind: DiskKind = operation.before === undefined ? "folder" : "file";
        this.#put(path, null);
        this.#put(operation.to, { ...moved, kind });
        break;
      }
      case "remove":
      case "removeFolder":
        this.#put(path, null);
        break;
    }
  }

  async kindAsync(path: string): Promise<DiskKind | undefined> {
    const entry = this.#entry(path);
    if (entry === undefined) return undefined;
    return entry.kind ?? (entry.real === undefined ? undefined : await this.#disk.kindAsync(entry.real));
  }

  async entriesAsync(folder: string): Promise<DiskEntry[]> {
    const entry = this.#entry(folder);
    if (entry === undefined) throw missing(folder);
    const { real, children } = entry;
    const old = real === undefined ? [] : await this.#disk.entriesAsync(real);
    const changed = [...children].flatMap(([name, child]): DiskEntry[] =>
      child === null ? [] : [{ name, kind: child.kind ?? "folder" }],
    );
    return [...old.filter(({ name }) => !children.has(name)), ...changed];
  }

  async readAsync(file: string): Promise<Uint8Array> {
    const entry = this.#entry(file);
    if (entry?.content !== undefined) return entry.content;
    if (entry?.real === undefined) throw missing(file);
    return this.#disk.readAsync(entry.real);
  }

  async realPathAsync(path: string): Promise<string> {
    const entry = this.#entry(path);
    if (entry?.real === path) return this.#disk.realPathAsync(path);
    if (entry === undefined) throw missing(path);
    return join(await this.realPathAsync(dirname(path)), basename(path));
  }

  /** Undefined where nothing is; a guess that nothing speaks against is an entry of the disk. */
  #entry(path: string): PlannedEntry | undefined {
    const { root, names } = partsOf(path);
    let entry = this.#top(root);
    for (const name of names) {
      const child: PlannedEntry | null | undefined = entry.children.get(name);
      if (child === null) return undefined;
      if (child === undefined && entry.real === undefined) return undefined;
      entry = child ?? existing(join(entry.real ?? "", name));
    }
    return entry;
  }

  #put(path: string, value: PlannedEntry | null): void {
    const { root, names } = partsOf(path);
    const last = names.pop();
    let entry = this.#top(root);
    for (const name of names) {
      const child = entry.children.get(name) ?? existing(join(entry.real ?? "", name), "folder");
      entry.children.set(name, child);
      entry = child;
    }
    if (last !== undefined) entry.children.set(last, value);
  }

  #top(root: string): PlannedEntry {
    const top = this.#tops.get(root) ?? existing(root, "folder");
    this.#tops.set(root, top);
    return top;
  }
}

const partsOf = (path: string): { root: string; names: string[] } => {
  const { root } = parse(path);
  return {
    root,
    names: path
      .slice(root.length)
      .split(sep)
      .filter((name) => name !== ""),
  };
};

const missing = (path: string): Error =>
  Object.assign(new Error(`${path} does not exist`), { code: "ENOENT" });
