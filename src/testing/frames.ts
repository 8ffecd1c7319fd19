/** Stacks as Luau and Studio write them, and the files of a project that they name. */
import type { IsOfFramework } from "./discovery/framework-scripts.ts";
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

/** Of a longer stack, as of a function that calls itself without end, both ends are kept. */
const MAX_FRAMES = 40;

/**
 * The frames of a stack, innermost first, without those of the harness, and without those of a test framework where there are
 * others.
 */
export function framesIn(
  trace: string,
  fileOf: FileOfScript,
  isOfFramework: IsOfFramework = () => false,
): Frame[] {
  const all = namedFramesIn(trace, fileOf);
  const own = all.filter(({ fullName }) => !isOfFramework(fullName));
  const frames = (own.length === 0 ? all : own).map(({ frame }) => frame);
  if (frames.length <= MAX_FRAMES) return frames;
  return [...frames.slice(0, MAX_FRAMES / 2), ...frames.slice(-MAX_FRAMES / 2)];
}

interface NamedFrame {
  /** What Luau calls its script. */
  readonly fullName: string;
  readonly frame: Frame;
}

function namedFramesIn(trace: string, fileOf: FileOfScript): NamedFrame[] {
  return trace.split("\n").flatMap((text): NamedFrame[] => {
    const line = text.trim();
    for (const pattern of LINES) {
      const groups = pattern.exec(line)?.groups;
      if (groups === undefined) continue;
      const { name = "", line: number = "", function: called } = groups;
      if (name === HARNESS_NAME || Number(number) < 1) return [];
      const path = fileOf(name) ?? name;
      const frame = { path, line: Number(number), ...(called === undefined ? {} : { name: called }) };
      return [{ fullName: name, frame }];
    }
    return [];
  });
}

/** A message with a place at its front, or behind the harness's word for where the error came from. */
const PLACED =
  /^(?<lead>(?:in a thread of its own|(?:before|after)(?:All|Each)): )?(?<name>[^\n]+?):(?<line>[1-9]\d*): (?<rest>[\s\S]*)$/;

/** A message without the place that Luau writes before it, where its frames or nothing of the project have that place. */
export function withoutPlace(message: string, frames: readonly Frame[], fileOf: FileOfScript): string {
  const { lead = "", name = "", line, rest } = PLACED.exec(message)?.groups ?? {};
  if (rest === undefined) return message;
  const [first] = frames;
  const isFirst = first?.path === (fileOf(name) ?? name) && String(first.line) === line;
  return isFirst || name === HARNESS_NAME ? `${lead}${rest}` : message;
}

/** The place that a message begins with, as of a file that does not compile and therefore has no stack. */
export function placeIn(message: string, fileOf: FileOfScript): Frame | undefined {
  const { name = "", line } = PLACED.exec(message)?.groups ?? {};
  const path = fileOf(name) ?? name;
  return line === undefined || name === HARNESS_NAME ? undefined : { path, line: Number(line) };
}
