/**
 * Fills in what the words of a command leave open: first from the environment (SB_PORT, SB_SESSION), then from the
 * project file. A flag always comes first.
 */
import type { CommandFacts } from "../command-kit/facts.ts";
import { findProjectFileAsync } from "../project/find-project-file.ts";
import type { ProjectSettings } from "../project/project-settings.ts";
import type { ParsedWords } from "../command-kit/words/parse-words.ts";
import { flagSections } from "../command-kit/words/shared-flags.ts";

export interface CompletedWords {
  readonly parsed: ParsedWords;
  /** The context that commands of this project work in, in place of each command's own. */
  readonly defaultContext: ProjectSettings["context"];
}

/** A value for a flag that was not typed, and the name that errors give to where it is from. */
interface Default {
  readonly flag: string;
  readonly value: string | number | boolean;
  readonly origin: string;
}

type Variables = { readonly [name: string]: string | undefined };

/** `settings`: as `settingsForAsync` gives them. */
export function completed(
  command: CommandFacts,
  parsed: ParsedWords,
  settings: ProjectSettings,
  variables: Variables = process.env,
): CompletedWords {
  if (parsed.wantsHelp || !reachesStudio(command)) return { parsed, defaultContext: undefined };
  const { SB_PORT: variablePort = "", SB_SESSION: session = "" } = variables;
  const { headless, remote } = parsed.options;
  const isGiven = (key: string): boolean =>
    Object.hasOwn(parsed.options, key) || Object.hasOwn(parsed.input, key);
  const opensOwn = headless === true || parsed.options["place"] !== undefined;
  const defaults: Default[] = [];
  if (remote === undefined && !isGiven("port")) {
    const value = variablePort === "" ? settings.port : numberIn(variablePort);
    if (value !== undefined)
      defaults.push({ flag: "port", value, origin: variablePort === "" ? "port" : "SB_PORT" });
  }
  if (session !== "" && !opensOwn && parsed.input["instanceId"] === undefined)
    defaults.push({ flag: "session", value: session, origin: "SB_SESSION" });
  const place = headless === true && !isGiven("place") ? settings.place : undefined;
  if (place !== undefined) defaults.push({ flag: "place", value: place, origin: "place" });
  const usesData =
    (headless === true || isAlwaysHeadless(command)) && hasFlag(command, "data") && !isGiven("data");
  const data = usesData ? settings.data : undefined;
  if (data !== undefined) defaults.push({ flag: "data", value: data, origin: "data" });
  const usesFixtures =
    (headless === true || isAlwaysHeadless(command)) && hasFlag(command, "fixtures") && !isGiven("fixtures");
  const fixtures = usesFixtures ? settings.fixtures : undefined;
  if (fixtures !== undefined) defaults.push({ flag: "fixtures", value: fixtures, origin: "fixtures" });
  const isHeadless = headless === true || isAlwaysHeadless(command);
  for (const flag of SETTING_FLAGS) {
    const value = isHeadless && hasFlag(command, flag) && !isGiven(flag) ? settings[flag] : undefined;
    if (value !== undefined) defaults.push({ flag, value, origin: flag });
  }
  return {
    parsed: defaults.reduce((words, each) => filled(command, words, each), parsed),
    defaultContext: command.target === "session" && !isGiven("context") ? settings.context : undefined,
  };
}

/** A bridge host that is started by hand stays, and needs no target; other commands without one stay on this machine. */
const reachesStudio = ({ target, stays, cli }: CommandFacts) =>
  target !== "none" || stays === true || cli.mayConnect === true;

/** Settings of the same names as the flags. */
const SETTING_FLAGS = ["viewport", "insets", "device", "walk"] as const;

/** A command that starts headless Studios and nothing else has no flag for it. */
const isAlwaysHeadless = (command: CommandFacts) => !hasFlag(command, "headless");

const hasFlag = (command: CommandFacts, flag: string): boolean =>
  flagSections(command).some(({ flags }) => flags.some(({ name }) => name === flag));

export interface FoundSettings {
  readonly settings: ProjectSettings;
  /** Sentences about keys of the file that say nothing. */
  readonly unknownKeys: readonly string[];
}

export const noSettings: FoundSettings = { settings: {}, unknownKeys: [] };

/** None for a command that uses none. Throws INVALID_INPUT for a file that cannot be read. */
export async function settingsForAsync(
  command: CommandFacts,
  folder = process.cwd(),
): Promise<FoundSettings> {
  if (!reachesStudio(command)) return noSettings;
  const found = await findProjectFileAsync(folder);
  if (found === undefined) return noSettings;
  const { settingsIn, unknownKeysIn } = await import("../project/project-settings.ts");
  return { settings: settingsIn(found), unknownKeys: unknownKeysIn(found) };
}

/** The schema says what is wrong with a text that is no number. */
function numberIn(text: string): number | string {
  return /^\d+$/.test(text) ? Number(text) : text;
}

/** Leaves a flag alone that the command does not have, or whose field is set. */
function filled(
  command: CommandFacts,
  parsed: ParsedWords,
  { flag: name, value, origin }: Default,
): ParsedWords {
  const flag = flagSections(command)
    .flatMap(({ flags }) => flags)
    .find((each) => each.name === name);
  if (flag === undefined) return parsed;
  const scope = flag.scope === "option" ? "options" : "input";
  const set = flag.sets(value);
  const keys = Object.keys(set);
  if (keys.some((key) => Object.hasOwn(parsed[scope], key))) return parsed;
  return {
    ...parsed,
    [scope]: { ...parsed[scope], ...set },
    nameOf: (key) => (keys.includes(key) ? origin : parsed.nameOf(key)),
  };
}
