/** The `require`s of a project's scripts that lead nowhere, as far as the files alone can tell. */
import { access } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { RojoNode } from "../roblox/rojo/node.ts";
import type { RojoTree } from "../roblox/rojo/project.ts";
import { LEADS_OUT, StringRequires } from "../testing/discovery/string-requires.ts";
import { pathInside, staysInside } from "../util/path-inside.ts";
import type { Finding } from "./finding.ts";
import { type InstancePath, type RequiredPath, requiredPaths } from "./required-paths.ts";

export const LOST_REQUIRE = "RequireLeadsNowhere";

export interface CheckedFile {
  /** Absolute. */
  readonly path: string;
  /** As findings name it. */
  readonly name: string;
  readonly source: string;
}

/** `tree` is absent where there is no project, so that nothing says which Instances there are. */
export class LostRequires {
  readonly #folder: string;
  readonly #tree: RojoTree | undefined;
  readonly #modules: StringRequires;
  readonly #nodes = new Map<string, RojoNode>();
  readonly #parents = new Map<RojoNode, RojoNode>();

  constructor(folder: string, tree: RojoTree | undefined) {
    this.#folder = folder;
    this.#tree = tree;
    this.#modules = new StringRequires(folder, () => undefined);
    if (tree !== undefined) this.#add(tree.root);
  }

  async inAsync(file: CheckedFile): Promise<readonly Finding[]> {
    const required = requiredPaths(file.source);
    const reasons = await Promise.all(required.map((each) => this.#reasonAsync(file, each)));
    return required.flatMap(({ line, column, endColumn }, index): Finding[] => {
      const message = reasons[index];
      if (message === undefined) return [];
      const place = { line, column, endLine: line, endColumn };
      return [{ file: file.name, ...place, severity: "error", code: LOST_REQUIRE, message }];
    });
  }

  #add(node: RojoNode): void {
    if (node.file !== undefined && !this.#nodes.has(node.file)) this.#nodes.set(node.file, node);
    for (const child of node.children) {
      this.#parents.set(child, node);
      this.#add(child);
    }
  }

  async #reasonAsync(file: CheckedFile, { path }: RequiredPath): Promise<string | undefined> {
    const script = this.#nodes.get(file.path);
    if (typeof path !== "string") return script === undefined ? undefined : this.#lost(script, path);
    const asInstance = script === undefined ? undefined : instancePath(path);
    if (path.startsWith("@game/") || path === "@game")
      return script === undefined || asInstance === undefined ? undefined : this.#lost(script, asInstance);
    const reason = await this.#lostInFilesAsync(file.path, path);
    if (reason === undefined || script === undefined || asInstance === undefined) return reason;
    // Studio follows Instances, which a project may arrange in another way than its files.
    return this.#lost(script, asInstance) === undefined ? undefined : reason;
  }

  /** Undefined where it leads to a module, and where it cannot be told. */
  #lost(script: RojoNode, { base, names }: InstancePath): string | undefined {
    const root = this.#tree?.root;
    let node = base === "script" ? script : root?.className === "DataModel" ? root : undefined;
    for (const name of names) {
      if (node === undefined) return undefined;
      const next: RojoNode | undefined =
        name === "Parent" ? this.#parents.get(node) : node.children.find((child) => child.name === name);
      if (next === undefined && name !== "Parent" && isWhole(node))
        return `There is no ${name} in ${this.#nameOf(node)}.`;
      node = next;
    }
    if (node === undefined || node.className === "ModuleScript" || !isWhole(node)) return undefined;
    return `${this.#nameOf(node)} is a ${node.className}, not a ModuleScript.`;
  }

  #nameOf(node: RojoNode): string {
    const parent = this.#parents.get(node);
    if (parent === undefined) return node.className === "DataModel" ? "game" : node.name;
    return parent.className === "DataModel" ? node.name : `${this.#nameOf(parent)}.${node.name}`;
  }

  async #lostInFilesAsync(file: string, text: string): Promise<string | undefined> {
    const inside = pathInside(this.#folder, file);
    if (!staysInside(inside) || !/^(?:\.\.?(?:\/|$)|@)/.test(text)) return undefined;
    const { links } = await this.#modules.moduleAsync(inside);
    const link = links[text];
    if (link === undefined || !("fault" in link) || link.fault.endsWith(LEADS_OUT)) return undefined;
    // Without a project, an alias may be one of the program that runs the file.
    const isAlias = text.startsWith("@") && !text.startsWith("@self");
    if (isAlias && (this.#tree === undefined || (await this.#hasProgramSettingsAsync(inside))))
      return undefined;
    return `${link.fault[0]?.toUpperCase()}${link.fault.slice(1)}.`;
  }

  /** A `.config.luau` above the file may define any alias; it is a program, which is not run here. */
  async #hasProgramSettingsAsync(inside: string): Promise<boolean> {
    for (let folder = dirname(inside); ; folder = dirname(folder)) {
      const file = join(this.#folder, folder, ".config.luau");
      if (
        await access(file).then(
          () => true,
          () => false,
        )
      )
        return true;
      if (folder === "." || folder === dirname(folder)) return false;
    }
  }
}

/** Undefined for an alias, which means a file. */
function instancePath(text: string): InstancePath | undefined {
  const [first, ...names] = text.split("/");
  const parts = names.flatMap((name) =>
    name === "." || name === "" ? [] : [name === ".." ? "Parent" : name],
  );
  if (first === "@game") return { base: "game", names: parts };
  if (first === "@self") return { base: "script", names: parts };
  if (first === ".") return { base: "script", names: ["Parent", ...parts] };
  return first === ".." ? { base: "script", names: ["Parent", "Parent", ...parts] } : undefined;
}

/** Its files say all that is in it. A place may have more than what a project file alone describes. */
const isWhole = ({ origin }: RojoNode): boolean =>
  origin !== undefined && origin.kind !== "projectNode" && !origin.ignoreUnknownInstances;
