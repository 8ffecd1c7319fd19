/**
 * The one error class and the one table of error codes: this file owns codes, their meaning and their cure. The sentences
 * are in `messages.ts`, or in the one module that finds a failure.
 */

interface ErrorRow {
  /** What happened, for `sb help errors` and docs/errors.md. */
  readonly meaning: string;
  /** The next move. */
  readonly cure: string;
  /** 2 for bad usage, else 1. */
  readonly exitCode: 1 | 2;
}

const row = (meaning: string, cure: string, exitCode: 1 | 2 = 1): ErrorRow => ({ meaning, cure, exitCode });

/** Codes that the plugin or the host may put on the wire. */
export const wireErrorCodes = {
  UNKNOWN_REQUEST: row(
    "The plugin does not know this request.",
    "Update the plugin with `sb install-plugin`.",
  ),
  INVALID_PAYLOAD: row("A message was malformed.", "Update sb and the plugin to the same version."),
  TIMEOUT: row(
    "The operation took longer than its timeout.",
    "Raise it with --timeout (milliseconds), or make the work smaller.",
  ),
  CAPABILITY_NOT_SUPPORTED: row(
    "This session cannot do that.",
    "Update the plugin with `sb install-plugin` and restart Studio.",
  ),
  INSTANCE_NOT_FOUND: row(
    "A path does not lead to an Instance.",
    "Check the path; `sb query PATH --children` lists the Instances below it.",
  ),
  AMBIGUOUS_PATH: row(
    "A path matches several Instances.",
    "Name one of them by its id, such as @17, or by its position, such as Part[2].",
  ),
  PRECONDITION_FAILED: row(
    "A value is not the one that the caller expects, so nothing was changed.",
    "Read the value again, and repeat the call if it still makes sense.",
  ),
  READING_ENDED: row(
    "A page of a tree was asked for after the reading had ended.",
    "Begin the reading again; sb does so by itself.",
  ),
  INVALID_VALUE: row(
    "A value does not fit the property.",
    "Write it as the message shows; `sb query PATH --properties NAME` shows the present value.",
  ),
  EDIT_REFUSED: row("Studio refused a change.", "See the message."),
  DRY_RUN_REFUSED: row(
    "A script cannot be tried here, so it did not run.",
    "Make a checkpoint with `sb checkpoint`, and run the script in the edit context without --dry-run.",
  ),
  DRY_RUN_INCOMPLETE: row(
    "A dry run could not take back everything that its script changed.",
    "The differences are listed; put them back by hand, or load the place again without saving it.",
  ),
  SEARCH_REFUSED: row("Studio could not search the Creator Store.", "See the message."),
  EXPORT_REFUSED: row(
    "An Instance cannot be put into a model file.",
    "Name Instances below a service whose Archivable is true.",
  ),
  SAVE_REFUSED: row(
    "Studio does not let a plugin save the place or end Studio; headless Studio does.",
    "Save it in Studio: Ctrl+S, or File > Save to File As.",
  ),
  CAVEATS_REFUSED: row(
    "Only a headless Studio counts how it differs from Roblox Studio.",
    "Ask a headless Studio: `sb sessions` shows the origin of each.",
  ),
  SAVE_FAILED: row(
    "A headless Studio could not save its place. It goes on, and nothing is lost.",
    "Save it elsewhere: `sb save FILE`.",
  ),
  CHANGED_BY_OTHERS: row(
    "A person or another plugin has changed what would be restored.",
    "Look at it with `sb checkpoint diff NAME`; `--force` restores it anyway.",
  ),
  NOT_TRIED: row("An operation was not tried, because another one is wrong.", "Correct the others first."),
  PROPERTY_NOT_FOUND: row(
    "The Instance has no such property.",
    "Check the spelling; property names are case-sensitive.",
  ),
  SCREENSHOT_FAILED: row(
    "Studio could not capture the viewport.",
    "Bring the Studio window to the front and try again.",
  ),
  SCRIPT_LOAD_ERROR: row("The script does not compile.", "Fix the line that the message names."),
  SCRIPT_RUNTIME_ERROR: row("The script raised an error.", "See the message and the traceback."),
  SYNC_IN_PROGRESS: row(
    "Another `sb sync` holds the place or the project.",
    "Wait until it has ended, or end the process that the message names.",
  ),
  DENIED: row(
    "The person at Studio does not allow this in the place.",
    "Nothing was changed. The person at Studio decides it, in the Studio Bridge panel; do not try again without asking them.",
  ),
  UNANSWERED: row(
    "The person at Studio was asked about this and has not answered.",
    "Nothing was changed. Look at the Studio Bridge panel in Studio, then run the command again: an answer given there serves it.",
  ),
  PAUSED: row(
    "The person at Studio has paused Studio Bridge.",
    "Nothing was done. Wait until the person at Studio ends the pause, and run the command again.",
  ),
  BUSY: row("Too many scripts are already waiting in this session.", "Wait for them, or cancel one."),
  SESSION_MISMATCH: row(
    "A message named a session that this connection does not own.",
    "Run the command again; `sb sessions` shows what is connected.",
  ),
  INTERNAL_ERROR: row(
    "Something unexpected failed inside studio-bridge.",
    "Run again with --verbose and report what it prints.",
  ),
  UNPAIRED: row(
    "The plugin does not have this machine's key.",
    "Run `sb install-plugin` and restart Studio.",
  ),
  CONTEXT_UNAVAILABLE: row(
    "The Studio has no session for that context now.",
    "Use --context edit, or start a play session first.",
  ),
  PLAY_CONTEXT_UNAVAILABLE: row(
    "The play session did not connect.",
    "Turn on Studio Settings › Studio › LoadUserPluginsInRunModes.",
  ),
  CANCELLED: row("The request was cancelled.", "Run it again when you are ready."),
  PAYLOAD_TOO_LARGE: row(
    "A message is larger than the bridge allows.",
    "Ask for less: fewer lines, a smaller depth, a shorter script.",
  ),
  NOT_SIMULATED: row("Headless Studio does not simulate this.", "Run it in Roblox Studio."),
  SESSION_NOT_FOUND: row("No session has this id.", "Run `sb sessions` to see available sessions."),
  SESSION_GONE: row(
    "The session ended while the request was running.",
    "Check the state of the place, then run it again if that is safe.",
  ),
  HOST_CLOSING: row("The bridge host is shutting down.", "Run the command again."),
  NOT_RECEIVED: row("The request was lost on its way and did not start.", "Run the command again."),
  TOO_MANY_REQUESTS: row("This process has too many requests in flight.", "Wait for some to finish."),
} as const satisfies Record<string, ErrorRow>;

