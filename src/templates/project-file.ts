/** Finds and reads `sb.config.json`. A fault is reported with its place and costs only the entry that it is in. */
import { stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import type { z } from "zod";
import { findProjectFileAsync } from "../project/find-project-file.ts";
import { sessionTargetSchema } from "../session/session-target.ts";
import type { SessionContext } from "../protocol/fields/contexts.ts";
import { StudioBridgeError } from "../protocol/errors.ts";
import { membersOf, nodeAt, parseJsonc, valueOf } from "../util/jsonc.ts";
import type { JsoncNode } from "../util/jsonc.ts";
import { decodeStrictly } from "../util/strict-utf8.ts";
import { systemReason } from "../util/system-error.ts";
import { placeOf, TextFault } from "../util/text-fault.ts";
import { commandEntrySchema, projectFileSchema, scriptEntrySchema, TOOL_NAME } from "./project-schema.ts";
import { shellWords } from "./shell-words.ts";
import { defaultDescription, parseTemplate } from "./template.ts";
import type { Template } from "./template.ts";

export interface ProjectProblem {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** Within the file, as in `tools.format.command`; empty for the file itself. */
  readonly path: string;
  readonly message: string;
}

interface EntryFacts {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly readOnly: boolean;
  readonly template: Template;
  /** The folder of the project file. */
  readonly folder: string;
}

interface SharedFields {
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly readOnly: boolean;
}

export type ProjectEntry = EntryFacts &
  (
    | { readonly kind: "command"; readonly timeoutMs: number | undefined }
    | { readonly kind: "script"; readonly context: SessionContext; readonly scriptPath: string }
  );

export interface Project {
  /** Undefined where there is no project file. */
  readonly file: string | undefined;
  readonly entries: readonly ProjectEntry[];
  readonly problems: readonly ProjectProblem[];
}

/** Reads the project file of `folder` or of the nearest folder above it. Never throws for what stands in it. */
export async function readProjectAsync(folder: string): Promise<Project> {
  const found = await findProjectFileAsync(folder);
  if (found === undefined) return { file: undefined, entries: [], problems: [] };
  if ("error" in found)
    return { file: found.file, entries: [], problems: [unreadable(found.file, found.error)] };
  return readFileAsync(found.file, found.bytes);
}

async function readFileAsync(file: string, bytes: Uint8Array): Promise<Project> {
  const text = decodeStrictly(bytes);
  if (typeof text === "string") return new ProjectReader(file, text).readAsync();
  return { file, entries: [], problems: [{ file, ...text, path: "", message: "not valid UTF-8" }] };
}

export function problemText({ file, line, column, path, message }: ProjectProblem): string {
  return `${file}:${line}:${column}: ${path === "" ? "" : `${path}: `}${message}`;
}

function unreadable(file: string, error: unknown): ProjectProblem {
  return { file, line: 1, column: 1, path: "", message: `cannot be read: ${systemReason(error)}` };
}

type Path = readonly PropertyKey[];

class ProjectReader {
  readonly #file: string;
  readonly #text: string;
  readonly #problems: ProjectProblem[] = [];
  #root: JsoncNode | undefined;

  constructor(file: string, text: string) {
    this.#file = file;
    this.#text = text;
  }

  async readAsync(): Promise<Project> {
    const entries: ProjectEntry[] = [];
    const raws = this.#rawEntries();
    this.#tellTwins();
    for (const [name, raw] of Object.entries(raws)) {
      const entry = await this.#entryAsync(name, raw);
      if (entry !== undefined) entries.push(entry);
    }
    return { file: this.#file, entries, problems: this.#problems };
  }

  #rawEntries(): { readonly [name: string]: unknown } {
    try {
      this.#root = parseJsonc(this.#text);
    } catch (error) {
      if (!(error instanceof TextFault)) throw error;
      this.#tellAt(error.offset, [], error.message);
      return {};
    }
    const value = this.#root === undefined ? {} : valueOf(this.#root);
    const parsed = projectFileSchema().safeParse(value);
    if (parsed.success) return parsed.data.tools;
    // A key that says nothing is a warning of the whole file, and no fault of its tools.
    this.#tellIssues(
      [],
      parsed.error.issues.filter((issue) => issue.code !== "unrecognized_keys"),
    );
    // A key at the top that does not belong there must not cost the tools.
    const tools = projectFileSchema().shape.tools.safeParse(Object(value).tools);
    return tools.success ? tools.data : {};
  }

  /** Of entries with one name the last counts. */
  #tellTwins(): void {
    const tools = this.#root === undefined ? undefined : nodeAt(this.#root, ["tools"]);
    if (tools === undefined) return;
    const names = membersOf(tools).map(({ key }) => key);
    const twins = new Set(names.filter((name, index) => names.indexOf(name) !== index));
    for (const name of twins) this.#tell(["tools", name], "is there more than once; only this one counts");
  }

  async #entryAsync(name: string, raw: unknown): Promise<ProjectEntry | undefined> {
    const path = ["tools", name];
    if (!TOOL_NAME.test(name) || name.startsWith("studio_"))
      return this.#tell(
        path,
        "a tool's name has up to 64 letters, digits, _ and -, begins with a letter and not with studio_",
      );
    const isScript = typeof raw === "object" && raw !== null && "script" in raw;
    return isScript ? this.#scriptAsync(name, raw, path) : this.#command(name, raw, path);
  }

  #command(name: string, raw: unknown, path: Path): ProjectEntry | undefined {
    const parsed = commandEntrySchema().safeParse(raw);
    if (!parsed.success) return this.#tellIssues(path, parsed.error.issues);
    const { command, timeoutMs, ...shared } = parsed.data;
    const template = this.#template(command, [...path, "command"]);
    if (template === undefined) return undefined;
    return { kind: "command", timeoutMs, ...this.#facts(name, shared, template) };
  }

  async #scriptAsync(name: string, raw: unknown, path: Path): Promise<ProjectEntry | undefined> {
    const parsed = scriptEntrySchema().safeParse(raw);
    if (!parsed.success) return this.#tellIssues(path, parsed.error.issues);
    const { script, context, ...shared } = parsed.data;
    const template = this.#template(script, [...path, "script"]);
    if (template === undefined) return undefined;
    const taken = template.fields.find(({ property }) => sessionTargetSchema.keys().includes(property));
    if (taken !== undefined)
      return this.#tell(
        [...path, "script"],
        `${taken.property} says where a script runs; name the field otherwise`,
      );
    const facts = this.#facts(name, shared, template);
    const scriptPath = resolve(facts.folder, template.title);
    if (!(await isFileAsync(scriptPath)))
      return this.#tell([...path, "script"], `there is no file ${scriptPath}`);
    const description = shared.description ?? `Run the Luau script \`${template.text}\` in Studio`;
    return { kind: "script", context, scriptPath, ...facts, description };
  }

  #facts(name: string, { title, description, readOnly }: SharedFields, template: Template): EntryFacts {
    return {
      name,
      title: title ?? template.title,
      description: description ?? defaultDescription(template),
      readOnly,
      template,
      folder: dirname(this.#file),
    };
  }

  #template(words: string | readonly string[], path: Path): Template | undefined {
    try {
      const template = parseTemplate(typeof words === "string" ? shellWords(words) : words);
      for (const warning of template.warnings) this.#tell(path, warning);
      return template;
    } catch (error) {
      if (error instanceof StudioBridgeError) return this.#tell(path, error.message);
      throw error;
    }
  }

  #tellIssues(path: Path, issues: z.ZodError["issues"]): undefined {
    for (const issue of issues) {
      const keys = issue.code === "unrecognized_keys" ? issue.keys : [];
      const message =
        keys.length === 0 ? issue.message : `unknown key ${keys.map((key) => `"${key}"`).join(", ")}`;
      this.#tell([...path, ...issue.path, ...keys.slice(0, 1)], message);
    }
  }

  #tell(path: Path, message: string): undefined {
    this.#tellAt(this.#root === undefined ? 0 : nodeAt(this.#root, path).offset, path, message);
  }

  #tellAt(offset: number, path: Path, message: string): void {
    const { line, column } = placeOf(this.#text, offset);
    this.#problems.push({ file: this.#file, line, column, path: pathText(path), message });
  }
}

function pathText(path: Path): string {
  return path
    .map((key) => (typeof key === "number" ? `[${key}]` : `.${String(key)}`))
    .join("")
    .replace(/^\./, "");
}

async function isFileAsync(path: string): Promise<boolean> {
  return stat(path).then(
    (facts) => facts.isFile(),
    () => false,
  );
}
