/** Finds which command a command line means. Flags before the command are allowed and belong to it. */
import type { Catalog } from "../command-kit/catalog.ts";
import type { Command } from "../command-kit/definition.ts";
import type { CommandFacts } from "../command-kit/facts.ts";
import { everySharedFlag, flagSections } from "../command-kit/words/shared-flags.ts";
import { guessCommands } from "../command-kit/words/other-words.ts";
import { familyOf, secondWordFault } from "../command-kit/words/families.ts";
import { invalidInput } from "../protocol/messages.ts";
import { nearest } from "../util/nearest.ts";

type Route =
  | { readonly kind: "overview" | "version" }
  | {
      readonly kind: "command";
      readonly command: Command;
      /** The flags before the command, which are among its words too. */
      readonly leading: readonly string[];
      readonly words: readonly string[];
    };

const SEE_HELP = "See `sb --help`.";

/** Throws INVALID_INPUT for a word that is no command and for a leading flag that none has. */
export async function routeAsync(argv: readonly string[], catalog: Catalog): Promise<Route> {
  const index = commandIndex(argv);
  const leading = argv.slice(0, index);
  const word = argv[index];
  if (word === undefined || word === "--") {
    if (leading.some((flag) => flag === "--version" || flag === "-V")) return { kind: "version" };
    if (word === undefined) return { kind: "overview" };
    throw invalidInput("Name a command before --.", SEE_HELP);
  }
  const single = await catalog.findAsync(word);
  const nextIndex = secondWordIndex(single, argv, index + 1);
  const next = argv[nextIndex];
  const longer = await catalog.findAsync(`${word} ${next}`);
  const command = longer ?? single;
  const isFamily = command === undefined && catalog.names.some((name) => name.startsWith(`${word} `));
  if (isFamily && ["--help", "-h"].includes(argv[index + 1] ?? "")) return helpOfAsync(word, catalog);
  const behind = (hasSecond: boolean) =>
    argv.filter((_, at) => at > index && !(hasSecond && at === nextIndex));
  if (command !== undefined)
    return { kind: "command", command, leading, words: [...leading, ...behind(longer !== undefined)] };
  const commands = await catalog.allAsync();
  const older = commands.find(({ cli }) => cli.olderNames?.includes(`${word} ${next}`) === true);
  if (older === undefined) throw unknownCommand(word, next, commands);
  return { kind: "command", command: older, leading, words: [...leading, ...behind(true)] };
}

/** `sb script --help` is `sb help script`. */
async function helpOfAsync(family: string, catalog: Catalog): Promise<Route> {
  const command = await catalog.findAsync("help");
  if (command === undefined) throw new Error("there is no command help");
  return { kind: "command", command, leading: [], words: [family] };
}

/**
 * Where the first word that is no flag stands behind the first word of a command: `status` of `sb sync --json status`,
 * `read` of `sb script --port 5 read`. It may make it a command of two words.
 */
function secondWordIndex(command: CommandFacts | undefined, argv: readonly string[], from: number): number {
  if (command?.cli.raw !== undefined) return from;
  const flags =
    command === undefined ? everySharedFlag : flagSections(command).flatMap((section) => section.flags);
  let index = from;
  for (; index < argv.length; index++) {
    const word = argv[index] ?? "";
    if (word === "--" || !word.startsWith("-") || word === "-") return index;
    const flag = flags.find(({ name, alias }) => word === `--${name}` || word === `-${alias}`);
    if (flag !== undefined && flag.kind !== "boolean" && flag.bareValue === undefined) index += 1;
  }
  return index;
}

/** Skips leading flags and their values. */
function commandIndex(argv: readonly string[]): number {
  let index = 0;
  for (; index < argv.length; index++) {
    const word = argv[index] ?? "";
    if (word === "--" || !word.startsWith("-") || word === "-") return index;
    const [spelled = ""] = word.split("=");
    const flag = everySharedFlag.find(
      ({ name, alias }) => spelled === `--${name}` || spelled === `-${alias}`,
    );
    if (flag !== undefined) index += flag.kind === "boolean" || word.includes("=") ? 0 : 1;
    else if (word !== "--version" && word !== "-V" && !spelled.startsWith("--no-"))
      throw unknownFlag(spelled);
  }
  return index;
}

function unknownFlag(spelled: string) {
  const guess = nearest(spelled, ["--version", ...everySharedFlag.map(({ name }) => `--${name}`)]);
  const question = guess === undefined ? "" : ` Did you mean ${guess}?`;
  return invalidInput(`Unknown flag ${spelled}.${question}`, SEE_HELP);
}

function unknownCommand(word: string, next: string | undefined, commands: readonly CommandFacts[]) {
  const group = commands
    .flatMap(({ cli }) => cli.olderNames ?? [])
    .filter((older) => older.startsWith(`${word} `));
  if (group.length > 0) {
    const isNamed = next !== undefined && !next.startsWith("-");
    const message = isNamed ? `Unknown command "${word} ${next}".` : `sb ${word} needs a second word.`;
    return invalidInput(message, `Commands: ${group.join(", ")}.`);
  }
  const visible = commands.filter(({ cli }) => cli.hidden !== true);
  const family = familyOf(word, visible);
  if (family.length > 0) {
    const { message, hint } = secondWordFault(word, next, family, (words) => `sb ${words}`);
    return invalidInput(message, hint);
  }
  const shown = visible.map(({ name }) => name);
  const message = `Unknown command ${JSON.stringify(word)}.`;
  const guesses = guessCommands(word, shown);
  if (guesses.length > 0) {
    const help = guesses.map((name) => `\`sb help ${name}\``).join(" and ");
    return invalidInput(`${message} Did you mean ${guesses.join(" or ")}?`, `See ${help}.`);
  }
  if (/\.luau?$/.test(word)) return invalidInput(message, `To run a file: sb run ${word}`);
  return invalidInput(message, SEE_HELP);
}
