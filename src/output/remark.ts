/** A sentence beside the result of a command, on stderr. On a screen it breaks at spaces. */
import type { Style } from "../util/style.ts";
import { wrapLong } from "../util/text-width.ts";
import type { Emission } from "./emission.ts";

/** What `--quiet` does, for all commands that have it. */
export const QUIET_TEXT =
  "Leave out the remarks about the Studio: which context it is, and which events never fire in headless Studio";

export function remark(text: string, colour?: "yellow"): Emission {
  const paint = (style: Style, wrapped: string): string =>
    colour === undefined ? wrapped : style[colour](wrapped);
  return { stream: "stderr", text: (style) => paint(style, wrapLong(text, style.columns)) };
}
