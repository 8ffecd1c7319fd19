/** A sentence beside the result of a command, on stderr. On a screen it breaks at spaces. */
import type { Style } from "../util/style.ts";
import { wrapLong } from "../util/text-width.ts";
import type { Emission } from "./emission.ts";

export function remark(text: string, colour?: "yellow"): Emission {
  const paint = (style: Style, wrapped: string): string =>
    colour === undefined ? wrapped : style[colour](wrapped);
  return { stream: "stderr", text: (style) => paint(style, wrapLong(text, style.columns)) };
}
