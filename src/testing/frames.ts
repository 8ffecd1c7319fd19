/** Stacks as Luau and Studio write them, and the files of a project that they name. */
import type { Frame } from "./events.ts";
import { HARNESS_NAME } from "./harness.ts";

/** From the full name of a script in the place to its file, relative to the project. */
export type FileOfScript = (fullName: string) => string | undefined;

const LINES: readonly RegExp[] = [
  /** Studio's Output. */
  /^Script '(?<name>.+)', Line (?<line>\d+)(?: - function (?<function>.+))?$/,
  /** `debug.traceback`, also of chunks that were loaded from text. */
  /^\[string "(?<name>.+)"\]:(?<line>\d+)(?: function (?<function>.+))?$/,
  /^(?<name>.+?):(?<line>\d+)(?: function (?<function>.+))?$/,
];

/** The frames of a stack, innermost first, without those of the harness. */
export function framesIn(trace: string, fileOf: FileOfScript): Frame[] {
  return trace.split("\n").flatMap((text): Frame[] => {
    const line = text.trim();
    for (const pattern of LINES) {
      const groups = pattern.exec(line)?.groups;
      if (groups === undefined) continue;
      const { name = "", line: number = "", function: called } = groups;
      if (name === HARNESS_NAME || Number(number) < 1) return [];
      const path = fileOf(name) ?? name;
      return [{ path, line: Number(number), ...(called === undefined ? {} : { name: called }) }];
    }
    return [];
  });
}

/** A message without the place that Luau writes before it, where its frames or nothing of the project have that place. */
export function withoutPlace(message: string, frames: readonly Frame[], fileOf: FileOfScript): string {
  const match = /^(?<name>[^\n]+?):(?<line>\d+): (?<rest>[\s\S]*)$/.exec(message);
  const { name = "", line, rest } = match?.groups ?? {};
  if (rest === undefined) return message;
  if (name === HARNESS_NAME) return rest;
  const [first] = frames;
  const isFirst = first?.path === (fileOf(name) ?? name) && String(first.line) === line;
  return isFirst ? rest : message;
}
