/** Reads the stacks and the positions of errors that Luau and Studio write, and names the files of the project for them. */
import type { IsOfFramework } from "./discovery/framework-scripts.ts";
import type { Frame } from "./events.ts";
import { HARNESS_NAME } from "./harness.ts";

/** Gives the file of a script, relative to the project's folder, for the full name of the script in the place. */
export type FileOfScript = (fullName: string) => string | undefined;

/** The forms of one line of a stack. */
const LINES: readonly RegExp[] = [
  /** Studio's Output. */
  /^Script '(?<name>.+)', Line (?<line>\d+)(?: - function (?<function>.+))?$/,
  /** UNVERIFIED: that `ScriptContext.Error` may write stacks like this. Public error reporters for Roblox games read this form too. */
  /^(?<name>.+), line (?<line>\d+)(?: - (?:function )?(?<function>.+))?$/,
  /** `debug.traceback` for a chunk that was loaded from text. */
  /^\[string "(?<name>.+)"\]:(?<line>\d+)(?: function (?<function>.+))?$/,
  /^(?<name>.+?):(?<line>\d+)(?: function (?<function>.+))?$/,
];

/** The longest stack that is kept whole. A longer one, such as that of an endless recursion, keeps its two ends. */
const MAX_FRAMES = 40;

/**
 * The frames of a stack, innermost first. Frames of the harness are left out, and so are frames of a test framework unless
 * the stack has no others.
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
  /** The name that Luau gives to the script. */
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

/**
 * A message that begins with the position of the error, `NAME:LINE: `. The harness may have put words before the position
 * that say where the error came from, such as `beforeEach: `.
 */
const POSITIONED =
  /^(?<lead>(?:before|after)(?:All|Each): )?(?<name>[^\n]+?):(?<line>[1-9]\d*): (?<rest>[\s\S]*)$/;

/**
 * The message without its position, if the first frame shows the same position or if it is one in the harness. A position in
 * another script of the project is told by its file. Other messages stay as they are.
 */
export function withoutPosition(message: string, frames: readonly Frame[], fileOf: FileOfScript): string {
  const { lead = "", name = "", line, rest } = POSITIONED.exec(message)?.groups ?? {};
  if (rest === undefined) return message;
  const [first] = frames;
  const file = fileOf(name);
  const isFirst = first?.path === (file ?? name) && String(first.line) === line;
  if (isFirst || name === HARNESS_NAME) return `${lead}${rest}`;
  return file === undefined ? message : `${lead}${file}:${line}: ${rest}`;
}

/** The position at the start of a message. An error of a file that does not compile has only that, and no stack. */
export function positionIn(message: string, fileOf: FileOfScript): Frame | undefined {
  const { name = "", line } = POSITIONED.exec(message)?.groups ?? {};
  const path = fileOf(name) ?? name;
  return line === undefined || name === HARNESS_NAME ? undefined : { path, line: Number(line) };
}
