/**
 * The files of a Rojo project that its scripts come from. Errors and stacks name Instances; people are also shown the
 * file, the line and an excerpt.
 */
import type { LogLevel } from "../../protocol/fields/log-lines.ts";
import { textOfByteString } from "../../util/bytes.ts";
import type { ByteString } from "../../util/bytes.ts";
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
  readonly source: ByteString;
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

  /** By the full names of the scripts in the place. */
  constructor(files: ReadonlyMap<string, ScriptFile>) {
    this.#files = files;
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
    const excerpt = sourceExcerpt(textOfByteString(place.source), place.line, style);
    return [`  ${style.dim(place.where)}`, ...excerpt];
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
    const script = this.#files.get(name) ?? this.#originalOf(name);
    if (script === undefined) return undefined;
    return { where: `${shownPath(script.file)}:${line}`, line: Number(line), source: script.source };
  }

  #originalOf(name: string): ScriptFile | undefined {
    for (const [copy, original] of COPIES) {
      const script = this.#files.get(name.replace(copy, original));
      if (script !== undefined) return script;
    }
    return undefined;
  }
}

function shownPath(file: string): string {
  const folder = process.cwd();
  const isBelow = file.startsWith(folder) && /^[/\\]/.test(file.slice(folder.length));
  return isBelow ? file.slice(folder.length + 1) : file;
}
