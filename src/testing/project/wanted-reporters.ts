/** Reads `--reporter NAME[=FILE]`, and adds the default reporters for a terminal, a coding agent and GitHub Actions. */
import { resolve } from "node:path";
import { invalidInput } from "../../protocol/messages.ts";
import { isTerminal } from "../../util/is-terminal.ts";
import { parsedJson } from "../../util/parsed-json.ts";
import { nearest } from "../../util/nearest.ts";
import { visibleOnOneLine } from "../../util/visible-controls.ts";
import { type ReporterName, reporterNames, type WantedReporter } from "../report/reporters.ts";

/** The spelling of `--reporter`. */
export const reporterSpelling = {
  name: "reporter",
  kind: "repeats",
  label: "NAME[=FILE]",
  values: reporterNames,
} as const;

type Variables = { readonly [name: string]: string | undefined };

/** Reports for people and agents. Annotations for GitHub can stand between their lines. */
const READ_BY_PEOPLE: readonly ReporterName[] = ["pretty", "line", "agent"];

/**
 * The reporters of a run. A reporter with a file does not replace the default one on the screen; one without a file does, except
 * `github`, which adds its annotations. GitHub Actions gets them without being asked, unless another program reads the screen.
 */
export function wantedReporters(
  words: readonly string[],
  variables: Variables = process.env,
  isScreen: boolean = isTerminal(1),
): readonly WantedReporter[] {
  const wanted = words.map(wantedReporter);
  checkFiles(wanted);
  const onScreen = wanted.filter(
    ({ name, file }) => file === undefined && name !== "github" && name !== "exec",
  );
  if (onScreen.length > 1)
    throw invalidInput(
      `Only one reporter can have the screen, and ${onScreen.map(({ name }) => name).join(", ")} were named.`,
      "Give the others a file: --reporter junit=report.xml.",
    );
  const screen = onScreen[0] ?? { name: isAgent(variables) ? "agent" : isScreen ? "pretty" : "line" };
  const github = wanted.filter(({ name }) => name === "github");
  const isAdded = variables["GITHUB_ACTIONS"] === "true" && READ_BY_PEOPLE.includes(screen.name);
  return [
    ...wanted.filter((reporter) => reporter !== screen && !github.includes(reporter)),
    screen,
    // After the screen's report, so that the annotations stand below the counts.
    ...(github.length === 0 && isAdded ? [{ name: "github" } as const] : github),
  ];
}

/** The later of two reports in one file would replace the earlier one. */
function checkFiles(wanted: readonly WantedReporter[]): void {
  const files = wanted.flatMap(({ file }) => file ?? []);
  const twice = files.find((file, index) => files.indexOf(file) !== index);
  if (twice === undefined) return;
  const names = wanted.filter(({ file }) => file === twice).map(({ name }) => name);
  throw invalidInput(
    `The reporters ${names.join(" and ")} would write the same file, ${visibleOnOneLine(twice)}.`,
    "Give each a file of its own.",
  );
}

/** Throws INVALID_INPUT if both `--json` and a reporter without a file want the screen. */
export function checkScreen(words: readonly string[], isJson: boolean): void {
  const other = words
    .map(wantedReporter)
    .find(({ name, file }) => file === undefined && name !== "json" && name !== "exec");
  if (!isJson || other === undefined) return;
  throw invalidInput(
    `Cannot use --json with --reporter ${other.name}, because both take the screen.`,
    `Leave out one of them, or write --reporter ${other.name}=FILE.`,
  );
}

function wantedReporter(word: string): WantedReporter {
  const at = word.indexOf("=");
  const [name, file] = at < 0 ? [word, undefined] : [word.slice(0, at), word.slice(at + 1)];
  if (!isReporter(name)) {
    const guess = nearest(name, reporterNames);
    throw invalidInput(
      `There is no reporter ${name === "" ? '""' : name}${guess === undefined ? "" : `; did you mean ${guess}?`}`,
      `Reporters: ${reporterNames.join(", ")}.`,
    );
  }
  if (name === "exec") return { name, argv: argvOf(file ?? "") };
  if (name === "html" && file === undefined)
    throw invalidInput("--reporter html writes a page, which needs a file.", "Write --reporter html=FILE.");
  if (file === "")
    throw invalidInput(`--reporter ${word} names no file.`, `Write ${name}=FILE, or ${name} alone.`);
  return file === undefined ? { name } : { name, file: resolve(file) };
}

/** The words of a program: a JSON list, or words between spaces. There is no shell, so that quotes mean nothing. */
function argvOf(text: string): readonly string[] {
  const words = text.startsWith("[") ? listIn(text) : text.split(" ").filter((word) => word !== "");
  if (words !== undefined && words.length > 0 && words[0] !== "") return words;
  throw invalidInput(
    "--reporter exec needs a program.",
    `Write --reporter exec='node report.js', or as a list: --reporter exec='["node","my report.js"]'.`,
  );
}

function listIn(text: string): readonly string[] | undefined {
  const value = parsedJson(text);
  return Array.isArray(value) && value.every((word) => typeof word === "string") ? value : undefined;
}

const isReporter = (name: string): name is ReporterName => reporterNames.some((known) => known === name);

/** Variables that coding agents set for the commands that they run. */
const AGENT_VARIABLES = ["CLAUDECODE", "CURSOR_AGENT", "CODEX_SANDBOX", "GEMINI_CLI", "AGENT"];

const isAgent = (variables: Variables): boolean =>
  AGENT_VARIABLES.some((name) => (variables[name] ?? "") !== "");
