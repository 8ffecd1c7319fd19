/** What the command line gives to a command: a connection for this one run, the printer, stdin, the progress line. */
import type { BridgeConnection, ConnectOptions, HostInfo } from "../bridge/index.ts";
import { ownCaller } from "../command-kit/asker.ts";
import { authOffText, isAuthOff } from "../auth/auth-switch.ts";
import type { Catalog } from "../command-kit/catalog.ts";
import type { Emission } from "../output/emission.ts";
import type { Choice, SessionCommandContext } from "../command-kit/context.ts";
import type { Decision, DecisionAnswers } from "../output/decisions.ts";
import type { Environment } from "../command-kit/environment.ts";
import { SCRIPT_LIMIT_BYTES } from "../files/script-source.ts";
import type { Surfaces } from "../command-kit/context.ts";
import type { ScreenWords } from "../project/screen-choice.ts";
import type { SessionContext } from "../protocol/fields/contexts.ts";
import { isTerminal } from "../util/is-terminal.ts";
import { eraseRows, rowsOf, screenRows } from "../util/screen-rows.ts";
import type { Style } from "../util/style.ts";
import { visibleOnOneLine } from "../util/visible-controls.ts";
import { openKeys } from "./keys.ts";
import { connectOptions } from "./options.ts";
import type { CliOptions, HostPart } from "./options.ts";
import { hasOldPlugin, quietText, SLOW_HOST } from "../session/session-messages.ts";
import type { OutputQueue } from "./output-queue.ts";
import { Progress } from "./progress.ts";
import { readStdinAsync } from "./stdin.ts";
import { leaveHostBeforeStops } from "./suspension.ts";

interface Shell {
  readonly output: OutputQueue;
  readonly signal: AbortSignal;
  readonly catalog: Catalog;
  readonly surfaces: Surfaces;
  readonly stdoutStyle: Style;
  readonly stderrStyle: Style;
  /** Ctrl+C is not ours while this work lasts. */
  leaveInterruptsToAsync(work: Promise<void>): Promise<void>;
  readonly hostPart: HostPart;
  readonly prover: ConnectOptions["prover"];
}

export class CliEnvironment implements Environment, AsyncDisposable {
  readonly signal: AbortSignal;
  readonly catalog: Catalog;
  readonly #shell: Shell;
  readonly #options: CliOptions;
  readonly #progress: Progress;
  #bridge: Promise<BridgeConnection> | undefined;
  /** False once a terminal runs, because it reports the silence of a host itself. */
  #isListening = true;
  #hasWarned = false;
  /** How many rows of the screen the last emission takes, where the next may take its place. */
  #redrawnRows = 0;
  #isStdinTaken = false;

  constructor(shell: Shell, options: CliOptions) {
    this.signal = shell.signal;
    this.catalog = shell.catalog;
    this.#shell = shell;
    this.#options = options;
    this.#progress = new Progress(shell.stderrStyle, (text) => shell.output.write(2, text));
  }

  get isRemote(): boolean {
    return this.#options.remote !== undefined;
  }

  get commandLine() {
    const { surfaces, output } = this.#shell;
    return {
      surfaces: {
        ...surfaces,
        // What it draws comes after everything that was printed before.
        terminalAsync: async (context: SessionCommandContext) => {
          this.#progress.stop();
          this.#isListening = false;
          await output.drainAsync();
          return surfaces.terminalAsync(context);
        },
      },
      connectAsync: () => this.#connectAsync(),
      write: (text: string) => output.answer(text),
    };
  }

  get headless(): boolean {
    return this.#options.headless;
  }

  get defaultContext(): SessionContext | undefined {
    return this.#options.defaultContext;
  }

  get data(): string | undefined {
    return this.#options.data;
  }

  get throttle(): boolean {
    return this.#options.throttle;
  }

  get fixtures(): string | undefined {
    return this.#options.fixtures;
  }

  get walk(): boolean | undefined {
    return this.#options.walk;
  }

  get strictGeometry(): boolean {
    return this.#options.strictGeometry;
  }

  get memoryLimitMb(): number | undefined {
    return this.#options.memoryLimitMb;
  }

  get screen(): ScreenWords {
    const { viewport, insets, device, fonts } = this.#options;
    return { viewport, insets, device, fonts };
  }

  get placeFile(): string | undefined {
    return this.#options.place;
  }

  get patch() {
    const { inPlace, placeOutput: output } = this.#options;
    return { inPlace, output };
  }

  bridgeAsync(): Promise<BridgeConnection> {
    this.#bridge ??= this.#connectToTellAsync();
    return this.#bridge;
  }

  /** The last thing to call before the result is printed. */
  stopStatus(): void {
    this.#progress.stop();
  }

  readonly status = (text: string): void => this.#progress.show(text);

