/**
 * Which Instances of Studio a project is about: below a node whose unknown children stay untouched only the children that
 * the files name, elsewhere everything.
 */
import { detailsOf } from "../../session/path-failure.ts";
import { StudioBridgeError } from "../../protocol/errors.ts";
import type { RojoNode } from "../../roblox/rojo/node.ts";
import type { TreeSource } from "../../tree/read-tree.ts";
import { Turns } from "../../util/turns.ts";

/** An Instance that a project reaches by the name of a node. */
export interface ScopedInstance {
  readonly id: number;
  readonly name: string;
  readonly className: string;
  /** Its whole tree takes part. Otherwise only itself and `children`. */
  readonly isWhole: boolean;
  readonly children: readonly ScopedInstance[];
}

/** A host takes only so many requests of a process at a time, and a project may name thousands of Instances. */
const LOOKUPS_AT_ONCE = 16;

/** `files` is the DataModel of a project. An Instance that is not there is left out. */
export async function locateAsync(source: TreeSource, files: RojoNode): Promise<readonly ScopedInstance[]> {
  const turns = new Turns(LOOKUPS_AT_ONCE);
  const bounded: TreeSource = {
    session: source.session,
    callAsync: (name, request) => turns.takeAsync(() => source.callAsync(name, request)),
  };
  return locateChildrenAsync(bounded, files, "game");
}

async function locateChildrenAsync(
  source: TreeSource,
  { children }: RojoNode,
  above: string,
): Promise<readonly ScopedInstance[]> {
  // Siblings of one name are looked up once, and the first of them says how their namesakes are read.
  const byName = new Map(children.toReversed().map((child) => [child.name, child]));
  const found = await Promise.all(
    [...byName.values()].reverse().map((child) => locateNodeAsync(source, child, above)),
  );
  return found.flat();
}

async function locateNodeAsync(
  source: TreeSource,
  node: RojoNode,
  above: string,
): Promise<readonly ScopedInstance[]> {
  const found = await namesakesAsync(source, `${above}${segmentOf(node.name)}`);
  const isWhole = node.origin?.ignoreUnknownInstances !== true;
  return Promise.all(
    found.map(async (instance) => ({
      ...instance,
      name: node.name,
      isWhole,
      children: isWhole ? [] : await locateChildrenAsync(source, node, `@${instance.id}`),
    })),
  );
}

/** In quotes, because a name may hold anything. */
const segmentOf = (name: string): string => `["${name.replace(/[\\"]/g, "\\$&")}"]`;

type Found = Pick<ScopedInstance, "id" | "className">;

/** The Instances at a path, which are several where siblings have one name. */
async function namesakesAsync(source: TreeSource, path: string): Promise<readonly Found[]> {
  try {
    const { instance } = await source.callAsync("queryDataModel", { path, properties: [] });
    return foundIn([instance]);
  } catch (error) {
    if (!(error instanceof StudioBridgeError)) throw error;
    if (error.code === "INSTANCE_NOT_FOUND") return [];
    const { candidates } = detailsOf(error);
    if (error.code === "AMBIGUOUS_PATH" && Array.isArray(candidates)) return foundIn(candidates);
    throw error;
  }
}

function foundIn(instances: readonly unknown[]): readonly Found[] {
  return instances.flatMap((instance) => {
    const { id, className }: { readonly [fact: string]: unknown } = { ...Object(instance) };
    return typeof id === "string" && typeof className === "string"
      ? [{ id: Number(id.slice(1)), className }]
      : [];
  });
}
