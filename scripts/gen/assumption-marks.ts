/**
 * Reads the marks of unchecked assumptions out of the sources: comments that begin with `UNVERIFIED:`, or with
 * `UNVERIFIED(id):` where something else refers to the assumption, such as a probe of `sb selftest`.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dir, "../..");
const MARK = /UNVERIFIED(?:\(([^)]*)\))?:/;
/** A mark such as "wording" is about what is beside it. */
const SHORT_CHARS = 32;
const SHOWN_CODE_CHARS = 90;
const COMMENT = /^\s*(?:--|\/\/|\/?\*+)\s?(.*?)(?:\s*\*\/)?$/;

export interface AssumptionMark {
  readonly id: string | undefined;
  /** A sentence, followed by the code that it is about where it says little by itself. */
  readonly text: string;
  /** From the root of the repository, with slashes. */
  readonly path: string;
}

const FOLDERS = [
  { folder: "plugin/src", glob: "**/*.luau" },
  { folder: "src", glob: "**/*.{luau,ts}" },
] as const;

/** Every mark, in the order of paths and lines. */
export function readAssumptionMarks(): readonly AssumptionMark[] {
  return FOLDERS.flatMap(({ folder, glob }) =>
    [...new Bun.Glob(glob).scanSync(join(ROOT, folder))]
      .map((file) => `${folder}/${file.replaceAll("\\", "/")}`)
      .sort()
      .flatMap((path) => marksIn(path, readFileSync(join(ROOT, path), "utf8"))),
  );
}

/** Each mark of one file with the rest of its comment. */
export function marksIn(path: string, source: string): readonly AssumptionMark[] {
  const lines = source.split("\n");
  return lines.flatMap((line, index) => {
    const found = MARK.exec(line);
    const comment = line.search(/--|\/\/|\*/);
    if (found === null || comment < 0 || comment > found.index) return [];
    const parts = [line.slice(found.index + found[0].length).replace(/\s*\*\/$/, "")];
    for (const next of lines.slice(index + 1)) {
      const text = COMMENT.exec(next)?.[1];
      if (text === undefined || text === "" || text === "/" || MARK.test(text)) break;
      parts.push(text);
    }
    const text = sentence(
      parts
        .map((part) => part.trim())
        .join(" ")
        .trim(),
    );
    const shown = text.length > SHORT_CHARS ? text : `${text} ${codeAt(lines, index, comment)}`;
    return [{ id: found[1], text: shown, path }];
  });
}

function sentence(text: string): string {
  const ended = /[.:…]$/.test(text) ? text : `${text}.`;
  return ended.charAt(0).toUpperCase() + ended.slice(1);
}

/** The code that a comment stands behind or above. */
function codeAt(lines: readonly string[], index: number, comment: number): string {
  const before = lines[index]?.slice(0, comment).replace(/[\s/]+$/, "") ?? "";
  const isCode = (line: string) => line.trim() !== "" && !COMMENT.test(line);
  const code = (isCode(before) ? before : (lines.slice(index + 1).find(isCode) ?? "")).trim();
  const shown = code.length > SHOWN_CODE_CHARS ? `${code.slice(0, SHOWN_CODE_CHARS)}…` : code;
  return `\`\` ${shown} \`\``;
}
