/** Draws the screen of a terminal as SVG: each line a text, each run of one style a part of it. */
import type { IBufferCell, IBufferLine, Terminal } from "@xterm/headless";

const FONT_SIZE = 13;
const CHARACTER_WIDTH = 7.82;
const LINE_HEIGHT = 19;
const MARGIN = 18;
const BACKGROUND = "#161b22";
const FOREGROUND = "#e6edf3";
/** Of the eight colours that sb uses, by their number. */
const colors: { readonly [number: number]: string } = {
  1: "#ff7b72",
  2: "#7ee787",
  3: "#e3b341",
  6: "#76e3ea",
};

interface Run {
  readonly style: string;
  text: string;
}

export function screenAsSvg(screen: Terminal): string {
  const lines = linesOf(screen);
  const width = Math.ceil(screen.cols * CHARACTER_WIDTH + 2 * MARGIN);
  const height = lines.length * LINE_HEIGHT + 2 * MARGIN;
  const rows = lines.flatMap((runs, index) => {
    const y = MARGIN + (index + 1) * LINE_HEIGHT - 5;
    const parts = runs.map(({ style, text }) => `<tspan${style}>${escaped(text)}</tspan>`).join("");
    return parts === "" ? [] : [`<text x="${MARGIN}" y="${y}" xml:space="preserve">${parts}</text>`];
  });
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">`,
    "<title>sb runs a script, shows where another one fails, and answers in its terminal</title>",
    `<rect width="100%" height="100%" rx="8" fill="${BACKGROUND}"/>`,
    `<g fill="${FOREGROUND}" font-size="${FONT_SIZE}" font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace">`,
    ...rows,
    "</g>",
    "</svg>",
  ].join("\n")}\n`;
}

/** Down to the last one that shows something. */
function linesOf({ buffer: { active } }: Terminal): Run[][] {
  const lines = Array.from({ length: active.length }, (_, index) => {
    const line = active.getLine(index);
    return line === undefined ? [] : runsOf(line);
  });
  return lines.slice(0, lines.findLastIndex((runs) => runs.length > 0) + 1);
}

function runsOf(line: IBufferLine): Run[] {
  const runs: Run[] = [];
  const length = line.translateToString(true).length;
  for (let column = 0; column < length; column += 1) {
    const cell = line.getCell(column);
    if (cell === undefined) continue;
    const [style, text] = [styleOf(cell), cell.getChars() || " "];
    const last = runs.at(-1);
    if (last?.style === style) last.text += text;
    else runs.push({ style, text });
  }
  return runs;
}

function styleOf(cell: IBufferCell): string {
  const color = cell.isFgPalette() ? colors[cell.getFgColor()] : undefined;
  return [
    ...(color === undefined ? [] : [` fill="${color}"`]),
    ...(cell.isBold() === 0 ? [] : [' font-weight="bold"']),
    ...(cell.isDim() === 0 ? [] : [' opacity="0.6"']),
  ].join("");
}

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
