/**
 * The records of emulated data stores: for each store its keys, and for each key its versions, oldest first. What a
 * version contains is decided by the engine; here it is a JSON text. All DataModels of a Studio share one LocalData.
 */

/** A store's identity: its kind ("standard" or "ordered"), name and scope, as the JSON array that the engine writes. */
export type StoreId = string;

type Store = Map<string, readonly string[]>;

/** A store may be no larger, because its file is written as a whole. */
export const MAX_STORE_BYTES = 256 * 2 ** 20;
/** Earlier versions beyond this number are dropped, because each change writes all of them. */
export const MAX_VERSIONS = 1_000;

const NO_VERSIONS: readonly string[] = [];

export class LocalData {
  #stores = new Map<StoreId, Store>();
  #sizes = new Map<StoreId, number>();
  readonly #onChange: (store: StoreId) => void;

  /** Scripts have no more requests than documented. */
  readonly isThrottled: boolean;

  /** `onChange` makes a change last. What it throws undoes the change. */
  constructor(
    onChange: (store: StoreId) => void = () => {},
    { isThrottled = false }: { readonly isThrottled?: boolean } = {},
  ) {
    this.#onChange = onChange;
    this.isThrottled = isThrottled;
  }

  /** What a file contains, at the start. */
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

  /** Replaces all versions of a key; none removes the key. Throws for a store that would become too large. */
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

  /** What it contains now, for `returnTo`. */
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

/** In the length of strings, which is near the size of the file. */
function sizeOf(key: string, versions: readonly string[]): number {
  return versions.reduce((sum, text) => sum + text.length, versions.length === 0 ? 0 : key.length);
}

/** The documented order of keys is that of their bytes, which is that of code points. */
function byBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
