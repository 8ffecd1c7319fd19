/**
 * Finds the modules that a file outside of the place requires by paths: `./Cart`, `../shared/x`, `@self/x`, and aliases of
 * `.luaurc`. It reads them in the text before anything runs, so that every target can be sent the modules with the file.
 */
import { readFile, realpath, stat } from "node:fs/promises";
import { dirname, isAbsolute, join, relative } from "node:path";
import { parseJsonc, valueOf } from "../../util/jsonc.ts";
import { withoutComments } from "./lua-text.ts";

/** The module to which a path leads: a file of the project, a script of the place, or none, with the reason. */
export type ModuleLink =
  { readonly module: string } | { readonly instance: readonly string[] } | { readonly fault: string };

export interface LinkedModule {
  readonly source: string;
  /** For each text that the module requires, the module to which it leads. */
  readonly links: Readonly<Record<string, ModuleLink>>;
}

/** Modules by their paths, relative to the project's folder. */
export type LinkedModules = Readonly<Record<string, LinkedModule>>;

/** For a file, the names from a service to its script; undefined for a file that is not in the place. */
export type InstanceOfFile = (absolutePath: string) => readonly string[] | undefined;

const REQUIRE = /\brequire\s*\(?\s*(?:"([^"\n]*)"|'([^'\n]*)'|`([^`{\n]*)`)/g;
/** How a fault ends that says nothing about whether there is a module. */
export const LEADS_OUT = "leads out of the folder of the project";
const IS_INIT = /(?:^|\/)init\.luau?$/;
const ENDINGS = [".luau", ".lua", "/init.luau", "/init.lua"];

export class StringRequires {
  readonly #folder: string;
  readonly #instanceOf: InstanceOfFile;
  readonly #modules = new Map<string, Promise<LinkedModule>>();
  readonly #aliases = new Map<string, Promise<Aliases>>();

  /** `folder` is the project's. Modules outside of it are not read. */
  constructor(folder: string, instanceOf: InstanceOfFile) {
    this.#folder = folder;
    this.#instanceOf = instanceOf;
  }

  /** The file itself and all modules that it requires, directly and through other modules. */
  async modulesOfAsync(path: string): Promise<LinkedModules> {
    const found: { [path: string]: LinkedModule } = {};
    const waiting = [path];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      if (Object.hasOwn(found, next)) continue;
      const module = await this.moduleAsync(next);
      found[next] = module;
      waiting.push(...Object.values(module.links).flatMap((link) => ("module" in link ? link.module : [])));
    }
    return found;
  }

  /** The file alone, with the modules that it requires itself. */
  moduleAsync(path: string): Promise<LinkedModule> {
    const known = this.#modules.get(path);
    if (known !== undefined) return known;
    const module = this.#readAsync(path);
    this.#modules.set(path, module);
    return module;
  }

  async #readAsync(path: string): Promise<LinkedModule> {
    const source = await readFile(join(this.#folder, path), "utf8").catch(() => "");
    const texts = [...withoutComments(source).matchAll(REQUIRE)].map(
      ([, double, single, backquoted]) => double ?? single ?? backquoted ?? "",
    );
    const own = [...new Set(texts)].filter((text) => !text.startsWith("@game/"));
    const links = await Promise.all(
      own.map(async (text) => [text, await this.#linkAsync(path, text)] as const),
    );
    return { source, links: Object.fromEntries(links) };
  }

  async #linkAsync(from: string, text: string): Promise<ModuleLink> {
    const start = await this.#startAsync(from, text);
    if ("fault" in start) return start;
    const target = join(start.path);
    if (isAbsolute(target) || target.split(/[\\/]/)[0] === "..") return { fault: `${text} ${LEADS_OUT}` };
    const candidates = ENDINGS.map((ending) => `${target.replaceAll("\\", "/")}${ending}`);
    const present = await Promise.all(candidates.map((path) => this.#isModuleAsync(path)));
    const [first, second] = candidates.filter((_, index) => present[index]);
    if (first === undefined) return { fault: `there is no module ${text}: tried ${candidates.join(", ")}` };
    if (second !== undefined) return { fault: `${text} could be ${first} or ${second}` };
    const instance = this.#instanceOf(join(this.#folder, first));
    return instance === undefined ? { module: first } : { instance };
  }

  /** The path of the required module, relative to the project's folder and without an ending. */
  async #startAsync(
    from: string,
    text: string,
  ): Promise<{ readonly path: string } | { readonly fault: string }> {
    const [prefix = "", ...names] = text.split("/");
    const folder = dirname(from);
    const isInit = IS_INIT.test(from);
    // An init file is the module of its folder, so that "." is the folder above, in which that module lies.
    const base = isInit ? dirname(folder) : folder;
    if (prefix === "." || prefix === "..") return { path: join(base, prefix, ...names) };
    if (!prefix.startsWith("@"))
      return { fault: `${JSON.stringify(text)} is not a path: begin it with ./, ../ or the @ of an alias` };
    if (prefix === "@self")
      return isInit
        ? { path: join(folder, ...names) }
        : { fault: `${text} is for init.luau, which has modules below itself` };
    return this.#aliasedAsync(folder, prefix.slice(1), names, text);
  }

  /** The path behind an alias. Of several `.luaurc` files that define it, the nearest one above `folder` counts. */
  async #aliasedAsync(folder: string, alias: string, names: readonly string[], text: string) {
    const tried: string[] = [];
    for (const level of foldersFrom(folder)) {
      const aliases = await this.#aliasesAsync(level);
      if ("fault" in aliases) return aliases;
      const target = aliases.byName.get(alias.toLowerCase());
      if (target !== undefined)
        return {
          path: join(isAbsolute(target) ? relative(this.#folder, target) : join(level, target), ...names),
        };
      tried.push(join(level, ".luaurc").replaceAll("\\", "/"));
    }
    return { fault: `there is no alias @${alias} for ${text}: tried ${tried.join(", ")}` };
  }

  #aliasesAsync(folder: string): Promise<Aliases> {
    const known = this.#aliases.get(folder);
    if (known !== undefined) return known;
    const aliases = readAliasesAsync(join(this.#folder, folder), folder);
    this.#aliases.set(folder, aliases);
    return aliases;
  }

  /** True for a file inside of the project. The real path is compared, because a symbolic link may lead outside. */
  async #isModuleAsync(path: string): Promise<boolean> {
    try {
      const file = join(this.#folder, path);
      if (!(await stat(file)).isFile()) return false;
      const way = relative(await realpath(this.#folder), await realpath(file));
      return !isAbsolute(way) && way.split(/[\\/]/)[0] !== "..";
    } catch {
      return false;
    }
  }
}

type Aliases = { readonly byName: ReadonlyMap<string, string> } | { readonly fault: string };

async function readAliasesAsync(folder: string, shown: string): Promise<Aliases> {
  const text = await readFile(join(folder, ".luaurc"), "utf8").catch(() => "");
  try {
    const root = parseJsonc(text);
    const aliases: unknown = Object(root === undefined ? {} : valueOf(root))["aliases"];
    const entries = Object.entries(Object(aliases ?? {})).filter((entry) => typeof entry[1] === "string");
    return { byName: new Map(entries.map(([name, path]) => [name.toLowerCase(), String(path)])) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { fault: `${join(shown, ".luaurc").replaceAll("\\", "/")} cannot be read: ${reason}` };
  }
}

/** A folder, relative to the project's, and the folders above it up to the project's. */
function foldersFrom(folder: string): string[] {
  return folder === "." ? ["."] : [folder, ...foldersFrom(dirname(folder))];
}
