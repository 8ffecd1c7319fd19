/** The imports of a TypeScript file, as far as the formatter lets them be written. */
import { posix } from "node:path";

interface Import {
  readonly specifier: string;
}

const IMPORT =
  /^(?:import|export)\s+(?:type\s)?(?:[^"';]*?\sfrom\s+)?"([^"]+)"|\bimport\s*\(\s*"([^"]+)"|^import\s+"([^"]+)"/gm;

export function importsIn(text: string): Import[] {
  return [...text.matchAll(IMPORT)].map(([, named, late, bare]) => ({
    specifier: named ?? late ?? bare ?? "",
  }));
}

/** What a relative specifier of `file` means, as a path like those of the files. */
export function targetOf(file: string, specifier: string): string {
  return posix.normalize(posix.join(posix.dirname(file), specifier));
}
