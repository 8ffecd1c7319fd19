/** The classes that a selector names, and which of them do not exist. Roblox finds nothing for those, and says no more. */
import type { ClassApi } from "../headless/index.ts";
import { nearest } from "../util/nearest.ts";

export interface UnknownClass {
  readonly className: string;
  /** The class that may have been meant. */
  readonly suggestion?: string | undefined;
}

/** Values of properties, names of attributes, and what stands behind `#`, `.` and `:`. */
const NO_CLASSES = /"[^"]*"|\[[^\]]*\]|[#.:][\w-]+/g;

export function unknownClasses(selector: string, api: ClassApi): UnknownClass[] {
  const words = selector.replaceAll(NO_CLASSES, " ").match(/[A-Za-z_]\w*/g) ?? [];
  const names = api.classNames();
  return [...new Set(words)]
    .filter((word) => !names.includes(word))
    .map((className) => {
      const sameLetters = names.find((name) => name.toLowerCase() === className.toLowerCase());
      const suggestion = sameLetters ?? nearest(className, names);
      return { className, ...(suggestion === undefined ? {} : { suggestion }) };
    });
}

export function unknownClassText({ className, suggestion }: UnknownClass): string {
  const guess = suggestion === undefined ? "" : ` Did you mean ${suggestion}?`;
  return `There is no class ${className}.${guess}`;
}
