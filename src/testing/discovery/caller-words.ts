/** What the words of a caller name: files, lines of files, folders, and parts of paths. */
import { readFile, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { invalidInput } from "../../protocol/messages.ts";
import { isWithin } from "../../roblox/rojo/roots.ts";
import { pathInside } from "../../util/path-inside.ts";

const SCRIPT = /\.(?:luau|lua)$/;

/** The files and folders that words name in full, for `FilePatterns`. Words start from `workingFolder`. */
export async function namedInFullAsync(
  words: readonly string[],
  folder: string,
  workingFolder: string,
): Promise<string[]> {
  const places = await Promise.all(words.map((word) => placeOfAsync(word, workingFolder)));
  return places.flatMap(({ path, kind }) => {
    if (!isWithin(folder, path)) return [];
    const inside = pathInside(folder, path);
    if (kind === "folder") return inside === "" ? [] : [`${inside}/`];
    return kind === "file" && SCRIPT.test(inside) ? [inside] : [];
  });
}

interface Place {
  /** Absolute. */
  readonly path: string;
  /** What is there; undefined for nothing. */
  readonly kind: "file" | "folder" | undefined;
  /** The word without its line. */
  readonly name: string;
  readonly line: number | undefined;
}

async function placeOfAsync(word: string, workingFolder: string): Promise<Place> {
  const [, name = word, number] = /^(.*?):(\d+)$/.exec(word) ?? [];
  const path = resolve(workingFolder, name);
  const facts = await stat(path).catch(() => undefined);
  const kind = facts?.isDirectory() === true ? "folder" : facts?.isFile() === true ? "file" : undefined;
  return { path, kind, name, line: number === undefined ? undefined : Number(number) };
}

/** What a caller wrote: a file, `FILE:LINE`, a folder, or a part of paths. */
export interface Wish {
  readonly text: string;
  readonly line?: number;
  matches(path: string): boolean;
}

/** `workingFolder` is what relative names start from. Throws INVALID_INPUT for a line behind the end of a file. */
export async function wishOfAsync(text: string, folder: string, workingFolder: string): Promise<Wish> {
  const { path, kind, name, line } = await placeOfAsync(text, workingFolder);
  const inside = pathInside(folder, path);
  if (kind === "folder") return { text, matches: (each) => inside === "" || each.startsWith(`${inside}/`) };
  const lined = line === undefined ? {} : { line };
  if (kind === undefined) return { text, ...lined, matches: (each) => each.includes(name) };
  if (line !== undefined) await checkLineAsync(text, path, line);
  return { text, ...lined, matches: (each) => each === inside };
}

async function checkLineAsync(text: string, path: string, line: number): Promise<void> {
  const count = (await readFile(path, "utf8")).split("\n").length;
  if (line > count || line < 1)
    throw invalidInput(`${text}: the file has ${count} lines.`, "Name a line of the case that you want.");
}
