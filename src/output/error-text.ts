/** Writes a failure for people and for programs. It shows a stack trace only on request. */
import { issuesOf } from "../protocol/input.ts";
import { StudioBridgeError } from "../protocol/errors.ts";
import { NoHomeFolderError } from "../util/home-folder.ts";
import type { Style } from "../util/style.ts";
import { wrapLong } from "../util/text-width.ts";

export function asStudioBridgeError(error: unknown): StudioBridgeError {
  if (error instanceof StudioBridgeError) return error;
  if (error instanceof NoHomeFolderError)
    return new StudioBridgeError("FILE_ERROR", error.message, {
      hint: "Set HOME to a folder of your own.",
      cause: error,
    });
  const message = error instanceof Error ? error.message : String(error);
  return new StudioBridgeError("INTERNAL_ERROR", message, { cause: error });
}

/** `error:` and `hint:` lines, and with `verbose` the code, what caused it, and where in the source that was. */
export function errorText(error: StudioBridgeError, style: Style, verbose: boolean): string {
  const lines = [`${style.red(style.bold("error:"))} ${style.body(error.message)}`];
  if (error.hint !== "" && error.code !== "CANCELLED") lines.push(`${style.cyan("hint:")} ${error.hint}`);
  if (verbose) lines.push(style.dim(style.body(`${error.code}\n${stackOf(error)}`.trimEnd())));
  return wrapLong(lines.join("\n"), style.columns);
}

export function errorJson(error: StudioBridgeError): { readonly error: unknown } {
  const { code, message, hint, data, outcome } = error;
  const facts = issuesOf(error).length > 0 ? {} : data;
  return {
    error: {
      code,
      message,
      hint,
      ...(outcome === undefined ? {} : { outcome }),
      ...(Object.keys(facts).length === 0 ? {} : { data: facts }),
    },
  };
}

/** A frame's position in the source; the names of a compiled program's functions mean nothing. */
const SOURCE_POSITION = /((?:src|node_modules)\/[^():]+:\d+:\d+)\)?$/;

function stackOf(error: Error): string {
  const frames = (error.stack ?? "").split("\n").flatMap((line) => {
    const [, position] = SOURCE_POSITION.exec(line.trim().replaceAll("\\", "/")) ?? [];
    return line.trimStart().startsWith("at ") && position !== undefined ? [`    at ${position}`] : [];
  });
  if (!(error.cause instanceof Error)) return frames.join("\n");
  const cause = `caused by ${error.cause.message}`;
  return [...frames, cause, stackOf(error.cause)].filter((line) => line !== "").join("\n");
}
