/** What a project's rules take out of a sync, and what neither side may do to the other. */
import {
  isIgnoredPath,
  isIgnoredProperty,
  isIgnoredTree,
  type SyncbackRules,
} from "../../roblox/rojo/project-rules.ts";
import { customProperty } from "../../roblox/custom-properties.ts";
import type { RojoNode } from "../../roblox/rojo/node.ts";
import { isPlaced } from "../files/project-in-place.ts";
import type { AspectChange, Reason } from "../types.ts";
import { statesAll } from "./aspects.ts";
import type { Entry } from "./entries.ts";
import type { Normalizer } from "./normalize.ts";
import { type OneWayFolders, onlyPushed } from "./one-way.ts";
import { shown } from "./project-paths.ts";

/** Why a change is not made, or `unlisted` for what the project leaves out of the sync. */
export type Limit = "unlisted" | { readonly reason: Reason; readonly detail: string };

/** Files that state a source without containing it. */
const COMPUTED_SOURCES = new Set(["json", "toml", "yaml"]);

export class Limits {
  readonly #normalizer: Normalizer;
  readonly #rules: SyncbackRules | undefined;
  readonly #folder: string;
  readonly #oneWay: OneWayFolders;

  constructor(
    normalizer: Normalizer,
    rules: SyncbackRules | undefined,
    folder: string,
    oneWay: OneWayFolders,
  ) {
    this.#normalizer = normalizer;
    this.#rules = rules;
    this.#folder = folder;
    this.#oneWay = oneWay;
  }

  /** Whether files go to Studio there, and nothing comes back. */
  isOneWay(entry: Entry): boolean {
    return this.#oneWay.has(entry);
  }

