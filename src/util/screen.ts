/** What stdout and stderr are connected to, and the style that follows from it. */
import { isTerminal } from "./is-terminal.ts";
import { createStyle } from "./style.ts";
import type { Style } from "./style.ts";

type Variables = { readonly [name: string]: string | undefined };

export function styleOf(
  descriptor: 1 | 2,
  { prettyJson }: { readonly prettyJson?: boolean | undefined } = {},
  variables: Variables = process.env,
): Style {
  const isScreen = isTerminal(descriptor);
  return createStyle({
    // Programs read what goes into a file or a pipe.
    prettyJson: prettyJson ?? isScreen,
    isScreen,
    color: wantsColor(isScreen, variables),
    hasUnicode: !isScreen || showsUnicode(variables),
    // Asked for only where something must fit: a terminal's width takes long to find out.
    get columns() {
      return columnsOf(descriptor, isScreen, variables);
    },
  });
}

/** FORCE_COLOR decides where it is set; else NO_COLOR, a dumb terminal and anything but a screen mean none. */
export function wantsColor(isScreen: boolean, variables: Variables): boolean {
  const { FORCE_COLOR: force, NO_COLOR: none, TERM: terminal } = variables;
  if (force !== undefined && force !== "") return force !== "0" && force !== "false";
  if (none !== undefined && none !== "") return false;
  return isScreen && terminal !== "dumb";
}

/** The console of Linux and old ones of Windows have no such signs, and a locale of C says that none are wanted. */
export function showsUnicode(variables: Variables, platform: string = process.platform): boolean {
  const { TERM: terminal, WT_SESSION: windowsTerminal, TERM_PROGRAM: program } = variables;
  if (platform === "win32") return [windowsTerminal, program, terminal].some((each) => (each ?? "") !== "");
  const locale = [variables["LC_ALL"], variables["LC_CTYPE"], variables["LANG"]].find(
    (each) => (each ?? "") !== "",
  );
  return terminal !== "linux" && locale !== "C" && locale !== "POSIX";
}

/** COLUMNS wins; a file or a pipe has no width. */
function columnsOf(descriptor: 1 | 2, isScreen: boolean, variables: Variables): number {
  const asked = Number(variables["COLUMNS"]);
  if (Number.isInteger(asked) && asked > 0) return asked;
  if (!isScreen) return Number.POSITIVE_INFINITY;
  const stream = descriptor === 1 ? process.stdout : process.stderr;
  return stream.columns > 0 ? stream.columns : 80;
}