/** Codes that never leave the process that raises them. */
export const localErrorCodes = {
  TEXT_NOT_FOUND: row(
    "The script does not have the text that an edit replaces.",
    "Read the script again, and give the text exactly as it is there.",
  ),
  TEXT_NOT_UNIQUE: row(
    "The script has the text that an edit replaces more than once.",
    "Give more of the surrounding text, or replace every occurrence.",
  ),
  LINE_NOT_FOUND: row(
    "The script has fewer lines than an edit names.",
    "Read the script again; lines count from 1.",
  ),
  EDITS_OVERLAP: row(
    "Two edits of one call change the same text.",
    "Combine them into one edit, or make two calls.",
  ),
  STALE_SOURCES: row(
    "The scripts in an open Studio differ from the files of the project whose tests would run there.",
    "Bring the project there with `sb sync`, or add --allow-stale to test the sources that Studio has.",
  ),
  INVALID_INPUT: row("The command line or the tool arguments are wrong.", "See `sb help COMMAND`.", 2),
  NO_SESSION: row("No Studio is connected.", "Open Studio with the plugin installed, or add --headless."),
  AMBIGUOUS_SESSION: row("Several Studios are connected.", "Choose one with --session or --instance."),
  FILE_ERROR: row("A file could not be read or written.", "Check the path and its permissions."),
  KEY_ERROR: row(
    "The pairing key cannot be used.",
    "Fix the file that the message names, or set XDG_STATE_HOME to a private folder.",
  ),
  HOST_UNREACHABLE: row("The bridge host cannot be reached.", "Check the address, or leave out --remote."),
  HOST_UNTRUSTED: row(
    "The program that holds the port does not know this machine's key.",
    "Stop that program, or choose another port with --port.",
  ),
  HOST_START_FAILED: row("No bridge host could be started.", "Run `sb serve` to see why."),
  HOST_RUNNING: row(
    "A bridge host already runs on this port.",
    "Use it, or add --join to take over when it ends.",
  ),
  PORT_UNAVAILABLE: row("The port cannot be used.", "Choose another with --port."),
  STUDIO_NOT_FOUND: row(
    "Roblox Studio or its plugins folder was not found on this machine.",
    "Install Studio, or name it in SB_STUDIO_PATH and its plugins folder in SB_PLUGINS_DIR. `sb headless` needs no Studio.",
  ),
  PLUGIN_NOT_INSTALLED: row(
    "Studio is installed, but the studio-bridge plugin is not.",
    "Run `sb install-plugin`.",
  ),
  LAUNCH_FAILED: row(
    "Studio was started, but its plugin did not connect.",
    "Run `sb doctor`; it says what is missing.",
  ),
  PLACE_NOT_ALLOWED: row(
    "The rules of the project keep sb from this place.",
    "Open a place that they allow, or correct the rule that the message names.",
  ),
  CLOSE_REFUSED: row("sb may not close this Studio.", "Close its window yourself."),
  TEMPLATE_ERROR: row(
    "A command template cannot be served.",
    "Correct it; `sb help tool` shows how they are written.",
  ),
  PROGRAM_FAILED: row("The program of a command template could not be started.", "Check its name and PATH."),
  TYPE_ERROR: row(
    "An edit would bring type errors that were not there before, and its caller asked for a check of types.",
    "Correct the edit, or make it without the check of types.",
  ),
  CHECKER_NOT_FOUND: row(
    "There is no type checker for Luau on this machine, or none that may be started.",
    "Install luau-lsp, or name it in SB_LUAU_LSP. `sb check --syntax` needs none.",
    2,
  ),
  CHECK_FAILED: row(
    "The scripts could not be checked, so that nothing is known about faults in them.",
    "See the message.",
    2,
  ),
  HEADLESS_FAILED: row("Headless Studio did not start or ended early.", "Run again with --verbose."),
  COVERAGE_UNAVAILABLE: row(
    "The lines that run cannot be counted there.",
    "Leave out --coverage, or --on: headless Studio counts lines.",
  ),
  CLOUD_FAILED: row(
    "Roblox Open Cloud refused a call, or could not do what it was asked for.",
    "See the message, which has Roblox's own code.",
  ),
  UPLOAD_UNCERTAIN: row(
    "A place was sent to Roblox, and the answer was lost, so that it may have been saved.",
    "Look at the version history of the place before you send it again: on the Creator Dashboard, or in Studio with File > Version History.",
    2,
  ),
} as const satisfies Record<string, ErrorRow>;

