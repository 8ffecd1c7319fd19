/**
 * Reads the words with which a caller chooses tests: a file, `FILE:LINE`, a folder, or a part of paths. A test that was compiled is
 * also chosen by the path and the lines of its source.
 */
import { readFile, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { invalidInput } from "../../protocol/messages.ts";
import type { CompiledSources } from "../../source-maps/compiled-sources.ts";
import { isWithin, pathInside } from "../../util/path-inside.ts";

/** The number of files that an error names. */
const MAX_NAMED = 3;
const SCRIPT = /\.(?:luau|lua)$/;

/**
 * The files and folders of the project that words name in full, for `FilePatterns`. Relative words start from
 * `workingFolder`; `folder` is the project's.
 */
export async function namedInFullAsync(
  words: readonly string[],
  folder: string,
  workingFolder: string,
): Promise<string[]> {
  const paths = await Promise.all(words.map((word) => namedPathAsync(word, workingFolder)));
  return paths.flatMap(({ path, kind }) => {
    if (!isWithin(folder, path)) return [];
    const inside = pathInside(folder, path);
    if (kind === "folder") return inside === "" ? [] : [`${inside}/`];
    return kind === "file" && SCRIPT.test(inside) ? [inside] : [];
  });
}

interface NamedPath {
  /** Absolute. */
  readonly path: string;
  /** Undefined if the path leads to nothing. */
  readonly kind: "file" | "folder" | undefined;
  /** The word without its line number. */
  readonly name: string;
  readonly line: number | undefined;
}

async function namedPathAsync(word: string, workingFolder: string): Promise<NamedPath> {
  const [, name = word, number] = /^(.*?):(\d+)$/.exec(word) ?? [];
  const path = resolve(workingFolder, name);
  const info = await stat(path).catch(() => undefined);
  const kind = info?.isDirectory() === true ? "folder" : info?.isFile() === true ? "file" : undefined;
  return { path, kind, name, line: number === undefined ? undefined : Number(number) };
}

/** A word of a caller, and which test files it chooses. */
export interface Selector {
  /** The word. */
  readonly text: string;
  readonly line?: number;
  /** True if the line is one of the source from which the test was compiled. */
  readonly isOfSource?: boolean;
  /** `path` is relative to the project's folder, with slashes. */
  matches(path: string): boolean;
}

/** Parts of paths are compared without regard to case, and people on Windows write them with backslashes. */
const comparable = (path: string): string => path.replaceAll("\\", "/").toLowerCase();

interface KnownTests {
  /** The project's folder. */
  readonly folder: string;
  /** The folder from which relative words start. */
  readonly start: string;
  /** The paths of all test files. */
  readonly tests: readonly string[];
  readonly sources: Pick<CompiledSources, "sourceOf" | "linesOf">;
}

/**
 * Throws INVALID_INPUT for a path outside of the project's folder, for a line behind the end of the file, and for a line of which
 * it is not clear in which file it is.
 */
export async function selectorOfAsync(
  text: string,
  { folder, start, tests, sources }: KnownTests,
): Promise<Selector> {
  const { path, kind, name, line } = await namedPathAsync(text, start);
  // Whether such a file exists is not said, because an agent may ask only about the project.
  if (!isWithin(folder, path))
    throw invalidInput(
      `${text} lies outside of the project in ${folder}.`,
      "Run sb test in its own project.",
    );
  const inside = pathInside(folder, path);
  const isBelow = (path: string): boolean => inside === "" || path.startsWith(`${inside}/`);
  const hasPart = (path: string): boolean => comparable(path).includes(comparable(name));
  const isIt = (path: string): boolean => path === inside;
  const fits = kind === "folder" ? isBelow : kind === undefined ? hasPart : isIt;
  const isSource = (test: string): boolean => fits(sources.sourceOf(test) ?? "");
  if (line === undefined) return { text, matches: (test) => fits(test) || isSource(test) };
  if (kind === "folder")
    throw invalidInput(`${text}: a folder has no lines.`, "Name a file before the line.");
  const file = kind === "file" && tests.includes(inside) ? inside : theOnly(text, name, tests.filter(fits));
  const compiled = file === undefined ? theOnly(text, name, tests.filter(isSource)) : undefined;
  const source = compiled === undefined ? undefined : sources.sourceOf(compiled);
  if (compiled !== undefined && sources.linesOf(compiled) === undefined)
    throw invalidInput(
      `${text}: ${compiled} has no source map, so that the lines of its source are not known.`,
      `Name a line of ${compiled}.`,
    );
  const shown = source ?? file;
  if (shown !== undefined) await checkLineAsync(text, join(folder, shown), line);
  const test = compiled ?? file;
  return { text, line, isOfSource: compiled !== undefined, matches: (path) => path === test };
}

/** The test file that a part of its path means; undefined for none. Whole names at the end of the path count before other parts. */
function theOnly(text: string, name: string, fitting: readonly string[]): string | undefined {
  const whole = fitting.filter((test) => `/${comparable(test)}`.endsWith(`/${comparable(name)}`));
  const [first, ...others] = whole.length > 0 ? whole : fitting;
  if (others.length === 0) return first;
  const named = [first, ...others].slice(0, MAX_NAMED).join(", ");
  const more = others.length < MAX_NAMED ? "" : ` and ${others.length + 1 - MAX_NAMED} more`;
  throw invalidInput(`${text}: several test files fit: ${named}${more}.`, "Write more of the path.");
}

async function checkLineAsync(text: string, path: string, line: number): Promise<void> {
  const count = (await readFile(path, "utf8")).split("\n").length;
  if (line > count || line < 1)
    throw invalidInput(`${text}: the file has ${count} lines.`, "Name a line of the case that you want.");
}
