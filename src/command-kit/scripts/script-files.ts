/**
 * The files of a Rojo project that its scripts come from. Errors and stacks name Instances; people are also shown the
 * file, the line and an excerpt, of a compiled file those of its source.
 */
import { resolve } from "node:path";
import type { LogLevel } from "../../protocol/fields/log-lines.ts";
import { textOfByteString } from "../../util/bytes.ts";
import type { ByteString } from "../../util/bytes.ts";
import { visibleOnOneLine } from "../../util/visible-controls.ts";
import type { CompiledLines, CompiledPlace } from "./compiled-lines.ts";
import type { Style } from "../../util/style.ts";
import { sourceExcerpt } from "./source-excerpt.ts";

export interface ScriptFile {
  /** An absolute path. */
  readonly file: string;
  readonly source: ByteString;
}

interface FilePlace {
  /** `src/Mod.luau:10`, from the current folder where the file is below it. */
  readonly where: string;
  readonly line: number;
  readonly source: string;
  /** The source of a compiled file whose lines are not known. */
  readonly unmapped?: string | undefined;
}

/** Where a script runs as a copy, and where its project has it. */
const COPIES: readonly (readonly [copy: RegExp, original: string])[] = [
  [/^Players\.[^.]+\.PlayerScripts\./, "StarterPlayer.StarterPlayerScripts."],
  [/^Players\.[^.]+\.PlayerGui\./, "StarterGui."],
  [/^Players\.[^.]+\.Backpack\./, "StarterPack."],
  [/^Workspace\.[^.]+\./, "StarterPlayer.StarterCharacterScripts."],
];

/** `ReplicatedStorage.Mod:10: oops` and `ReplicatedStorage.Mod:10 function f`. */
const PLACED = /^(.+?):(\d+)(?=:| |$)/;
const STACK_LINE = /^Script '(.+)', Line (\d+)/;

export class ScriptFiles {
  readonly #files: ReadonlyMap<string, ScriptFile>;
  readonly #compiled: CompiledLines | undefined;
  /** The first file that was shown by the lines that the compiler wrote. */
  #toldFile: string | undefined;

  /** By the full names of the scripts in the place. */
  constructor(files: ReadonlyMap<string, ScriptFile>, compiled?: CompiledLines) {
    this.#files = files;
    this.#compiled = compiled;
  }

  /** What is shown behind a line of the log: the file of a stack frame, or below an error the file and an excerpt. */
  noteFor(level: LogLevel, body: string, style: Style): string {
    if (level === "Info") return this.#inParentheses(STACK_LINE.exec(body), style);
    const lines = level === "Error" ? this.excerptFor(body, style) : [];
    return lines.map((line) => `\n${line}`).join("");
  }

  /** For a message that begins with its place; empty where that is in none of the files. */
  excerptFor(message: string, style: Style): string[] {
    const place = this.#placeOf(PLACED.exec(message));
    if (place === undefined) return [];
    return placeLines(place, style);
  }

  /** `src/Mod.luau:10` for a line that names a script and a line of it; undefined for other lines. */
  placeIn(body: string): string | undefined {
    return this.#placeOf(STACK_LINE.exec(body) ?? PLACED.exec(body))?.where;
  }

  /** A traceback with the file behind each frame that is in one. */
  withFiles(traceback: string, style: Style): string {
    const frames = traceback.split("\n");
    return frames.map((frame) => frame + this.#inParentheses(PLACED.exec(frame), style)).join("\n");
  }

  #inParentheses(match: RegExpExecArray | null, style: Style): string {
    const place = this.#placeOf(match);
    return place === undefined ? "" : ` ${style.dim(`(${place.where})`)}`;
  }

  #placeOf(match: RegExpExecArray | null): FilePlace | undefined {
    const [, name = "", line = ""] = match ?? [];
    const script = candidates(name).flatMap((each) => this.#files.get(each) ?? [])[0];
    if (script === undefined) return undefined;
    const compiled = this.#compiled?.placeOf(script.file, Number(line));
    const read = compiled?.line === undefined ? undefined : sourcePlace(compiled.file, compiled.line);
    const own = {
      where: `${shownPath(script.file)}:${line}`,
      line: Number(line),
      source: textOfByteString(script.source),
    };
    return read ?? { ...own, unmapped: this.#unmappedOf(script.file, compiled) };
  }

  /** The source of the first file without a source map. One file is enough to tell it. */
  #unmappedOf(file: string, compiled: CompiledPlace | undefined): string | undefined {
    if (compiled === undefined) return undefined;
    this.#toldFile ??= file;
    return this.#toldFile === file ? shownPath(compiled.file) : undefined;
  }
}

/** The full names of a script, and of those of which it may be a copy. */
const candidates = (name: string): readonly string[] => [
  ...new Set([name, ...COPIES.map(([copy, original]) => name.replace(copy, original))]),
];

/** The full names of scripts that lines of a log may be about. */
export const namedScripts = (lines: readonly string[]): readonly string[] =>
  lines.flatMap((line) => {
    const [, name = ""] = STACK_LINE.exec(line) ?? PLACED.exec(line) ?? [];
    return name.includes(".") ? candidates(name) : [];
  });

/** The position in the source of a script that is itself a file, such as one of `sb run`; empty without a source map. */
export function compiledExcerpt(name: string, line: number, compiled: CompiledLines, style: Style): string[] {
  const place = compiled.placeOf(resolve(name), line);
  if (place === undefined) return [];
  if (place.line === undefined) return [`  ${style.dim(unmappedText(shownPath(place.file)))}`];
  const read = sourcePlace(place.file, place.line);
  return read === undefined ? [] : placeLines(read, style);
}

/** `src/main.ts:3` for a script that is itself a file; undefined without a source map. */
export function compiledPlace(
  name: string,
  line: number,
  compiled: CompiledLines | undefined,
): string | undefined {
  const place = compiled?.placeOf(resolve(name), line);
  return place?.line === undefined ? undefined : `${shownPath(place.file)}:${place.line}`;
}

const unmappedText = (source: string): string => `compiled from ${visibleOnOneLine(source)}; no source map`;

function placeLines({ where, line, source, unmapped }: FilePlace, style: Style): string[] {
  return [
    `  ${style.dim(where)}`,
    ...sourceExcerpt(source, line, style),
    ...(unmapped === undefined ? [] : [`  ${style.dim(unmappedText(unmapped))}`]),
  ];
}

/** Undefined for a source that cannot be read. */
function sourcePlace(file: string, line: number): FilePlace | undefined {
  try {
    // Loaded where an error is shown, because every command loads this file.
    const { readFileSync } = process.getBuiltinModule("node:fs");
    return { where: `${shownPath(file)}:${line}`, line, source: readFileSync(file, "utf8") };
  } catch {
    return undefined;
  }
}

function shownPath(file: string): string {
  const folder = process.cwd();
  const isBelow = file.startsWith(folder) && /^[/\\]/.test(file.slice(folder.length));
  return isBelow ? file.slice(folder.length + 1) : file;
}
