/** How a failed script is shown: the message, the line of source it names, the traceback, the next step. */
import type { ActionResult } from "../protocol/actions.ts";
import { errorCodes, isErrorCode } from "../protocol/errors.ts";
import type { Style } from "../util/style.ts";
import { fit } from "../util/text-width.ts";
import { visibleControls } from "../util/visible-controls.ts";

type Failure = Pick<ActionResult<"execute">, "error" | "errorInfo">;

/** Spec 2 §7 "Script error: …", then everything that helps to find the place. */
export function failureText(
  { error = "unknown error", errorInfo }: Failure,
  source: string,
  name: string | undefined,
  style: Style,
): string {
  const lines = [`${style.red(style.bold(leadFor(errorInfo?.code)))} ${style.body(error)}`];
  if (errorInfo?.line !== undefined && isAbout(error, name, errorInfo.line))
    lines.push(...sourceLine(source, errorInfo.line, style));
  const traceback = errorInfo?.traceback?.trimEnd() ?? "";
  // A single frame is the place that the message names already.
  if (traceback.includes("\n")) lines.push(style.dim(style.body(traceback)));
  const hint = hintFor(errorInfo?.code);
  if (hint !== undefined) lines.push(`${style.cyan("hint:")} ${hint}`);
  return lines.join("\n");
}

/** A line number may belong to a ModuleScript that the script required. */
function isAbout(error: string, name: string | undefined, line: number): boolean {
  return name === undefined ? error.includes(`:${line}:`) : error.includes(`${name}:${line}:`);
}

function sourceLine(source: string, line: number, style: Style): string[] {
  const text = source.split(/\r\n|\n|\r/)[line - 1];
  if (text === undefined || text.trim() === "") return [];
  const number = String(line);
  const shown = fit(
    visibleControls(text.replaceAll("\t", "  ")),
    Math.min(style.columns, 200) - number.length - 5,
  );
  const start = shown.length - shown.trimStart().length;
  const marker = " ".repeat(start) + "^".repeat(Bun.stringWidth(shown.trim()));
  return [
    `  ${style.dim(`${number} |`)} ${shown}`,
    `  ${style.dim(`${" ".repeat(number.length)} |`)} ${style.red(marker)}`,
  ];
}

/** A script that was stopped from outside made no error of its own. */
function leadFor(code: string | undefined): string {
  return code === "TIMEOUT" || code === "CANCELLED" ? "error:" : "Script error:";
}

/** The message and the traceback say all there is about an ordinary failure, and whoever cancels knows what next. */
function hintFor(code: string | undefined): string | undefined {
  if (code === undefined || !isErrorCode(code) || code.startsWith("SCRIPT_") || code === "CANCELLED")
    return undefined;
  return errorCodes[code].cure;
}
