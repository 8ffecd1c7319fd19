/** The page of everything that the code assumes about Roblox Studio and that nobody has seen there, from its comments. */
import { readFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dir, "../..");
const MARK = "UNVERIFIED:";
const COMMENT = /^\s*(?:--|\/\/|\/?\*+)\s?(.*?)(?:\s*\*\/)?$/;

const SECTIONS = [
  { title: "The plugin", folder: "plugin/src", glob: "**/*.luau" },
  { title: "Headless Studio", folder: "src/headless", glob: "**/*.{luau,ts}" },
  { title: "Everything else", folder: "src", glob: "{cli,commands,mcp,studio,terminal,bridge}/**/*.ts" },
] as const;

export function assumptionsPage(): string {
  const sections = SECTIONS.flatMap(({ title, folder, glob }) => {
    const files = [...new Bun.Glob(glob).scanSync(join(ROOT, folder))].sort();
    const entries = files.flatMap((file) => entriesOf(folder, file.replaceAll("\\", "/")));
    return entries.length === 0 ? [] : [`## ${title}\n\n${entries.join("\n")}`];
  });
  return [
    "<!-- Made by scripts/gen.ts from the comments in the code. -->",
    "# What nobody has seen in Roblox Studio",
    "studio-bridge was built from documentation. Each assumption that a running Studio could refute is marked in the code; this is the list.",
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
    return [sentence(parts.map((part) => part.trim()).join(" "))];
  });
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
