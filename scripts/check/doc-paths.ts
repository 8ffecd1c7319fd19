/** Pages name files of this repository that exist: in links, and in backquotes on the pages about the code. */
import { posix } from "node:path";
import type { Sources } from "./sources.ts";

/** Their backquoted paths are files of ours. On other pages they are files of a reader's project. */
const ABOUT_CODE = /^(?:CONTRIBUTING|docs\/(?:architecture|glossary|design\/[^/]+))\.md$/;
const LINK = /\]\((?!https?:|#|mailto:)([^)#\s]+)(?:#[^)\s]*)?\)/g;
/** With a slash, and an ending of a source file. */
const QUOTED = /`([\w.@{},-]+(?:\/[\w.@{},-]+)+\.(?:ts|luau|md|json|mjs|sh|ps1))`/g;

/** A word in capitals stands for any name. */
const PLACEHOLDER = /(?<![A-Za-z])[A-Z]{4,}(?![A-Za-z])/;

/** `pages`: by their paths. `files`: the paths of all files; a page may leave out the first folders of one. */
export function docPathFaults(pages: Sources, files: readonly string[]): string[] {
  const present = new Set(files.flatMap(endsOf));
  const whole = new Set(files.flatMap(foldersOf));
  return [...pages].flatMap(([page, text]) => {
    const links = [...text.matchAll(LINK)].flatMap(([, path = ""]) => {
      const target = posix.join(posix.dirname(page), path).replace(/\/$/, "");
      return whole.has(target) ? [] : [`${page} links to ${path}, which does not exist`];
    });
    const quoted = ABOUT_CODE.test(page) ? [...text.matchAll(QUOTED)] : [];
    return [
      ...links,
      ...quoted
        .flatMap(([, path = ""]) => alternatives(path))
        .filter((path) => !present.has(path) && !PLACEHOLDER.test(path))
        .map((path) => `${page} names ${path}, which does not exist`),
    ];
  });
}

/** `a/{b,c}.ts` names two files. */
function alternatives(path: string): readonly string[] {
  const [, before = "", names, after = ""] = /^(.*)\{(.*)\}(.*)$/.exec(path) ?? [];
  return names === undefined ? [path] : names.split(",").map((name) => before + name + after);
}

/** A path from each of its folders on. */
const endsOf = (path: string): readonly string[] =>
  path.split("/").map((_, index, parts) => parts.slice(index).join("/"));

/** A path and the folders around it. */
const foldersOf = (path: string): readonly string[] =>
  path.split("/").map((_, index, parts) => parts.slice(0, index + 1).join("/"));