  readonly note = (text: string): void => {
    if (!this.#options.verbose) return;
    this.#progress.stop();
    const { output, stderrStyle } = this.#shell;
    const seconds = (performance.now() / 1000).toFixed(3);
    output.write(2, `${stderrStyle.dim(`[${seconds} s] ${visibleOnOneLine(text)}`)}\n`);
  };

  readonly emit = (emission: Emission): void => {
    const { stream, text, json, logged, isResult, isRedrawn = false, isTick = false } = emission;
    const { output, stdoutStyle, stderrStyle } = this.#shell;
    if (isTick && this.#redrawnRows === 0) return;
    // The command ends with the reader of stdout. Later output only describes that.
    if (output.failureOf(1) !== undefined && this.signal.aborted) return;
    if (this.#options.json) {
      const line = isResult === true ? stdoutStyle.json(json) : JSON.stringify(json);
      if (json !== undefined) output.write(1, `${line}\n`);
      return;
    }
    const isHidden = logged !== undefined && !this.#options.logs;
    if (text === undefined || isHidden) return;
    this.#progress.stop();
    const style = stream === "stdout" ? stdoutStyle : stderrStyle;
    const shown = text(style);
    const isRedrawing = isRedrawn && style.isScreen;
    const erasing = isRedrawing ? eraseRows(this.#redrawnRows, screenRows()) : "";
    output.write(stream === "stdout" ? 1 : 2, `${erasing}${shown}\n`);
    this.#redrawnRows = isRedrawing ? rowsOf(shown, style.columns) : 0;
  };

  readonly mayLaunchStudio = true;

  readonly confirmAsync = async (question: string): Promise<boolean | undefined> => {
    if (this.#options.yes) return true;
    await this.#settleAsync();
    const { confirmAsync } = await import("./confirm.ts");
    return confirmAsync(question, this.signal);
  };

  readonly chooseAsync = async (
    question: string,
    choices: readonly Choice[],
  ): Promise<string | undefined> => {
    const yes = this.#options.yes ? choices.find(({ isYes }) => isYes) : undefined;
    if (yes !== undefined) return yes.value;
    if (this.#options.json) return undefined;
    await this.#settleAsync();
    const { chooseAsync } = await import("./choose.ts");
    return chooseAsync(question, choices, this.signal);
  };

  readonly decideAsync = async (
    message: string,
    decisions: readonly Decision[],
  ): Promise<DecisionAnswers | undefined> => {
    if (this.#options.json) return undefined;
    await this.#settleAsync();
    const { decideAsync } = await import("./decide.ts");
    return decideAsync(message, decisions, this.signal, this.#shell.stderrStyle);
  };

  get isVerbose(): boolean {
    return this.#options.verbose;
  }

  get isJson(): boolean {
    return this.#options.json;
  }

  get openEditorAsync(): Environment["openEditorAsync"] {
    if (!isTerminal(0) || !isTerminal(1)) return undefined;
    return async (file) => {
      await this.#settleAsync();
      const { openTextEditorAsync } = await import("./text-editor.ts");
      await this.#shell.leaveInterruptsToAsync(openTextEditorAsync(file));
    };
  }

  get openKeys(): Environment["openKeys"] {
    return this.#options.json ? undefined : (hear) => openKeys(hear, () => this.#settleAsync());
  }

  /** Returns when all that was written is on the screen, and no line of progress is. */
  async #settleAsync(): Promise<void> {
    this.#progress.stop();
    await this.#shell.output.drainAsync();
  }

  readonly readStdinAsync = (): Promise<Uint8Array> => {
    this.#isStdinTaken = true;
    return readStdinAsync(SCRIPT_LIMIT_BYTES, this.signal);
  };

  /** The progress line would be drawn over what a person types. */
  readonly openStdin = (): ReadableStream<Uint8Array> | undefined => {
    if (this.#isStdinTaken) return undefined;
    this.#isStdinTaken = true;
    this.#progress.stop();
    return Bun.stdin.stream();
  };

  /** For after the result, so that nothing waits for it. */
  async tellOldPluginAsync(): Promise<void> {
    if (this.#bridge === undefined || this.#options.json) return;
    const sessions = await (await this.#bridge).sessionsAsync();
    if (!sessions.some(hasOldPlugin)) return;
    const note = await (await import("./old-plugin-note.ts")).oldPluginNoteAsync();
    if (note !== undefined) this.emit({ stream: "stderr", text: (style) => style.yellow(note) });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#progress.stop();
    const bridge = await this.#bridge?.catch(() => undefined);
    await bridge?.[Symbol.asyncDispose]();
  }

  async #connectToTellAsync(): Promise<BridgeConnection> {
    const bridge = await this.#connectAsync();
    bridge.onQuiet((isQuiet) => {
      if (this.#isListening) this.#remark(quietText(isQuiet));
    });
    return bridge;
  }

  async #connectAsync(): Promise<BridgeConnection> {
    if (isAuthOff() && !this.#hasWarned) {
      this.#hasWarned = true;
      this.#shell.output.write(2, `${this.#shell.stderrStyle.yellow(`Warning: ${authOffText()}`)}\n`);
    }
    this.status("Connecting to the bridge");
    const { BridgeConnection } = await import("../bridge/index.ts");
    const options = { ...this.#options, allowUnpaired: this.#options.allowUnpaired || isAuthOff() };
    const connection = await BridgeConnection.connectAsync({
      ...connectOptions(options, this.signal, this.#shell.hostPart),
      prover: this.#shell.prover,
      onStart: () => this.note("No bridge host answers; starting one that stays for later commands."),
      onSlowStart: () => this.#remark(SLOW_HOST),
    });
    this.note(`Connected to ${hostText(connection.host, options.remote)}.`);
    connection.onHostChange((host) => this.note(`The next is ${hostText(host, options.remote)}.`));
    leaveHostBeforeStops(connection);
    return connection.as({ caller: ownCaller() });
  }

  #remark(text: string): void {
    this.emit({ stream: "stderr", text: (style) => style.dim(text) });
  }
}

function hostText({ port, hostId, version, isOwn }: HostInfo, remote: string | undefined): string {
  if (isOwn) return `the bridge host of this very process, on port ${port}`;
  const where = remote === undefined ? `port ${port} of this machine` : remote;
  return `the bridge host ${hostId.slice(0, 8)} of sb ${version} on ${where}`;
}
