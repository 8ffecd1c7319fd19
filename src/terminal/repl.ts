/**
 * One terminal's state and the only way from a typed line to a command: which session it is attached to, what runs now,
 * whether the last line failed. How lines come in and how text goes out is for its callers.
 */
import type { BridgeConnection } from "../bridge/index.ts";
import type { Command } from "../command-kit/definition.ts";
import type { CommandResult } from "../command-kit/dispatch.ts";
import type { Emission } from "../output/emission.ts";
import type { SessionCommandContext } from "../command-kit/context.ts";
import { dispatchAsync, nothingToShow } from "../command-kit/dispatch.ts";
import type { Environment } from "../command-kit/environment.ts";
import { asStudioBridgeError, errorJson, errorText } from "../output/error-text.ts";
import { contextTitle } from "../session/session-messages.ts";
import { respelled } from "../command-kit/words/respelled.ts";
import type { Surfaces } from "../command-kit/context.ts";
import type { TerminalRecord } from "../command-kit/surfaces/terminal-record.ts";
import {
  contextsText,
  type Followed,
  followedIn,
  followedOf,
  namedContext,
  noContext,
  whereText,
} from "./followed-context.ts";
import { StudioBridgeError } from "../protocol/errors.ts";
import { isOneCommandsOwn } from "../protocol/launch-id.ts";
import type { SessionInfo } from "../protocol/network.ts";
import { plainStyle } from "../util/style.ts";
import type { Style } from "../util/style.ts";
import { visibleOnOneLine } from "../util/visible-controls.ts";
import { dotVoice, inDotWords, isDotLine, namesDotCommand, parseDotLine } from "./dot-line.ts";
import { dotCommands } from "./dot-commands.ts";
import { LostLocals } from "./lost-locals.ts";

interface ReplScreen {
  show(emission: Emission): void;
  clear(): void;
  /** Shows what goes on while nothing is printed yet; an empty text ends that. */
  status(text: string): void;
  /** The terminal is attached to this session from now on, or to none. */
  attached(session: SessionInfo | undefined): void;
}

interface Running {
  readonly controller: AbortController;
  readonly isDotLine: boolean;
  showsLog: boolean;
}

export type Submitted = "done" | "more";

export class Repl {
  readonly bridge: BridgeConnection;
  /** Every dot-command. */
  readonly catalog: readonly Command[];
  /** True once any line has failed. */
  hasFailed = false;
  isExiting = false;
  /** The session has ended, but may come back. */
  isLost = false;
  #session: SessionInfo | undefined;
  /** The context that lines run in where a test has it; undefined for a terminal that stays in its session. */
  #followed: Followed | undefined;
  readonly #base: SessionCommandContext;
  readonly #screen: ReplScreen;
  readonly #typed: Command | undefined;
  /** The sessions that scripts ran in, which hold their globals. */
  readonly #ranIn = new Set<string>();
  readonly #locals = new LostLocals();
  #running: Running | undefined;

  constructor(base: SessionCommandContext, commands: readonly Command[], screen: ReplScreen) {
    this.bridge = base.bridge;
    this.#base = base;
    this.#screen = screen;
    this.session = base.session;
    this.#followed = followedOf(base);
    this.#typed = commands.find(({ typed }) => typed !== undefined);
    const shared = commands.filter(({ surfaces }) => surfaces.includes("terminal"));
    const controls = {
      contextAsync: (word: string | undefined) => this.#contextAsync(word),
      disconnect: () => this.#disconnect(),
      clear: () => screen.clear(),
      exit: () => {
        this.isExiting = true;
      },
    };
    this.catalog = dotCommands(controls, shared);
  }

  /** Undefined after `.disconnect`. */
  get session(): SessionInfo | undefined {
    return this.#session;
  }

  set session(session: SessionInfo | undefined) {
    this.#session = session;
    this.#screen.attached(session);
  }

  /** A dot-command is running, such as a followed log, which Enter may end. */
  get isDotLineRunning(): boolean {
    return this.#running?.isDotLine === true;
  }

  /** The running command prints Studio's log itself, so that the terminal must not print it again. */
  get isLogShown(): boolean {
    return this.#running?.showsLog === true;
  }

