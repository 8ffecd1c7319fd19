/** A failure that the plugin reports, in the words of commands: with paths as people write them. */
import { StudioBridgeError } from "../protocol/errors.ts";
import { invalidInput } from "../protocol/messages.ts";
import { visibleOnOneLine } from "../util/visible-controls.ts";
import { shownPath, withoutGame } from "../tree/instance-path.ts";

export function inCommandWords(error: unknown): unknown {
  if (!(error instanceof StudioBridgeError)) return error;
  const fault = pathFault(error.code, error.message, error.data["details"]);
  if (fault !== undefined)
    return invalidInput(
      fault,
      'Names are joined by dots; a name with a dot or bracket is written ["a.b"], the second of a name Part[2].',
    );
  const message = withoutGame(error.message);
  if (message === error.message) return error;
  const { code, hint, data, outcome } = error;
  return new StudioBridgeError(code, message, {
    hint,
    data,
    cause: error,
    ...(outcome === undefined ? {} : { outcome }),
  });
}

/** What is wrong with a text that is no path; undefined where a failure is about something else. */
export function pathFault(code: string, message: string, details: unknown): string | undefined {
  const path: unknown = Object(details).path;
  const [, fault] = /^payload\.path: (.+)/s.exec(message) ?? [];
  if (code !== "INVALID_PAYLOAD" || fault === undefined || typeof path !== "string") return undefined;
  const shown = shownPath(path);
  // The plugin counts characters in the path as it was sent.
  const left = path.length - shown.length;
  const reason = fault.replace(/(?<=at character )\d+/, (position) => String(Number(position) - left));
  return `Not a path: ${visibleOnOneLine(shown)}: ${visibleOnOneLine(reason)}`;
}
