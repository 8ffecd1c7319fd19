/** Names of classes, members, enums and properties at the Tab key, out of the class data. */
import type { ClassApi } from "../../headless/index.ts";
import type { Candidate, Completion } from "./completion-candidates.ts";

/** What the class data has for a completion of a class, or of anything that `sb api` shows. */
export async function nameCandidatesAsync({ also, partial }: Completion): Promise<readonly Candidate[]> {
  const { loadClassApiAsync } = await import("../../headless/index.ts");
  const api = await loadClassApiAsync();
  return also === "api" ? apiCandidates(api, partial) : classCandidates(api, also === "newClasses");
}

/** `isNew` leaves out the classes that no script can create. */
function classCandidates(api: ClassApi, isNew: boolean): readonly Candidate[] {
  const names = api.classNames();
  const fitting = isNew ? names.filter((name) => !isClosed(api, name)) : names;
  return fitting.map((value) => ({ value, description: "" }));
}

const CLOSED: ReadonlySet<string> = new Set(["NotCreatable", "Service", "Deprecated"]);

const isClosed = (api: ClassApi, name: string): boolean =>
  api.class(name)?.tags.some((tag) => CLOSED.has(tag)) === true;

/** Properties that a script or a plugin can write, with their types. */
export function propertyCandidates(api: ClassApi, className: string): readonly Candidate[] {
  const owners = [className, ...(api.class(className)?.bases ?? [])];
  return owners
    .flatMap((owner) => api.class(owner)?.members ?? [])
    .filter(({ kind, tags, writeSecurity }) => {
      const isWritable = writeSecurity === "None" || writeSecurity === "PluginSecurity";
      return kind === "property" && isWritable && !tags.includes("Deprecated");
    })
    .map(({ name, type }) => ({ value: name, description: type }));
}

/** The properties of a class, each followed by `=`, or the words that the property before the `=` can have. */
export async function assignmentCandidatesAsync(
  className: string,
  { property, suffix }: Completion,
): Promise<readonly Candidate[]> {
  const { loadClassApiAsync } = await import("../../headless/index.ts");
  const api = await loadClassApiAsync();
  const properties = propertyCandidates(api, className);
  if (property === undefined)
    return suffix === undefined
      ? properties
      : properties.map(({ value, description }) => ({ value: value + suffix, description }));
  const type = properties.find(({ value }) => value === property)?.description ?? "";
  const items = type.startsWith("Enum.") ? api.enum(type.slice("Enum.".length))?.items : undefined;
  const words = type === "boolean" ? ["true", "false"] : (items ?? []).map(({ name }) => name);
  return words.map((value) => ({ value, description: "" }));
}

/** What `sb api` shows: a class, behind a dot one of its members, an enum or one of its items. */
function apiCandidates(api: ClassApi, partial: string): readonly Candidate[] {
  const dot = partial.lastIndexOf(".");
  if (dot === -1) return [...classCandidates(api, false), { value: "Enum.", description: "the enums" }];
  const owner = partial.slice(0, dot);
  if (owner === "Enum") return api.enumNames().map((name) => ({ value: `Enum.${name}`, description: "" }));
  const items = owner.startsWith("Enum.") ? api.enum(owner.slice("Enum.".length))?.items : undefined;
  if (items !== undefined) return items.map(({ name }) => ({ value: `${owner}.${name}`, description: "" }));
  const owners = [owner, ...(api.class(owner)?.bases ?? [])];
  return owners
    .flatMap((name) => api.class(name)?.members ?? [])
    .map(({ name, kind }) => ({ value: `${owner}.${name}`, description: kind }));
}