  /** Why nothing that Studio has done to an Instance, or to its existence, goes to the files. */
  onlyPushed(entry: Entry): Limit | undefined {
    return this.isOneWay(entry) ? refused(onlyPushed(this.#folder, entry)) : undefined;
  }

  /** Whether the project's rules keep Studio's state of the Instance out of the files. */
  isIgnored(entry: Entry): boolean {
    if (this.#rules === undefined) return false;
    const { file } = entry;
    const path = file?.origin?.init ?? file?.origin?.path;
    return (
      isIgnoredTree(this.#rules, namesOf(entry)) || (path !== undefined && isIgnoredPath(this.#rules, path))
    );
  }

  isIgnoredProperty(className: string, { aspect, name }: AspectChange): boolean {
    if (this.#rules === undefined || name === undefined) return false;
    if (aspect !== "property" && aspect !== "reference") return false;
    return isIgnoredProperty(this.#rules, this.#normalizer.schema, className, name);
  }

  /** Of an Instance that only Studio has and that no sync has seen before. */
  addedInStudio(entry: Entry): Limit | undefined {
    const { studio, studioParent } = entry;
    if (studio === undefined) return undefined;
    const parent = studioParent?.file;
    const isUnmanaged =
      parent?.origin?.ignoreUnknownInstances === true || parent?.origin?.kind === "projectNode";
    const isLeftOut =
      isUnmanaged ||
      this.#isCurrentCamera(entry) ||
      this.#isOfEngine(studio) ||
      this.isIgnored(entry) ||
      this.isOneWay(entry);
    if (isLeftOut) return "unlisted";
    // Only Roblox's own model files can hold one.
    if (studio.className === "PackageLink" && (parent === undefined || !statesAll(parent)))
      return { reason: "unwritable", detail: "no file of a project holds a PackageLink" };
    return undefined;
  }

  /** Of a change of the files' Instance that comes from Studio. */
  pulled(entry: Entry, difference: AspectChange): Limit | undefined {
    if (this.isIgnored(entry)) return "unlisted";
    const { file } = entry;
    const path = file?.origin?.path ?? "";
    const above = difference.aspect === "parent" ? entry.studioParent : undefined;
    const isPushed = this.onlyPushed(entry) ?? (above && this.onlyPushed(above));
    if (isPushed !== undefined) return isPushed;
    const project = file?.origin?.project;
    if ((difference.aspect === "name" || difference.aspect === "parent") && project !== undefined)
      return refused(`${shown(this.#folder, project.file)} says where it is and what it is called`);
    if (difference.aspect === "source" && COMPUTED_SOURCES.has(file?.origin?.fileKind ?? ""))
      return refused(
        `${shown(this.#folder, path)} is turned into a source when it is read, so Studio's source cannot be written there`,
      );
    return undefined;
  }

  /** Of a change of class, in either direction. */
  classChange({ file, studio }: Entry): Limit | undefined {
    const service = [file, studio].find((node) => node !== undefined && this.isService(node.className));
    if (service !== undefined)
      return refused(`${service.className} is a service, and services keep their class`);
    const project = file?.origin?.project;
    if (project === undefined) return undefined;
    return refused(
      `${shown(this.#folder, project.file)} names it, so its class is changed by hand: there and in Studio`,
    );
  }

  /** Of the removal of an Instance that the other side no longer has. */
  removal({ file, studio, studioParent }: Entry): Limit | undefined {
    const gone = file ?? studio;
    if (gone !== undefined && this.isService(gone.className))
      return file === undefined
        ? "unlisted"
        : refused(`${gone.className} is a service, which is never removed`);
    const project = file?.origin?.project;
    if (project !== undefined && isPlaced(project.file))
      return refused(
        "an earlier sync brought the library to Studio, and it is not at this path now; push it with --override if it is to be here",
      );
    if (project !== undefined)
      return refused(
        `${shown(this.#folder, project.file)} names it; take it out there to remove it, or push to have it in Studio again`,
      );
    const parent = studioParent?.file?.origin;
    if (file === undefined && parent?.kind === "projectNode" && parent.ignoreUnknownInstances)
      return refused("the project no longer names it; remove it in Studio by hand if it is not needed there");
    return undefined;
  }

  /** Whether a plugin can write a property of an Instance that exists. A property that is not known is left to Studio. */
  isWritable(className: string, name: string): boolean {
    const { schema } = this.#normalizer;
    const property = schema.property(className, name);
    if (property === undefined || customProperty(schema, className, name) !== undefined) return true;
    return property.kind === "property" && property.isWritable;
  }

  isService(className: string): boolean {
    return this.#normalizer.schema.isService(className) || className === "DataModel";
  }

  #isCurrentCamera({ studio, studioParent }: Entry): boolean {
    if (this.#rules?.syncCurrentCamera === true || studio?.className !== "Camera") return false;
    const workspace = studioParent?.studio;
    if (workspace?.className !== "Workspace") return false;
    const current = workspace.references.get("CurrentCamera");
    return current === undefined ? studio.name === "Camera" : current === studio;
  }

  /** What each place has anyway, such as Terrain and the services, and what places never save. */
  #isOfEngine({ className, properties }: RojoNode): boolean {
    const { schema } = this.#normalizer;
    if (properties.get("Archivable")?.value === false || this.isService(className)) return true;
    return ENGINE_CLASSES.has(className) && !schema.isCreatable(className);
  }
}

const ENGINE_CLASSES = new Set(["Terrain", "StarterPlayerScripts", "StarterCharacterScripts"]);

const refused = (detail: string): Limit => ({ reason: "refused", detail });

/** The names on the way from the root, without it, on the side that has the Instance. */
function namesOf(entry: Entry): string[] {
  const names: string[] = [];
  for (let at: Entry | undefined = entry; at !== undefined; at = at.studioParent ?? at.fileParent) {
    const node = at.studio ?? at.file;
    const hasParent = at.studioParent !== undefined || at.fileParent !== undefined;
    if (node !== undefined && hasParent) names.unshift(node.name);
  }
  return names;
}
