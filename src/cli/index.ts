/** The command line: takes the arguments, gives the exit code. It names no command; the catalog has them. */
import { describeCommand } from "../command-kit/words/command-help.ts";
import type { Command } from "../command-kit/definition.ts";
import { dispatchAsync } from "../command-kit/dispatch.ts";
import { commandText, overviewText } from "../command-kit/words/help-text.ts";
import { commands } from "../commands/index.ts";
import type { Surfaces } from "../command-kit/context.ts";
import { parseInput } from "../protocol/input.ts";
import { decodeScript } from "../files/script-source.ts";
import { flushLogAsync, setLogLevel } from "../log.ts";
import { StudioBridgeError } from "../protocol/errors.ts";
import { version } from "../version.ts";
import { checkWords } from "../command-kit/words/check-words.ts";
import type { ParsedWords } from "../command-kit/words/parse-words.ts";
import { respelled } from "../command-kit/words/respelled.ts";
import { completed } from "./defaults.ts";
import { CliEnvironment } from "./environment.ts";
import { asStudioBridgeError, errorJson, errorText } from "../output/error-text.ts";
import { Interruption } from "./interruption.ts";
import { optionsSchema } from "./options.ts";
import type { CliOptions } from "./options.ts";
import { OutputQueue } from "./output-queue.ts";
import { readAhead } from "./read-ahead.ts";
import type { ReadAhead } from "./read-ahead.ts";
import { routeAsync } from "./route.ts";
import { styleOf } from "../util/screen.ts";
import { visibleOnOneLine } from "../util/visible-controls.ts";
import { enterWorkingFolderAsync } from "./working-folder.ts";
import { writeFailureText } from "./write-failure.ts";

/** Resolves when the process may exit: everything printed has arrived, or a second signal asked not to wait. */
export async function runCliAsync(argv: readonly string[], surfaces: Surfaces): Promise<number> {
  using interruption = new Interruption();
  const output = new OutputQueue();
  const finishedAsync = async (): Promise<number> => {
    const line = new CommandLine(argv, output, interruption, surfaces);
    const exitCode = await line.runAsync();
    await output.drainAsync();
    const failure = output.failureOf(1);
    const isLost = failure !== undefined && failure !== "EPIPE";
    if (isLost) {
      output.write(2, `${writeFailureText(failure)}\n`);
      await output.drainAsync();
    }
    await flushLogAsync();
    if (interruption.exitCode !== undefined) return interruption.exitCode;
    return isLost && exitCode === 0 ? line.failureExitCode : exitCode;
  };
  return await Promise.race([finishedAsync(), interruption.hardExit]);
}

class CommandLine {
  readonly #argv: readonly string[];
  readonly #output: OutputQueue;
  readonly #interruption: Interruption;
  readonly #surfaces: Surfaces;
  #hints: Hints;
  /** The code for what could not be carried out. */
  failureExitCode: 1 | 2 = 1;

  constructor(argv: readonly string[], output: OutputQueue, interruption: Interruption, surfaces: Surfaces) {
    this.#argv = argv;
    this.#output = output;
    this.#interruption = interruption;
    this.#surfaces = surfaces;
    this.#hints = hintsIn(argv);
  }

  async runAsync(): Promise<number> {
    setLogLevel(this.#hints.verbose ? "debug" : "warn");
    try {
      const route = await routeAsync(this.#argv, commands);
      if (route.kind === "command") return await this.#runAsync(route.command, route);
      this.#print(route.kind === "version" ? version : await this.#overviewAsync());
      return 0;
    } catch (thrown) {
      return this.#fail(asStudioBridgeError(thrown));
    }
  }

  async #runAsync(
    command: Command,
    { leading, words }: { readonly leading: readonly string[]; readonly words: readonly string[] },
  ): Promise<number> {
    if (command.cli.raw !== undefined) this.#takeHints(hintsIn(leading));
    const checked = checkWords(command, words);
    await enterWorkingFolderAsync(command, checked);
    const ahead = readAhead(command, checked);
    const { runInTreeAsync } = await import("./tree.ts");
    return await runInTreeAsync(commands, command.name, checked, (parsed) =>
      this.#executeAsync(command, parsed, ahead),
    );
  }

  /** Behind the name of a command that reads its words itself, nothing is a flag of the command line. */
  #takeHints(hints: Hints): void {
    this.#hints = hints;
    setLogLevel(hints.verbose ? "debug" : "warn");
  }