export const errorCodes = { ...wireErrorCodes, ...localErrorCodes };

export type WireErrorCode = keyof typeof wireErrorCodes;
export type ErrorCode = keyof typeof errorCodes;

/** What became of a request that got no real reply. */
export const outcomes = ["not_started", "unknown", "ran_reply_lost"] as const;
export type Outcome = (typeof outcomes)[number];

interface ErrorDetails {
  /** The next move, in place of the table's cure. */
  readonly hint?: string;
  /** The next move of an agent, if it is another one than that of a person. */
  readonly agentHint?: string;
  /** Machine-readable facts, shown with `--json` and to agents. */
  readonly data?: { readonly [key: string]: unknown };
  readonly outcome?: Outcome;
  readonly cause?: unknown;
}

/** The only error that studio-bridge raises on purpose. `message` is one sentence for people, `hint` the next step. */
export class StudioBridgeError extends Error {
  readonly code: ErrorCode;
  readonly hint: string;
  readonly agentHint: string | undefined;
  readonly data: { readonly [key: string]: unknown };
  readonly outcome: Outcome | undefined;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = "StudioBridgeError";
    this.code = code;
    this.hint = details.hint ?? errorCodes[code].cure;
    this.agentHint = details.agentHint;
    this.data = details.data ?? {};
    this.outcome = details.outcome;
  }

  get exitCode(): 1 | 2 {
    return errorCodes[this.code].exitCode;
  }
}

export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(errorCodes, code);
}
