/**
 * How text for people looks on one output: its width, whether it takes colour, and whether a person reads it. Holds
 * no state and prints nothing.
 */
import { visibleControls, visibleInJson } from "./visible-controls.ts";

interface StyleOptions {
  /** `Infinity` where nothing needs to fit, as in a file or a pipe. */
  readonly columns: number;
  readonly color: boolean;
  /** A person reads this as it appears. */
  readonly isScreen: boolean;
  readonly prettyJson: boolean;
  /** False for a screen that shows nothing but ASCII. */
  readonly hasUnicode?: boolean;
}

export interface Style extends StyleOptions {
  bold(text: string): string;
  dim(text: string): string;
  red(text: string): string;
  green(text: string): string;
  yellow(text: string): string;
  cyan(text: string): string;
  /** Text printed by a place: control characters become visible on a screen, bytes stay as they are elsewhere. */
  body(text: string): string;
  json(value: unknown): string;
}

export function createStyle(options: StyleOptions): Style {
  const paint = (open: number, close: number) => (text: string) =>
    color && text !== "" ? `\x1b[${open}m${text}\x1b[${close}m` : text;
  const { color, isScreen, prettyJson, hasUnicode = true } = options;
  return {
    color,
    isScreen,
    prettyJson,
    hasUnicode,
    get columns() {
      return options.columns;
    },
    bold: paint(1, 22),
    dim: paint(2, 22),
    red: paint(31, 39),
    green: paint(32, 39),
    yellow: paint(33, 39),
    cyan: paint(36, 39),
    body: (text) => (isScreen ? visibleControls(text) : text),
    json: (value) => {
      const text = JSON.stringify(value, null, prettyJson ? 2 : 0);
      return isScreen ? visibleInJson(text) : text;
    },
  };
}

/** Plain text of any width, for tests, logs and agents. */
export const plainStyle = createStyle({
  columns: Number.POSITIVE_INFINITY,
  color: false,
  isScreen: false,
  prettyJson: true,
});
