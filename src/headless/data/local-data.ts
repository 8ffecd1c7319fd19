/**
 * The records of emulated data stores: each store has keys, and each key has versions, oldest first. A version is a JSON text
 * that only the engine reads and writes. All DataModels of a Studio share one LocalData.
 */

/** A store's identity: its kind ("standard" or "ordered"), name and scope, as the JSON array that the engine writes. */
export type StoreId = string;

type Store = Map<string, readonly string[]>;

/** The largest size of a store. There is a limit because each change writes the whole file of the store. */
export const MAX_STORE_BYTES = 256 * 2 ** 20;
/** The number of versions that a key keeps. Older ones are dropped, because each change writes all versions. */
export const MAX_VERSIONS = 1_000;

const NO_VERSIONS: readonly string[] = [];

export class LocalData {
  #stores = new Map<StoreId, Store>();
  #sizes = new Map<StoreId, number>();
  readonly #onChange: (store: StoreId) => void;

  /** Scripts may make only as many requests as Roblox documents. */
  readonly isThrottled: boolean;

  /** `onChange` saves a changed store. If it throws, the change is undone. */
  constructor(
    onChange: (store: StoreId) => void = () => {},
    { isThrottled = false }: { readonly isThrottled?: boolean } = {},
  ) {
    this.#onChange = onChange;
    this.isThrottled = isThrottled;
  }

  /** Fills a store with the content of its file, without a call of `onChange`. */
  load(store: StoreId, keys: ReadonlyMap<string, readonly string[]>): void {
    for (const [key, versions] of keys) this.#put(store, key, versions);
  }

  storeIds(): readonly StoreId[] {
    return [...this.#stores.keys()].sort();
  }

  keys(store: StoreId): readonly string[] {
    return [...(this.#stores.get(store)?.keys() ?? [])].sort(byBytes);
  }

  versions(store: StoreId, key: string): readonly string[] {
    return this.#stores.get(store)?.get(key) ?? NO_VERSIONS;
  }

  /** Replaces all versions of a key; an empty list removes the key. Throws if the store would become too large. */
  setVersions(store: StoreId, key: string, versions: readonly string[]): void {
    const before = this.versions(store, key);
    this.#put(store, key, versions);
    try {
      this.#onChange(store);
    } catch (error) {
      this.#put(store, key, before);
      throw error;
    }
  }

  #put(store: StoreId, key: string, versions: readonly string[]): void {
    const kept = versions.slice(-MAX_VERSIONS);
    const sizeBytes =
      (this.#sizes.get(store) ?? 0) + sizeOf(key, kept) - sizeOf(key, this.versions(store, key));
    if (sizeBytes > MAX_STORE_BYTES) throw new Error("the data store exceeds the 256 MB of --data");
    const keys = this.#stores.get(store) ?? new Map<string, readonly string[]>();
    if (kept.length === 0) keys.delete(key);
    else keys.set(key, kept);
    if (keys.size === 0) this.#stores.delete(store);
    else this.#stores.set(store, keys);
    this.#sizes.set(store, sizeBytes);
  }

  /** A copy of the present content, for `returnTo`. */
  keep(): KeptData {
    return {
      stores: new Map([...this.#stores].map(([id, keys]) => [id, new Map(keys)])),
      sizes: new Map(this.#sizes),
    };
  }

  returnTo({ stores, sizes }: KeptData): void {
    this.#stores = new Map([...stores].map(([id, keys]) => [id, new Map(keys)]));
    this.#sizes = new Map(sizes);
  }
}

export interface KeptData {
  readonly stores: ReadonlyMap<StoreId, ReadonlyMap<string, readonly string[]>>;
  readonly sizes: ReadonlyMap<StoreId, number>;
}

/** The size in characters, which is near the number of bytes in the file. */
function sizeOf(key: string, versions: readonly string[]): number {
  return versions.reduce((sum, text) => sum + text.length, versions.length === 0 ? 0 : key.length);
}

/** Compares keys by their bytes, as Roblox documents it. */
function byBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
