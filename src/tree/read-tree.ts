/** Reads the tree of a session, and what its Instances are made of. */
import type { ActionName, ActionRequest, ActionResult } from "../protocol/actions.ts";
import { MAX_ITEMS } from "../protocol/actions/trees.ts";
import { SLICE_MS as STUDIO_SLICE_MS } from "../protocol/actions/row.ts";
import { StudioBridgeError } from "../protocol/errors.ts";
import type { SessionInfo } from "../protocol/network.ts";
import { type Item, type ItemColumns, itemsOf } from "./item-columns.ts";
import { joinPages, updateTree } from "./instance-tree.ts";
import type { InstanceNode, InstanceTree, TreePage } from "./instance-tree.ts";

/** What the reading needs of a session; the context of a command has it. */
export interface TreeSource {
  readonly session: Pick<SessionInfo, "origin">;
  callAsync<Name extends ActionName>(name: Name, request: ActionRequest<Name>): Promise<ActionResult<Name>>;
}

export interface TreeOptions {
  /** Paths from `game` or ids; without it, the services that make up the place. */
  readonly roots?: readonly string[];
  /** Watches the place from now on, so that `refreshTreeAsync` asks only for what has changed. */
  readonly watch?: boolean;
  /** False for a caller that reads all values anyway: hashes, sources and references are then left out. */
  readonly hashes?: boolean;
}

export type { Item } from "./item-columns.ts";
export type Aspect = ActionRequest<"readItems">["aspects"][number];

/** A headless Studio has no window that could stall, so it may work longer in a frame. */
const HEADLESS_SLICE_MS = 100;
/** A reading that another one has ended is begun again. */
const ATTEMPTS = 3;
/** Studio reads while this process takes in what it has read before. */
const READERS = 2;
/** Few requests, whose replies are a few hundred KB of properties. */
const ITEMS_PER_REQUEST = Math.min(500, MAX_ITEMS);
/** Scripts often stand side by side, and how long their sources are is known only from the reply. */
const SCRIPTS_PER_REQUEST = 128;
/** Studio's window stalls while the plugin writes a reply, which it cannot do in parts. */
const SOURCE_CHARS_PER_REPLY = 256 * 1024;

/** How long the plugin may work in a frame, where that is not the usual time. */
export const sliceOf = ({ session }: Pick<TreeSource, "session">): { readonly sliceMs?: number } =>
  session.origin === "headless" ? { sliceMs: HEADLESS_SLICE_MS } : {};

export async function readTreeAsync(source: TreeSource, options: TreeOptions = {}): Promise<InstanceTree> {
  return joinPages(await readPagesAsync(source, options));
}

/** Brings a tree up to date. It must have been read with `watch`; gives the Instances that may be new or different. */
export async function refreshTreeAsync(
  source: TreeSource,
  options: TreeOptions,
  tree: InstanceTree,
): Promise<readonly InstanceNode[]> {
  const since = tree.mark === undefined ? {} : { since: tree.mark };
  const pages = await readPagesAsync(source, { ...options, watch: true, ...since });
  if (pages[0]?.isPartial === true) return updateTree(tree, pages);
  Object.assign(tree, joinPages(pages));
  return [...tree.byId.values()];
}

async function readPagesAsync(
  source: TreeSource,
  { roots, ...options }: TreeOptions & { readonly since?: string },
): Promise<readonly TreePage[]> {
  const request = { ...options, ...sliceOf(source), ...(roots === undefined ? {} : { roots: [...roots] }) };
  for (let attempt = 1; ; attempt += 1) {
    try {
      const pages = [await source.callAsync("readTree", request)];
      for (let cursor = pages[0]?.cursor; cursor !== undefined; cursor = pages.at(-1)?.cursor)
        pages.push(await source.callAsync("readTree", { cursor, ...sliceOf(source) }));
      return pages;
    } catch (error) {
      const hasEnded = error instanceof StudioBridgeError && error.code === "READING_ENDED";
      if (!hasEnded || attempt === ATTEMPTS) throw error;
    }
  }
}

/** What Instances are made of, by their numbers. Those that are gone are left out. */
export async function readItemsAsync(
  source: TreeSource,
  ids: readonly number[],
  aspects: readonly Aspect[],
): Promise<ReadonlyMap<number, Item>> {
  const items = new Map<number, Item>();
  const keep = (item: Item) => void items.set(item.id, item);
  await eachItemAsync(source, ids, aspects, keep);
  return items;
}

/** As `readItemsAsync`; each item is given to `take`, in any order. */
export async function eachItemAsync(
  source: TreeSource,
  ids: readonly number[],
  aspects: readonly Aspect[],
  take: (item: Item) => void,
): Promise<void> {
  await eachReplyAsync(source, ids, aspects, (reply) => itemsOf(reply, aspects).forEach(take));
}

/** As `readItemsAsync`, for a caller that takes the columns of the replies apart itself, in any order. */
export async function eachReplyAsync(
  source: TreeSource,
  ids: readonly number[],
  aspects: readonly Aspect[],
  take: (reply: ItemColumns) => void,
): Promise<void> {
  const mostItems = aspects.includes("source") ? SCRIPTS_PER_REQUEST : ITEMS_PER_REQUEST;
  let [start, count] = [0, mostItems];
  const { sliceMs } = sliceOf(source);
  // Together they work no longer in a frame than one request alone may.
  const shared = sliceMs === undefined ? { sliceMs: STUDIO_SLICE_MS / READERS } : { sliceMs };
  const readAsync = async (): Promise<void> => {
    while (start < ids.length) {
      const some = ids.slice(start, (start += count));
      const reply = await source.callAsync("readItems", { ids: some, aspects: [...aspects], ...shared });
      const share = SOURCE_CHARS_PER_REPLY / Math.max(1, sourceCharsOf(reply));
      count = Math.max(1, Math.min(mostItems, Math.floor(some.length * share)));
      take(reply);
    }
  };
  await Promise.all(Array.from({ length: READERS }, readAsync));
}

function sourceCharsOf({ columns }: ItemColumns): number {
  let chars = 0;
  for (const { of, values = [] } of columns)
    if (of === "source" || of === "base64")
      for (const value of values) if (typeof value === "string") chars += value.length;
  return chars;
}
