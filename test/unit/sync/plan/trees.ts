/** Small trees for tests of plans, written as text-like objects. */
import { readFileSync } from "node:fs";
import { openClassData } from "../../../../src/roblox/class-data.ts";
import type { FileValue } from "../../../../src/roblox/model.ts";
import { newNode, type RojoNode } from "../../../../src/roblox/rojo/node.ts";
import { type Origin, STATED_BY_FILE } from "../../../../src/roblox/rojo/origin.ts";
import { FileSchema } from "../../../../src/roblox/schema.ts";
import { type PlanInput, planOf, type SyncPlan } from "../../../../src/sync/plan/plan.ts";
import { utf8ByteString } from "../../../../src/util/bytes.ts";

const classes = new URL("../../../../build/classes.txt", import.meta.url);
export const schema = new FileSchema(openClassData(readFileSync(classes, "utf8")));
export const FOLDER = "/project";

export const text = (value: string): FileValue => ({ type: "String", value: utf8ByteString(value) });
export const number = (value: number): FileValue => ({ type: "Float64", value });
export const bool = (value: boolean): FileValue => ({ type: "Bool", value });

export interface NodeFacts {
  readonly source?: string;
  readonly properties?: Readonly<Record<string, FileValue>>;
  readonly attributes?: Readonly<Record<string, FileValue>>;
  readonly tags?: readonly string[];
  readonly studioId?: number;
  readonly origin?: Partial<Origin>;
  readonly children?: readonly RojoNode[];
}

export function node(name: string, className: string, facts: NodeFacts = {}): RojoNode {
  const { source, properties = {}, attributes = {}, tags, studioId, origin, children = [] } = facts;
  const made = newNode(name, className);
  for (const [key, value] of Object.entries(properties)) made.properties.set(key, value);
  for (const [key, value] of Object.entries(attributes)) made.attributes.set(key, value);
  if (source !== undefined) made.properties.set("Source", text(source));
  if (tags !== undefined) made.properties.set("Tags", text(tags.join("\0")));
  if (studioId !== undefined) made.studioId = studioId;
  if (origin !== undefined) made.origin = originOf(origin);
  made.children.push(...children);
  return made;
}

export const originOf = (facts: Partial<Origin>): Origin => ({
  kind: "moduleScript",
  path: `${FOLDER}/src/file.luau`,
  projectFile: `${FOLDER}/default.project.json`,
  ...STATED_BY_FILE,
  ...facts,
});

/** A place whose ReplicatedStorage has a folder `Shared` with these children. */
export function place(...children: readonly RojoNode[]): RojoNode {
  return node("game", "DataModel", { children: [storage(node("Shared", "Folder", { children }))] });
}

const storage = (...children: readonly RojoNode[]): RojoNode =>
  node("ReplicatedStorage", "ReplicatedStorage", { children });

export const module = (name: string, source: string, facts: NodeFacts = {}): RojoNode =>
  node(name, "ModuleScript", { source, ...facts });

export const plan = (input: Omit<PlanInput, "schema" | "folder">): SyncPlan =>
  planOf({ schema, folder: FOLDER, ...input });

/** The items as one line each: `push edit ReplicatedStorage.Shared.M (source)`. */
export const linesOf = ({ items }: SyncPlan): string[] =>
  items.map(({ verdict, change, path, aspects, reason }) => {
    const names = aspects.map(({ aspect, name }) => (name === undefined ? aspect : `${aspect} ${name}`));
    const short = path.replace(/^ReplicatedStorage\.Shared\.?/, "");
    const shownReason = verdict === "push" || verdict === "pull" ? "" : ` ${reason}`;
    return `${verdict}${shownReason} ${change} ${short}${change === "add" ? "" : ` (${names.join(", ")})`}`;
  });

export type PlanOptions = Partial<Omit<PlanInput, "files" | "studio" | "base">>;
/** `linesOf` of the plan for these trees. */
export const lines = (
  files: RojoNode,
  studio: RojoNode,
  base?: RojoNode,
  options: PlanOptions = {},
): string[] => linesOf(plan({ files, studio, base, ...options }));
export const detailsOf = (
  files: RojoNode,
  studio: RojoNode,
  base?: RojoNode,
  options: PlanOptions = {},
): string[] => plan({ files, studio, base, ...options }).items.map(({ detail = "" }) => detail);
/** The lines of a plan for the versions of one source. */
export const versions = (file: string, studio: string, base?: string) =>
  lines(
    place(module("M", file)),
    place(module("M", studio)),
    base === undefined ? undefined : place(module("M", base)),
  );