  /** Never rejects: what fails is shown. `more`: the text is not finished, and nothing of it ran. */
  async submitAsync(text: string): Promise<Submitted> {
    if (text.trim() === "") return "done";
    const controller = new AbortController();
    await this.followAsync();
    this.#running = { controller, isDotLine: isDotLine(text), showsLog: false };
    try {
      const result = isDotLine(text)
        ? await this.#dotAsync(text, controller.signal)
        : await this.#typedAsync(text, controller.signal);
      if (result.isIncomplete) return "more";
      const lost = isDotLine(text) ? undefined : this.#locals.note(text);
      if (lost !== undefined) this.say(lost);
      if (result.failed) this.hasFailed = true;
      const { output } = result;
      this.#record({ input: text, success: !result.failed, ...(output === undefined ? {} : { output }) });
      return "done";
    } catch (thrown) {
      this.#fail(text, inDotWords(asStudioBridgeError(thrown), this.catalog));
      return "done";
    } finally {
      this.#running = undefined;
      await this.followAsync();
      this.#screen.status("");
    }
  }

  /**
   * Goes to the context that is followed, if a test has it by now, and back to the edited place when there is none. False if
   * there is no session to go to. A line that runs stays where it is.
   */
  async followAsync(): Promise<boolean> {
    const [followed, current] = [this.#followed, this.session];
    if (followed === undefined || current === undefined || this.#running !== undefined) return false;
    const sessions = await this.bridge.sessionsAsync().catch(() => []);
    const found = followedIn(sessions, current, followed);
    if (found === undefined || current !== this.session) return false;
    if (found.sessionId === current.sessionId && !this.isLost) this.session = found;
    else this.#take(found, `Now in ${whereText(found)}.`);
    return true;
  }

  /** Shows the contexts, or goes to one of them and follows it. */
  async #contextAsync(word: string | undefined): Promise<string> {
    const current = this.session;
    if (current === undefined) throw notConnected();
    const sessions = await this.bridge.sessionsAsync();
    const own = sessions.filter(({ instanceId }) => instanceId === current.instanceId);
    if (word === undefined) return contextsText(own, current);
    const wanted = followedIn(own, current, namedContext(word), true);
    if (wanted === undefined) throw noContext(word, own);
    this.#followed = namedContext(word);
    this.session = wanted;
    return `Now in ${whereText(wanted)}.`;
  }

  /** Below unfinished text a line must be the name of a dot-command to be one, because `.Parent` is Luau there. */
  isDotCommand(line: string): boolean {
    return isDotLine(line) && namesDotCommand(line, this.catalog);
  }

  /** Cancels the line that runs. False if none does. */
  cancel(): boolean {
    this.#running?.controller.abort();
    return this.#running !== undefined;
  }

  /** Reports text that is still unfinished at the end of the input. */
  giveUp(text: string): void {
    const [first = ""] = text.trim().split("\n");
    this.#fail(text, unfinished(first));
  }

  say(text: string): void {
    this.#screen.show({ stream: "stderr", text: (style) => style.dim(text) });
  }

  attach(session: SessionInfo): void {
    const former = this.isLost ? undefined : this.session;
    if (former !== undefined && former.sessionId !== session.sessionId)
      this.say(`Disconnected from ${nameOf(former)}`);
    this.#take(session, connectedText(session));
  }

  /** Goes on with the session that was lost, or with the one that replaces it. */
  takeUp(session: SessionInfo): void {
    this.#take(session, `${nameOf(session)} is back. ${connectedText(session)}.`);
  }

  #take(session: SessionInfo, text: string): void {
    this.session = session;
    this.isLost = false;
    const isNew = this.#ranIn.size > 0 && !this.#ranIn.has(session.sessionId);
    this.say(isNew ? `${text}\nGlobals that earlier scripts made are not here.` : text);
  }

