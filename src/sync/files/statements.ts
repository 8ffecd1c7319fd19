/** What one file says of an Instance: its content, its properties and attributes, and how that is changed. */
import { basename } from "node:path";
import type { FileKindName } from "../../roblox/rojo/kind-names.ts";
import type { NewFile, NewForm } from "../../roblox/rojo/names.ts";
import type { RojoNode } from "../../roblox/rojo/node.ts";
import type { Origin, ProjectNode, StatedBy } from "../../roblox/rojo/origin.ts";
import type { ProjectRules } from "../../roblox/rojo/project-rules.ts";
import { csvText } from "../../roblox/rojo/write/csv.ts";
import { metaText } from "../../roblox/rojo/write/meta.ts";
import { changedProjectNode } from "../../roblox/rojo/write/project.ts";
import type { StatementChanges, Unwritable } from "../../roblox/rojo/write/statement.ts";
import { sourceFile, textFile } from "../../roblox/rojo/write/texts.ts";
import type { FileSchema } from "../../roblox/schema.ts";
import { removeJson } from "../../util/json-edit.ts";
import { textOfByteString } from "../../util/bytes.ts";
import { systemReason } from "../../util/system-error.ts";
import { TextFault } from "../../util/text-fault.ts";
import type { Edit, Edited } from "./documents.ts";
import type { NodeChange } from "./expected-tree.ts";

/** The property that is the content of a file of a kind. */
export const CONTENT_PROPERTIES: Readonly<Partial<Record<FileKindName, string>>> = {
  serverScript: "Source",
  clientScript: "Source",
  pluginScript: "Source",
  legacyServerScript: "Source",
  legacyClientScript: "Source",
  runContextServerScript: "Source",
  runContextClientScript: "Source",
  moduleScript: "Source",
  json: "Source",
  toml: "Source",
  yaml: "Source",
  csv: "Contents",
  text: "Value",
};

const LEGACY = 0;

/** Of a script; 0 for what is none. */
export function runContextOf({ properties }: RojoNode): number {
  const value = properties.get("RunContext");
  return value?.type === "Enum" ? value.value : LEGACY;
}

/** What the kind of a file says about the context of its script. */
function contextOfKind(kind: FileKindName | undefined, { emitLegacyScripts }: ProjectRules): number {
  switch (kind) {
    case "serverScript":
      return emitLegacyScripts ? LEGACY : 1;
    case "runContextServerScript":
      return 1;
    case "clientScript":
      return emitLegacyScripts ? LEGACY : 2;
    case "runContextClientScript":
      return 2;
    case "pluginScript":
      return 3;
    default:
      return LEGACY;
  }
}

const STANDARD_SUFFIXES: Readonly<Partial<Record<FileKindName, string>>> = {
  serverScript: ".server",
  clientScript: ".client",
  pluginScript: ".plugin",
  moduleScript: "",
};

/** The name of an init file. It keeps the ending of `like`, which is `.lua` in some projects. */
export function initFileFor({ kind, suffix }: NewFile, like: string | undefined): string {
  const standard = STANDARD_SUFFIXES[kind];
  if (standard === undefined) return `init${suffix}`;
  const ending = like !== undefined && basename(like).endsWith(".lua") ? ".lua" : ".luau";
  return `init${standard}${ending}`;
}

/** Writes the content of a file anew from the Instance. */
export function contentEdit(kind: FileKindName, node: RojoNode): Edit {
  return (old) => {
    const value = node.properties.get(CONTENT_PROPERTIES[kind] ?? "")?.value ?? "";
    if (typeof value !== "string") return { refused: "its content is not text" };
    if (kind === "json" || kind === "toml" || kind === "yaml")
      return { refused: "the file holds data, from which its source is made; change the data by hand" };
    if (kind === "text") return { content: textFile(old, value), ...notUtf8(textFile(old, value)) };
    if (kind !== "csv") return { content: sourceFile(old, value) };
    const csv = csvText(old === undefined ? undefined : decoded(old), textOfByteString(value));
    return csv === undefined
      ? { refused: "its contents are not a table of translations" }
      : { content: Buffer.from(csv) };
  };
}

const notUtf8 = (content: Uint8Array | undefined) =>
  content === undefined ? { refused: "its value is not UTF-8, as text files must be" } : {};

const decoded = (bytes: Uint8Array): string => new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);

/** The class that a meta file states is taken out with `null`. */
export type MetaStatement = Omit<StatementChanges, "className"> & { readonly className?: string | null };

/** `className` is the class before the changes. */
export function metaEdit(
  schema: FileSchema,
  className: string,
  { className: stated, ...rest }: MetaStatement,
): Edit {
  return (old) =>
    edited(() => {
      const before = old === undefined ? undefined : decoded(old);
      const start = stated === null && before !== undefined ? removeJson(before, ["className"]) : before;
      const owner = typeof stated === "string" ? stated : className;
      const changes = typeof stated === "string" ? { ...rest, className: stated } : rest;
      const { text, unwritable } = metaText(schema, start, owner, changes);
      return { text, unwritable };
    });
}

export function projectEdit(
  schema: FileSchema,
  keys: readonly string[],
  className: string,
  changes: StatementChanges,
): Edit {
  return (old) =>
    edited(() => changedProjectNode(schema, decoded(old ?? new Uint8Array()), keys, className, changes));
}

