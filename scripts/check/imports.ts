/** The imports of a TypeScript file, as far as the formatter lets them be written. */
import { posix } from "node:path";

interface Import {
  readonly specifier: string;
  /** It is followed when the file is loaded; types are not, and `import()` is followed later. */
  readonly isAtLoad: boolean;
}

const IMPORT =
  /^(?:import|export)\s+(type\s)?(?:[^"';]*?\sfrom\s+)?"([^"]+)"|\bimport\s*\(\s*"([^"]+)"|^import\s+"([^"]+)"/gm;

export function importsIn(text: string): Import[] {
  return [...text.matchAll(IMPORT)].map(([, type, named, late, bare]) => ({
    specifier: named ?? late ?? bare ?? "",
    isAtLoad: type === undefined && late === undefined,
  }));
}

/** What a relative specifier of `file` means, as a path like those of the files. */
export function targetOf(file: string, specifier: string): string {
  return posix.normalize(posix.join(posix.dirname(file), specifier));
}