  async #executeAsync(command: Command, parsed: ParsedWords, ahead: ReadAhead): Promise<number> {
    if (parsed.wantsHelp) {
      this.#print(commandText(describeCommand(command), this.#style(1)));
      return 0;
    }
    const { settings, unknownKeys } = await ahead.settings;
    this.#warn(unknownKeys);
    const { parsed: whole, defaultContext } = completed(command, parsed, settings);
    try {
      const options = { ...parseInput(optionsSchema, whole.options), defaultContext };
      return await this.#dispatchAsync(command, whole, options, ahead);
    } catch (thrown) {
      throw respelled(thrown, command, whole);
    }
  }

  async #dispatchAsync(
    command: Command,
    parsed: ParsedWords,
    options: CliOptions,
    { prover }: ReadAhead,
  ): Promise<number> {
    await using environment = new CliEnvironment(
      {
        output: this.#output,
        signal: this.#interruption.signal,
        leaveInterruptsToAsync: (work) => this.#interruption.leaveToAsync(work),
        catalog: commands,
        surfaces: this.#surfaces,
        stdoutStyle: this.#style(1),
        stderrStyle: this.#style(2),
        hostPart: command,
        prover,
      },
      options,
    );
    this.#interruption.graceMs = command.graceMs ?? this.#interruption.graceMs;
    const { stdinKey } = parsed;
    const input =
      stdinKey === undefined
        ? parsed.input
        : { ...parsed.input, [stdinKey]: decodeScript(await environment.readStdinAsync(), "stdin") };
    if (command.endsWithReader?.(input) === true) this.#output.onFailure(1, () => this.#interruption.abort());
    if (command.answersByExitCode?.(input) === true) this.failureExitCode = 2;
    const result = await dispatchAsync(command, input, environment);
    environment.stopStatus();
    const style = this.#style(1);
    if (!options.json && result.exact !== undefined && !style.isScreen) this.#output.write(1, result.exact);
    else if (!options.json) this.#print(result.text(style));
    else if (result.output !== undefined) this.#print(style.json(result.output));
    await environment.tellOldPluginAsync();
    return result.failed ? 1 : 0;
  }

  async #overviewAsync(): Promise<string> {
    const { default: overview } = await import("./overview.json", { with: { type: "json" } });
    return overviewText(overview, this.#style(1));
  }

  #warn(sentences: readonly string[]): void {
    if (this.#hints.json) return;
    for (const sentence of sentences)
      this.#output.write(2, `${this.#style(2).yellow(`Warning: ${visibleOnOneLine(sentence)}`)}\n`);
  }

  #print(text: string): void {
    if (text !== "") this.#output.write(1, `${text}\n`);
  }

  /** Prints the failure, unless it is only that the command has ended with the reader of stdout. */
  #fail(error: StudioBridgeError): number {
    if (this.#output.failureOf(1) !== undefined && error.code === "CANCELLED") return 0;
    const { json, verbose } = this.#hints;
    if (json) this.#print(this.#style(1).json(errorJson(error)));
    else this.#output.write(2, `${errorText(error, this.#style(2), verbose)}\n`);
    return Math.max(error.exitCode, this.failureExitCode);
  }

  #style(descriptor: 1 | 2) {
    return styleOf(descriptor, { prettyJson: this.#hints.pretty });
  }
}

/** How to print, known before anything else, so that the complaint about a wrong word is JSON too. */
interface Hints {
  readonly json: boolean;
  readonly verbose: boolean;
  /** Undefined where the words do not say. */
  readonly pretty: boolean | undefined;
}

function hintsIn(argv: readonly string[]): Hints {
  const end = argv.indexOf("--");
  const flags = end === -1 ? argv : argv.slice(0, end);
  return {
    json: flags.includes("--json"),
    verbose: flags.includes("--verbose"),
    pretty: flags.includes("--no-pretty") ? false : flags.includes("--pretty") ? true : undefined,
  };
}
