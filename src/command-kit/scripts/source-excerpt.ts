/** A line of source with a mark below it, as errors show it. */
import type { Style } from "../../util/style.ts";
import { fit } from "../../util/text-width.ts";
import { visibleControls } from "../../util/visible-controls.ts";

/** Empty for a line that does not exist or has nothing to show. A source that ends too early is marked behind its end. */
export function sourceExcerpt(source: string, namedLine: number, style: Style): string[] {
  const all = source.split(/\r\n|\n|\r/);
  const last = all.findLastIndex((each) => each.trim() !== "") + 1;
  const line = Math.min(namedLine, last);
  const text = all[line - 1];
  if (text === undefined || text.trim() === "") return [];
  const number = String(line);
  const shown = fit(
    visibleControls(text.replaceAll("\t", "  ")),
    Math.min(style.columns, 200) - number.length - 5,
  );
  const start = shown.length - shown.trimStart().length;
  const marker =
    namedLine > last
      ? `${" ".repeat(Bun.stringWidth(shown.trimEnd()))}^`
      : " ".repeat(start) + "^".repeat(Bun.stringWidth(shown.trim()));
  return [
    `  ${style.dim(`${number} |`)} ${shown}`,
    `  ${style.dim(`${" ".repeat(number.length)} |`)} ${style.red(marker)}`,
  ];
}