  #fail(input: string, error: StudioBridgeError): void {
    this.hasFailed = true;
    this.#screen.show({ stream: "stderr", text: (style) => errorText(error, style, false) });
    this.#record({ input, success: false, ...errorJson(error) });
  }

  #record(json: TerminalRecord): void {
    this.#screen.show({ stream: "stdout", json });
  }

  async #dotAsync(text: string, signal: AbortSignal): Promise<CommandResult> {
    const { command, parsed } = parseDotLine(text, this.catalog);
    if (parsed.wantsHelp) {
      await this.submitAsync(`.help ${command.name}`);
      return nothingToShow;
    }
    try {
      const result = await this.#dispatchAsync(command, parsed.input, signal);
      const isJson = parsed.options["json"] === true && result.output !== undefined;
      const textIn = (style: Style) => (isJson ? style.json(result.output) : result.text(style));
      if (textIn(plainStyle) !== "") this.#screen.show({ stream: "stdout", text: textIn });
      return result;
    } catch (thrown) {
      throw respelled(thrown, command, parsed, dotVoice);
    }
  }

  async #typedAsync(text: string, signal: AbortSignal): Promise<CommandResult> {
    const command = this.#typed;
    if (command?.typed === undefined) throw new Error("No command takes typed text.");
    return this.#dispatchAsync(command, command.typed.input(text), signal);
  }

  async #dispatchAsync(
    command: Command,
    input: { readonly [key: string]: unknown },
    signal: AbortSignal,
  ): Promise<CommandResult> {
    if (this.session !== undefined && command.waitsFor === "execute") this.#ranIn.add(this.session.sessionId);
    if (this.#running !== undefined) this.#running.showsLog = command.waitsFor === "queryLogs";
    const { timeoutMs } = this.#base;
    const timed = timeoutMs === undefined ? input : { timeoutMs, ...input };
    const aimed =
      command.target === "session" ? this.#aimed(command, timed) : this.#withStudio(command, input);
    return dispatchAsync(command, aimed, this.#environment(signal));
  }

  /** A command on the whole bridge that asks which Studio is meant gets the terminal's, unless the line names another. */
  #withStudio(command: Command, input: { readonly [key: string]: unknown }) {
    const isAsked = command.target === "bridge" && command.input.keys().includes("sessionId");
    if (!isAsked || this.session === undefined) return input;
    return { sessionId: this.session.sessionId, ...input };
  }

  /** The session that the terminal is attached to, unless the line names another. */
  #aimed(
    { isForWholeStudio }: Command,
    input: { readonly [key: string]: unknown },
  ): { readonly [key: string]: unknown } {
    if (input["sessionId"] !== undefined || input["instanceId"] !== undefined) return input;
    if (this.session === undefined) throw notConnected();
    if (this.isLost) throw sessionLost(this.session);
    const { sessionId, instanceId } = this.session;
    const isOtherContext = input["context"] !== undefined || input["player"] !== undefined;
    return isOtherContext || isForWholeStudio === true ? { ...input, instanceId } : { ...input, sessionId };
  }

  #environment(signal: AbortSignal): Environment {
    return {
      signal: AbortSignal.any([this.#base.signal, signal]),
      catalog: this.#base.catalog,
      isRemote: this.#base.isRemote,
      headless: false,
      isRepl: true,
      emit: (emission) => {
        if (emission.isTick !== true) this.#screen.show(emission);
      },
      status: (text) => this.#screen.status(text),
      bridgeAsync: async () => this.bridge,
      readStdinAsync: () => Promise.reject(stdinIsTaken()),
      commandLine: {
        surfaces: this.#surfaces(),
        connectAsync: async () => this.bridge,
        write: () => undefined,
      },
    };
  }

  /** Entering a terminal from within one means another session; other surfaces need a process of their own. */
  #surfaces(): Surfaces {
    const { surfaces } = this.#base;
    if (surfaces === undefined) throw new Error("A terminal needs a command line.");
    return {
      ...surfaces,
      terminalAsync: async (context) => {
        this.#followed = followedOf(context);
        this.attach(context.session);
        return { failed: false };
      },
    };
  }

  #disconnect(): void {
    if (this.session === undefined) throw notConnected();
    this.say(`Disconnected from ${nameOf(this.session)}`);
    this.session = undefined;
    this.isLost = false;
  }
}

const placeOf = ({ placeName }: SessionInfo): string => visibleOnOneLine(placeName);

/** The place, with the context of a play test behind it. */
export function nameOf(session: SessionInfo): string {
  return session.context === "edit" ? placeOf(session) : `${placeOf(session)} (${contextTitle(session)})`;
}

/** What becomes of a session that is lost. */
export function outlookOf(session: SessionInfo): string {
  if (session.context !== "edit") return "The terminal returns to it in the next play test.";
  return isOneCommandsOwn(session)
    ? "It does not come back; leave with .exit and start again."
    : "The terminal returns to it when it comes back.";
}

/** What is said when the terminal is attached to a session. */
export function connectedText(session: SessionInfo): string {
  const context = session.state === "Edit" ? "" : `${contextTitle(session)}, `;
  return `Connected to ${placeOf(session)} (${context}${session.state} mode)`;
}

function notConnected(): StudioBridgeError {
  return new StudioBridgeError("NO_SESSION", "Not connected to a Studio.", {
    hint: ".sessions lists them, .connect ID takes one.",
  });
}

function sessionLost(session: SessionInfo): StudioBridgeError {
  return new StudioBridgeError("SESSION_GONE", `${nameOf(session)} is not connected.`, {
    hint: `${outlookOf(session)} .sessions lists others, .connect ID takes one.`,
  });
}

function unfinished(firstLine: string): StudioBridgeError {
  return new StudioBridgeError("SCRIPT_LOAD_ERROR", `The input ends before this is complete: ${firstLine}`, {
    hint: "None of it ran; close what it opens.",
  });
}

function stdinIsTaken(): StudioBridgeError {
  return new StudioBridgeError("INVALID_INPUT", "A terminal cannot read a file from stdin.", {
    hint: "Name the file.",
  });
}
