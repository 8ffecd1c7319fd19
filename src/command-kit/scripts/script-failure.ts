/** How a failed script is shown: the message, the line of source it names, the traceback, the next step. */
import type { ActionResult } from "../../protocol/actions.ts";
import { errorCodes, isErrorCode } from "../../protocol/errors.ts";
import { words } from "../../protocol/words.ts";
import type { Style } from "../../util/style.ts";
import { cells } from "../../util/text-width.ts";
import { visibleControls } from "../../util/visible-controls.ts";
import type { CompiledLines } from "./compiled-lines.ts";
import { compiledExcerpt, type ScriptFiles } from "./script-files.ts";
import { sourceExcerpt } from "./source-excerpt.ts";
import { valueText } from "../../output/value-text.ts";

type Failure = Pick<ActionResult<"execute">, "error" | "errorInfo">;

/** What is known about the files of scripts. */
interface ShownFiles {
  readonly files?: ScriptFiles | undefined;
  /** Present if the script itself is a file, which may have been compiled. */
  readonly compiled?: CompiledLines | undefined;
}

/** `Script error: …`, then everything that helps to find the place. */
export function failureText(
  { error = "unknown error", errorInfo }: Failure,
  source: string,
  name: string | undefined,
  style: Style,
  { files, compiled }: ShownFiles = {},
): string {
  const lines = [`${style.red(style.bold(leadFor(errorInfo?.code)))} ${style.body(error)}`];
  const traceback = errorInfo?.traceback?.trimEnd() ?? "";
  const [innermost = ""] = traceback.split("\n", 1);
  const line = errorInfo?.line;
  if (line !== undefined && (isAbout(error, name, line) || isFrameOf(innermost, name, line)))
    lines.push(...sourceExcerpt(source, line, style), ...compiledLines(name, line, compiled, style));
  lines.push(...(files?.excerptFor(error, style) ?? []));
  // A single frame tells nothing that the line or the message has not told already.
  const isTold = lines.length > 1 || error.includes(`${placeOf(innermost)}:`);
  if (traceback.includes("\n") || (innermost !== "" && !isTold))
    lines.push(shownTraceback(traceback, style, files));
  const hint = errorInfo?.isExpression === true ? expressionHint(source) : hintFor(errorInfo?.code, error);
  if (hint !== undefined) lines.push(`${style.cyan("hint:")} ${hint}`);
  return lines.join("\n");
}

/** The message, where there is one. A table that has no text of its own is told as what is in it. */
export function messageOf({ error, errorInfo }: Failure): string | undefined {
  const isBare = error !== undefined && /^table: 0x[0-9a-f]+$/i.test(error);
  return isBare && errorInfo?.value !== undefined ? valueText(errorInfo.value) : error;
}

const compiledLines = (
  name: string | undefined,
  line: number,
  compiled: CompiledLines | undefined,
  style: Style,
): string[] =>
  name === undefined || compiled === undefined ? [] : compiledExcerpt(name, line, compiled, style);

/** A line number may belong to a ModuleScript that the script required. */
function isAbout(error: string, name: string | undefined, line: number): boolean {
  return name === undefined ? error.includes(`:${line}:`) : error.includes(`${name}:${line}:`);
}

/** Errors of the engine name no place in their message. */
const isFrameOf = (frame: string, name: string | undefined, line: number): boolean =>
  name === undefined ? placeOf(frame).endsWith(`:${line}`) : placeOf(frame) === `${name}:${line}`;

/** `Script:3 function f` → `Script:3`. */
const placeOf = (frame: string): string => frame.replace(/^(.*:\d+) function .*$/, "$1");

/** Functions that call each other, up to this many, are told once. */
const LONGEST_CYCLE = 4;

function shownTraceback(traceback: string, style: Style, files: ScriptFiles | undefined): string {
  const frames = style.body(withoutRepeats(traceback));
  return style.dim(files?.withFiles(frames, style) ?? frames);
}

/** A recursion without end fills the traceback with one and the same frames. */
function withoutRepeats(traceback: string): string {
  const frames = traceback.split("\n");
  const shown: string[] = [];
  for (let at = 0; at < frames.length;) {
    const { length, more } = cycleAt(frames, at);
    shown.push(...frames.slice(at, at + length));
    if (more > 0)
      shown.push(`(${length === 1 ? "this frame" : `these ${length} frames`} ${more} more times)`);
    at += length * (more + 1);
  }
  return shown.join("\n");
}

/** How many frames from `at` on are a cycle, and how often it comes again; twice is no recursion to speak of. */
function cycleAt(frames: readonly string[], at: number): { readonly length: number; readonly more: number } {
  for (let length = 1; length <= LONGEST_CYCLE; length++) {
    let end = at + length;
    while (end < frames.length && frames[end] === frames[end - length]) end += 1;
    const more = Math.floor((end - at) / length) - 1;
    if (more > 1) return { length, more };
  }
  return { length: 1, more: 0 };
}

/** A script that was stopped from outside made no error of its own. */
function leadFor(code: string | undefined): string {
  return code === "TIMEOUT" || code === "CANCELLED" ? "error:" : "Script error:";
}

function expressionHint(source: string): string {
  const text = visibleControls(source.trim());
  const isShort = !text.includes("\n") && cells(text) <= 60;
  return isShort ? `To see its value: return ${text}` : "To see its value, put `return` before it.";
}

/**
 * No hint for ordinary script failures, whose message and traceback say everything, nor for scripts that the user
 * cancelled.
 */
function hintFor(code: string | undefined, message: string): string | undefined {
  if (code === undefined || !isErrorCode(code) || code.startsWith("SCRIPT_") || code === "CANCELLED")
    return undefined;
  if (message.includes(words.withoutData)) return "Add --data memory, or run it in Roblox Studio.";
  return errorCodes[code].cure;
}
