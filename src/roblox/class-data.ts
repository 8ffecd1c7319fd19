// Finds one class or enum in the class data text (made by scripts/build-classes.ts) without reading the rest.
// The engine parses the lines it asks for; nothing here knows what is inside them.

export interface ClassData {
  /** What follows `Class|` on the line of that class; undefined for a class the data does not have. */
  classLine(className: string): string | undefined;
  /** `Item=Number` joined by `,`, in ascending order, then old names of items; undefined for an enum the data does not have. */
  enumItems(enumName: string): string | undefined;
  classNames(): string[];
  enumNames(): string[];
}

type Lines = Map<string, { start: number; end: number }>;

/** Throws when the text is not class data. */
export function openClassData(text: string): ClassData {
  const start = text.indexOf("\n") + 1;
  const gap = text.indexOf("\n\n", start);
  if (!text.startsWith("classes ") || gap < 0) throw new Error("Not a class data file.");
  const classes = indexLines(text, start, gap + 1);
  const enums = indexLines(text, gap + 2, text.length);
  const find = (lines: Lines, name: string): string | undefined => {
    const line = lines.get(name);
    return line === undefined ? undefined : text.slice(line.start, line.end);
  };
  return {
    classLine: (className) => find(classes, className),
    enumItems: (enumName) => find(enums, enumName),
    classNames: () => [...classes.keys()],
    enumNames: () => [...enums.keys()],
  };
}

function indexLines(text: string, from: number, to: number): Lines {
  const lines: Lines = new Map();
  for (let at = from; at < to;) {
    const bar = text.indexOf("|", at);
    const end = text.indexOf("\n", at);
    lines.set(text.slice(at, bar), { start: bar + 1, end });
    at = end + 1;
  }
  return lines;
}
