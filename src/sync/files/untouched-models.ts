/**
 * Files of several Instances that no item of a plan is about. They can hold most of a place, and checking a plan need not
 * read them again: both trees that are compared have their first Instance alone.
 */
import type { ProjectDisk } from "../../roblox/rojo/disk.ts";
import { builtFile } from "../../roblox/rojo/build.ts";
import { newNode, type RojoNode } from "../../roblox/rojo/node.ts";
import type { Origin } from "../../roblox/rojo/origin.ts";
import type { FileSchema } from "../../roblox/schema.ts";
import type { Plan, PlanItem } from "../types.ts";

const MODELS = new Set<Origin["kind"]>(["jsonModel", "rbxm", "rbxmx"]);

/** The first Instance of each such file, by its path. */
export function untouchedModels(
  files: RojoNode,
  studio: RojoNode,
  pairs: Plan["pairs"],
  items: readonly PlanItem[],
): ReadonlyMap<string, RojoNode> {
  const touched = new TouchedFiles(studio, pairs);
  for (const item of items) touched.add(item);
  const untouched = new Map<string, RojoNode>();
  const visit = (node: RojoNode): void => {
    const { origin } = node;
    const isModel = origin !== undefined && MODELS.has(origin.kind);
    if (!isModel) node.children.forEach(visit);
    else if (node.children.length > 0 && origin.project === undefined && !touched.paths.has(origin.path))
      untouched.set(origin.path, node);
  };
  visit(files);
  return untouched;
}

class TouchedFiles {
  readonly paths = new Set<string>();
  readonly #files = new Map<RojoNode, RojoNode>();
  readonly #parents = new Map<RojoNode, RojoNode>();

  constructor(studio: RojoNode, pairs: Plan["pairs"]) {
    for (const [file, twin] of pairs) this.#files.set(twin, file);
    const visit = (node: RojoNode): void => {
      for (const child of node.children) {
        this.#parents.set(child, node);
        visit(child);
      }
    };
    visit(studio);
  }

  add({ change, file, studio, aspects }: PlanItem): void {
    // What goes may be in any file, and so may what refers to it.
    if (change === "remove" && file !== undefined) this.#addAll(file);
    this.#addFile(file);
    this.#addStudio(studio);
    if (studio !== undefined) this.#addStudio(this.#parents.get(studio));
    for (const aspect of aspects)
      if (aspect.studio?.type === "instance" && aspect.studio.value !== null)
        this.#addStudio(aspect.studio.value);
  }

  #addAll(file: RojoNode): void {
    this.#addFile(file);
    for (const child of file.children) this.#addAll(child);
  }

  /** What is new is in the file of what it is below. */
  #addStudio(studio: RojoNode | undefined): void {
    for (let at = studio; at !== undefined; at = this.#parents.get(at)) {
      const file = this.#files.get(at);
      if (file !== undefined) return this.#addFile(file);
    }
  }

  #addFile(file: RojoNode | undefined): void {
    if (file?.origin !== undefined) this.paths.add(file.origin.path);
  }
}

/** A disk on which those files have their first Instance alone. */
export function withBareModels(
  disk: ProjectDisk,
  models: ReadonlyMap<string, RojoNode>,
  schema: FileSchema,
): ProjectDisk {
  const contents = new Map<string, Uint8Array>();
  const contentOf = ({ className, origin }: RojoNode): Uint8Array => {
    const key = `${origin?.kind} ${className}`;
    const known = contents.get(key);
    const content = known ?? bareContent(className, origin?.kind, schema);
    contents.set(key, content);
    return content;
  };
  return {
    kindAsync: (path) => disk.kindAsync(path),
    entriesAsync: (folder) => disk.entriesAsync(folder),
    realPathAsync: (path) => disk.realPathAsync(path),
    readAsync: async (path) => {
      const model = models.get(path);
      return model === undefined ? disk.readAsync(path) : contentOf(model);
    },
  };
}

function bareContent(className: string, kind: Origin["kind"] | undefined, schema: FileSchema): Uint8Array {
  if (kind === "jsonModel") return Buffer.from(JSON.stringify({ className }));
  return builtFile(newNode("", className), schema, kind === "rbxmx" ? "rbxmx" : "rbxm").content;
}
