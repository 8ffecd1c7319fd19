/**
 * Writes the page of all assumptions about Roblox Studio that have not been checked there, from the `UNVERIFIED:`
 * comments.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dir, "../..");
const MARK = "UNVERIFIED:";
/** A mark such as "wording" is about what is beside it. */
const SHORT_CHARS = 32;
const SHOWN_CODE_CHARS = 90;
const COMMENT = /^\s*(?:--|\/\/|\/?\*+)\s?(.*?)(?:\s*\*\/)?$/;

const SECTIONS = [
  { title: "The plugin", folder: "plugin/src", glob: "**/*.luau" },
  { title: "Headless Studio", folder: "src/headless", glob: "**/*.{luau,ts}" },
  {
    title: "Everything else",
    folder: "src",
    glob: "{auth,bridge,cli,command,commands,mcp,protocol,roblox,studio,terminal,util}/**/*.{luau,ts}",
  },
] as const;

export function assumptionsPage(): string {
  const sections = SECTIONS.flatMap(({ title, folder, glob }) => {
    const files = [...new Bun.Glob(glob).scanSync(join(ROOT, folder))].sort();
    const entries = files.flatMap((file) => entriesOf(folder, file.replaceAll("\\", "/")));
    return entries.length === 0 ? [] : [`## ${title}\n\n${entries.join("\n")}`];
  });
  return [
    "<!-- Made by scripts/gen.ts from the comments in the code. -->",
    "# Unchecked assumptions about Roblox Studio",
    [
      "studio-bridge was built from documentation, on Linux. Each assumption that a running Studio, Windows or macOS could",
      "refute is marked in the code; this is the list. Where a mark says little by itself, the code that it is about follows.",
      "`cls/NAME`, `docs/cls/NAME` and their like are pages of Roblox's documentation.",
    ].join("\n"),
    ...sections,
    "",
  ].join("\n\n");
}

function entriesOf(folder: string, file: string): readonly string[] {
  const path = `${folder}/${file}`;
  const found = assumptionsIn(readFileSync(join(ROOT, path), "utf8"));
  return found.length === 0 ? [] : [`- [${file}](../${path})`, ...found.map((text) => `  - ${text}`)];
}

/** Each mark with the rest of its comment. */
function assumptionsIn(source: string): readonly string[] {
  const lines = source.split("\n");
  return lines.flatMap((line, index) => {
    const at = line.indexOf(MARK);
    const comment = line.search(/--|\/\/|\*/);
    if (at < 0 || comment < 0 || comment > at) return [];
    const parts = [line.slice(at + MARK.length).replace(/\s*\*\/$/, "")];
    for (const next of lines.slice(index + 1)) {
      const text = COMMENT.exec(next)?.[1];
      if (text === undefined || text === "" || text === "/" || text.includes(MARK)) break;
      parts.push(text);
    }
    const text = sentence(parts.map((part) => part.trim()).join(" "));
    return [text.length > SHORT_CHARS ? text : `${text} ${codeAt(lines, index, comment)}`];
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
