/**
 * Exports that no file of the product uses, which are dead code, even if tests use them. A name that its own file uses is
 * not dead.
 */
import { targetOf } from "./imports.ts";
import type { Sources } from "./sources.ts";

/** `export const a`, `export async function a`, `export type a` and the like. */
const DECLARED =
  /^export (?:declare )?(?:abstract )?(?:async )?(?:const|let|function\*?|class|interface|type|enum) ([\w$]+)/gm;
/** `import { a as b, type c } from "./d.ts"`, and the same with `export`. */
const NAMED = /^(import|export) (?:type )?(?:[\w$]+, )?\{([^}]*)\} from "([^"]+)"/gm;
/** What a file takes as a whole, so that its names stand anywhere in the code. */
const WHOLE = /^(?:import|export) \* (?:as [\w$]+ )?from "([^"]+)"|\bimport\("([^"]+)"\)/gm;
const COMMENT = /\/\*[^]*?\*\/|(?<![:"'`\w])\/\/[^\n]*/g;

/** One line for each dead export. `src`: files by their paths from there; `scripts`: those of the scripts from the root. */
export function deadExportFaults(src: Sources, scripts: Sources): string[] {
  const inSrc = [...src].map(([path, text]) => [`src/${path}`, text] as const);
  const withoutComments = ([path, text]: readonly [string, string]) =>
    [path, text.replace(COMMENT, "")] as const;
  const used = usedNames([...inSrc, ...scripts].map(withoutComments));
  return inSrc.map(withoutComments).flatMap(([file, text]) =>
    [...text.matchAll(DECLARED)]
      .map(([, name = ""]) => name)
      .filter((name) => !used.has(`${file} ${name}`) && countOf(text, name) < 2)
      .map((name) => `${file}: ${name} is dead code, because no file of the product uses it`),
  );
}

const countOf = (text: string, name: string): number =>
  text.split(new RegExp(`(?<![\\w$])${RegExp.escape(name)}(?![\\w$])`)).length - 1;

/** `FILE NAME` for each export that another file uses. */
function usedNames(code: readonly (readonly [file: string, text: string])[]): Set<string> {
  const used = new Set<string>();
  /** What a file hands on from another one, which counts as used as soon as it is itself used. */
  const handedOn: (readonly [as: string, from: string])[] = [];
  for (const [file, text] of code) {
    for (const [, word, names = "", specifier = ""] of text.matchAll(NAMED))
      for (const [, name = "", as = name] of names.matchAll(/(?:type )?([\w$]+)(?: as ([\w$]+))?/g))
        if (word === "export") handedOn.push([`${file} ${as}`, `${targetOf(file, specifier)} ${name}`]);
        else used.add(`${targetOf(file, specifier)} ${name}`);
    for (const [, all, late = ""] of text.matchAll(WHOLE))
      for (const [name = ""] of text.matchAll(/[\w$]+/g)) used.add(`${targetOf(file, all ?? late)} ${name}`);
  }
  for (let before = -1; before !== used.size;) {
    before = used.size;
    for (const [as, from] of handedOn) if (used.has(as)) used.add(from);
  }
  return used;
}
