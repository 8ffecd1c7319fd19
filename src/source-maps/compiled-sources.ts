/**
 * Finds the source of a compiled file, such as one by roblox-ts: its lines by the source map that the compiler wrote, else only
 * its path, by the folders of `tsconfig.json`. Files are read when they are asked for, because most runs need none.
 */
import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { pathInside, staysInside } from "../util/path-inside.ts";
import { visibleOnOneLine } from "../util/visible-controls.ts";
import { type CompilerFolders, compilerFoldersOf } from "./compiler-folders.ts";
import { type LineMap, lineMapOf, type SourcePosition } from "./line-map.ts";

/** Where source maps are: beside the files (`auto`), nowhere, or at a path with `{dir}` and `{name}` of the file in it. */
export type SourceMapWish = string | false;

const AUTO = "{dir}/{name}";
/** The difference of times that says nothing, because a compiler writes both files one after the other. */
const SAME_TIME_MS = 2000;
/** The number of files that a remark names. */
const MAX_NAMED = 3;
const SCRIPT = /\.luau?$/;

export class CompiledSources {
  readonly #folder: string;
  readonly #wish: SourceMapWish;
  readonly #maps = new Map<string, LineMap | undefined>();
  readonly #onlySources = new Map<string, string | undefined>();
  readonly #faults = new Map<string, string>();
  /** Compiled files without a map whose lines were shown, and their sources. */
  readonly #unmapped = new Map<string, string>();
  /** Shown files whose sources have changed since they were compiled. */
  readonly #old = new Map<string, string>();
  #folders: CompilerFolders | undefined;

  /** All paths are relative to `folder`, the project's, with slashes. */
  constructor(folder: string, wish: SourceMapWish = "auto") {
    this.#folder = folder;
    this.#wish = wish;
  }

  /** The position in the source; undefined if no map knows it. */
  positionOf(path: string, line: number): SourcePosition | undefined {
    return this.linesOf(path)?.get(line);
  }

  /** The map of a compiled file; undefined for a file without one, and for one that cannot be used. */
  linesOf(path: string): LineMap | undefined {
    if (this.#wish === false || !SCRIPT.test(path) || !staysInside(path)) return undefined;
    if (!this.#maps.has(path)) this.#maps.set(path, this.#readMap(path, this.#wish));
    return this.#maps.get(path);
  }

  /** The source from which all mapped lines of a file come; undefined if there is no map, or if several sources are in the file. */
  mappedSourceOf(path: string): string | undefined {
    if (!this.#onlySources.has(path)) this.#onlySources.set(path, onlySourceIn(this.linesOf(path)));
    return this.#onlySources.get(path);
  }

  /** The source of a compiled file, by its map or by `tsconfig.json`. */
  sourceOf(path: string): string | undefined {
    return this.mappedSourceOf(path) ?? this.#sourceByFolders(path);
  }

  /**
   * Notes that a line of the file is shown, so that the remarks tell if its source is newer, or if no map leads there. Returns the
   * source of a file without a map.
   */
  noteShown(path: string): string | undefined {
    const isMapped = this.linesOf(path) !== undefined;
    const source = isMapped ? this.mappedSourceOf(path) : this.#sourceByFolders(path);
    if (source === undefined) return undefined;
    if (isOlder(join(this.#folder, path), join(this.#folder, source))) this.#old.set(path, source);
    if (isMapped) return undefined;
    this.#unmapped.set(path, source);
    return source;
  }

  /** Sentences about maps that were not used, and about shown files that have none or that are older than their sources. */
  remarks(): readonly string[] {
    const faults = [...this.#faults].map(
      ([map, why]) => `${visibleOnOneLine(map)} is not used, because ${why}.`,
    );
    const left = faults.length - MAX_NAMED;
    const [[unmapped], [old]] = [this.#unmapped, this.#old];
    return [
      ...faults.slice(0, MAX_NAMED),
      ...(left > 0 ? [`${left} more source ${left === 1 ? "map is" : "maps are"} not used.`] : []),
      ...(unmapped === undefined ? [] : [unmappedText(...unmapped, this.#unmapped.size - 1)]),
      ...(old === undefined ? [] : [oldText(...old, this.#old.size - 1)]),
    ];
  }

  #readMap(path: string, wish: string): LineMap | undefined {
    const place = (wish === "auto" ? `${AUTO}${posix.extname(path)}.map` : wish)
      .replaceAll("{dir}", posix.dirname(path))
      .replaceAll("{name}", posix.basename(path, posix.extname(path)));
    const file = join(this.#folder, place);
    const text = readText(file);
    if (text === undefined) return undefined;
    const read = isOlder(file, join(this.#folder, path))
      ? `it is older than ${visibleOnOneLine(path)}; compile again`
      : lineMapOf(text, dirname(file), this.#folder);
    if (typeof read !== "string") return read;
    this.#faults.set(posix.normalize(place), read);
    return undefined;
  }

  #sourceByFolders(path: string): string | undefined {
    if (this.#wish === false || !SCRIPT.test(path) || !staysInside(path)) return undefined;
    this.#folders ??= compilerFoldersOf(this.#folder);
    const { rootDirs, outDir } = this.#folders;
    const inside = outDir === undefined ? ".." : pathInside(outDir, join(this.#folder, path));
    if (!staysInside(inside)) return undefined;
    const module = inside.replace(SCRIPT, "").replace(/(^|\/)init(?=\.|$)/, "$1index");
    return rootDirs
      .flatMap((root) => [".ts", ".tsx"].map((ending) => join(root, `${module}${ending}`)))
      .filter((file) => existsSync(file))
      .map((file) => pathInside(this.#folder, file))
      .find(staysInside);
  }
}

function onlySourceIn(map: LineMap | undefined): string | undefined {
  const [first, ...others] = new Set(map?.values().map((each) => each.path));
  return others.length === 0 ? first : undefined;
}

function oldText(path: string, source: string, others: number): string {
  const more = others === 0 ? "" : `, and so have the sources of ${others} more`;
  const changed = `${visibleOnOneLine(source)} has changed since ${visibleOnOneLine(path)} was compiled`;
  return `${changed}${more}, so that shown lines may be wrong; compile again.`;
}

function unmappedText(path: string, source: string, others: number): string {
  const more = others === 0 ? "" : `, as ${others === 1 ? "1 more file" : `${others} more files`}`;
  return `${visibleOnOneLine(path)}: compiled from ${visibleOnOneLine(source)}; no source map${more}.`;
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

/** A file that is not there is neither older nor newer. */
function isOlder(file: string, other: string): boolean {
  const [one, two] = [file, other].map((path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs);
  return one !== undefined && two !== undefined && one + SAME_TIME_MS < two;
}