/** The result of a writer of text. A value that has no form in the file refuses the change. */
export function edited(
  write: () => { readonly text: string | undefined; readonly unwritable: readonly Unwritable[] },
): Edited {
  try {
    const { text, unwritable } = write();
    const [fault] = unwritable;
    if (fault !== undefined) return { refused: `${fault.name} ${fault.reason}` };
    return { content: text === undefined ? undefined : Buffer.from(text) };
  } catch (error) {
    if (error instanceof TextFault) return { refused: error.message };
    return { refused: systemReason(error) };
  }
}

/** The changes of one Instance, by the file that states what changes. */
export class StatementPlan {
  readonly faults: string[] = [];
  meta: MetaStatement | undefined;
  project: { readonly target: ProjectNode; readonly changes: StatementChanges } | undefined;
  readonly #node: RojoNode;
  readonly #old: RojoNode;
  readonly #origin: Origin;
  readonly #change: NodeChange;
  readonly #implicitContext: number;

  /** `form` is that of the files after a change of class. */
  constructor(
    node: RojoNode,
    old: RojoNode,
    origin: Origin,
    change: NodeChange,
    rules: ProjectRules,
    form: NewForm | undefined,
  ) {
    this.#node = node;
    this.#old = old;
    this.#origin = origin;
    this.#change = change;
    const kind = form === undefined ? origin.fileKind : undefined;
    this.#implicitContext =
      form === undefined || form.type === "none"
        ? contextOfKind(kind, rules)
        : (form.stated.runContext ?? LEGACY);
    this.#collect(form);
  }

  #collect(form: NewForm | undefined): void {
    const meta = new Map<string, ReturnType<RojoNode["properties"]["get"]>>();
    const project = new Map(meta);
    for (const name of this.#changedNames(form)) {
      const by = this.#statedBy(name);
      if (by === "nested")
        this.faults.push(`${name} is stated by a node of an inner project; change it there`);
      else if (by === "project") project.set(name, this.#valueOf(name));
      else meta.set(name, this.#valueOf(name));
    }
    const attributes = this.#attributes();
    const byMeta = attributes?.by === "project" ? undefined : attributes?.values;
    const byProject = attributes?.by === "project" ? attributes.values : undefined;
    const className = this.#statedClass(form);
    const id = this.#change.id ? this.#node.id : undefined;
    const isInProject = this.#usual() === "project";
    if (
      meta.size > 0 ||
      byMeta !== undefined ||
      className !== undefined ||
      (id !== undefined && !isInProject)
    )
      this.meta = statement(meta, byMeta, isInProject ? undefined : id, className);
    const target = this.#origin.project;
    if (project.size === 0 && byProject === undefined && (id === undefined || !isInProject)) return;
    if (target !== undefined)
      this.project = { target, changes: statement(project, byProject, isInProject ? id : undefined) };
  }

  #changedNames(form: NewForm | undefined): ReadonlySet<string> {
    const content = CONTENT_PROPERTIES[this.#origin.fileKind ?? "project"];
    const stated = form === undefined || form.type === "none" ? [] : form.stated.content;
    const names = new Set(this.#change.properties);
    if (form !== undefined && form.type !== "none" && form.stated.runContext !== undefined)
      names.add("RunContext");
    for (const name of [content ?? "", ...stated]) names.delete(name);
    return names;
  }

  /** Undefined takes the property out, also where the file says the same by itself. */
  #valueOf(name: string) {
    if (name !== "RunContext") return this.#node.properties.get(name);
    const context = runContextOf(this.#node);
    return context === this.#implicitContext ? undefined : ({ type: "Enum", value: context } as const);
  }

  #statedBy(name: string): StatedBy {
    const by = this.#origin.statedProperties.get(name);
    return by === undefined || by === "file" ? this.#usual() : by;
  }

  /** Where what no file states yet is written. */
  #usual(): "meta" | "project" {
    const { kind, project, meta } = this.#origin;
    return kind === "projectNode" || (project !== undefined && meta === undefined) ? "project" : "meta";
  }

  /** One file states all attributes, because each such file replaces those of the others. */
  #attributes() {
    const { attributes: changed } = this.#change;
    if (changed.size === 0) return undefined;
    const [stated] = this.#origin.statedAttributes.values();
    const by = stated === undefined || stated === "file" ? this.#usual() : stated;
    if (by === "nested")
      this.faults.push("its attributes are stated by a node of an inner project; change them there");
    return { by, values: new Map([...changed].map((name) => [name, this.#node.attributes.get(name)])) };
  }

  #statedClass(form: NewForm | undefined): string | null | undefined {
    if (form === undefined || form.type !== "folder" || this.#origin.kind !== "folder") return undefined;
    if (form.init !== undefined || this.#node.className === "Folder")
      return this.#origin.statedClass === "meta" ? null : undefined;
    return this.#node.className === this.#old.className ? undefined : this.#node.className;
  }
}

function statement<ClassName extends string | null | undefined = undefined>(
  properties: NonNullable<StatementChanges["properties"]>,
  attributes: StatementChanges["attributes"],
  id: string | undefined,
  className?: ClassName,
) {
  return {
    properties,
    ...(attributes === undefined ? {} : { attributes }),
    ...(id === undefined ? {} : { id }),
    ...(className === undefined ? {} : { className }),
  };
}
