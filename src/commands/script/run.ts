/** `sb run FILE…`: runs script files in order and stops at the first that fails. */
import type { z } from "zod";
import { defineSchema } from "../../protocol/schema.ts";
import { undoReportSchema } from "../../protocol/fields/undo-steps.ts";
import { StudioBridgeError } from "../../protocol/errors.ts";
import { invalidInput } from "../../protocol/messages.ts";
import type { FileChanges } from "../../util/file-changes.ts";
import { visibleOnOneLine } from "../../util/visible-controls.ts";
import { defineCommand, streamed } from "../../command-kit/definition.ts";
import type { SessionCommandContext } from "../../command-kit/context.ts";
import {
  DRY_RUN_HELP,
  executeScriptAsync,
  roundedMs,
  scriptResultSchema,
} from "../../command-kit/scripts/execute-script.ts";
import type { ScriptResult } from "../../command-kit/scripts/execute-script.ts";
import { withCaveatsAsync } from "../../command-kit/caveats/caveats.ts";
import { FollowedOutput } from "../../command-kit/scripts/other-output.ts";
import { decodeScript, readScriptFileAsync, scriptsInAsync } from "../../files/script-source.ts";
import {
  readScriptInputsAsync,
  scriptInputFields,
  scriptInputFlags,
  scriptInputKeys,
} from "../../command-kit/scripts/script-inputs.ts";
import type { ScriptSource } from "../../files/script-source.ts";
import { stdinPieces } from "../../command-kit/scripts/stdin-pieces.ts";
import { quietSpelling } from "../../command-kit/words/shared-flags.ts";
import { QUIET_TEXT } from "../../output/remark.ts";
import { flagsOf } from "../../command-kit/words/spelling.ts";

const input = defineSchema((z) =>
  z.strictObject({
    files: z
      .array(z.string().min(1, "a file name is empty"))
      .min(1, "name at least one file")
      .describe("Script files, run in order, or folders of them; - is stdin"),
    bail: z
      .boolean()
      .default(true)
      .describe("Stop at the first script that fails; --no-bail runs the others too"),
    failOnError: z
      .boolean()
      .default(false)
      .describe("Fail if other code logs an error meanwhile, such as a script of the place"),
    watch: z.boolean().default(false).describe("Run again whenever a file changes, until interrupted"),
    dryRun: z.boolean().default(false).describe("Show what it would change, and take it back"),
    quiet: z.boolean().default(false).describe(QUIET_TEXT),
    fresh: z
      .boolean()
      .default(true)
      .describe("Reload modules that have changed, as by default; --no-fresh keeps what was loaded"),
    args: z.array(z.string()).default([]).describe("Arguments of the script, which it reads as ..."),
    ...scriptInputFields(z),
  }),
);

const output = defineSchema((z) =>
  z.object({
    ...scriptResultSchema(z).shape,
    /** Each file that ran, in order; the fields above put them together. */
    files: z.array(
      z.object({
        file: z.string(),
        success: z.boolean(),
        durationMs: z.number().nonnegative(),
        undo: undoReportSchema(z).optional(),
      }),
    ),
    /** How many errors were logged meanwhile; present with `failOnError`. */
    loggedErrors: z.int().nonnegative().optional(),
  }),
);

export const command = defineCommand({
  name: "run",
  summary: "Run Luau script files",
  description: `Runs Luau files in Studio, in order, and stops at the first that fails. A folder means its *.luau files, without those in its subfolders. Prints their output as it comes, and the values that they return. ${DRY_RUN_HELP}`,
  group: "Scripts",
  examples: [
    { command: "sb run script.luau", note: "" },
    { command: "sb run setup.luau test.luau", note: "one after the other" },
    { command: "sb run --no-bail tests", note: "every *.luau in a folder" },
    { command: "sb run --watch script.luau", note: "again at every change" },
    { command: "sb run --dry-run script.luau", note: "what it would change" },
    { command: "sb run build.luau -- --fast 3", note: "arguments, as ..." },
    { command: "cat script.luau | sb run -", note: "from stdin" },
    { command: "sb run --headless script.luau", note: "without Studio" },
    { command: "sb run --input data.json --env STAGE=test load.luau", note: "sb.input, sb.env" },
    {
      command: "sb run --headless --place . --context server test.luau",
      note: "in the server of a play session",
    },
  ],
  surfaces: ["cli", "terminal"],
  target: "session",
  defaultContext: "server",
  namesContext: () => true,
  waitsFor: "execute",
  toldInput: ["files"],
  launchesStudio: true,
  endsWithReader: ({ watch }) => watch === true,
  annotations: { readOnly: false, destructive: true, idempotent: false },
  input,
  output,
  personalInput: ["watch", "quiet", ...scriptInputKeys],
  cli: {
    asks: true,
    olderNames: ["process run"],
    positionals: [{ key: "files", label: "FILE", required: true, repeated: true }],
    flags: [
      ...flagsOf(input, {
        watch: { alias: "w", kind: "boolean" },
        bail: { kind: "boolean", negatable: true },
        failOnError: "boolean",
        dryRun: "boolean",
        fresh: { kind: "boolean", negatable: true },
        quiet: quietSpelling,
      }),
      ...scriptInputFlags(input),
    ],
    rest: { key: "args", label: "ARGS", description: "Arguments of the script, which it reads as ..." },
  },
  failed: ({ success, loggedErrors = 0 }) => !success || loggedErrors > 0,
  async prepareAsync({ files, args, watch, fresh, dryRun, bail, failOnError, quiet, ...given }, basics) {
    if (watch && files.includes("-"))
      throw invalidInput("Cannot use --watch with stdin.", "Name the files; only those can change.");
    const inputs = await readScriptInputsAsync(given);
    const sources = await readAllAsync(files, () => basics.readStdinAsync());
    if (dryRun && sources.length > 1)
      throw invalidInput(
        `Cannot use --dry-run with ${sources.length} files.`,
        "Name one file: a second one would not see what the first changed.",
      );
    const nextInputAsync = stdinPieces(basics);
    const options = { args, fresh, dryRun, bail, failOnError, quiet, inputs, nextInputAsync };
    return async (context) => {
      if (!watch) return await runAllAsync(context, sources, options);
      await runAtEveryChangeAsync(context, files, sources, options);
      return streamed;
    };
  },
});

/** What every script of a run is given beside its source, and what becomes of a failure. */
interface RunOptions extends Pick<
  Parameters<typeof executeScriptAsync>[1],
  "args" | "fresh" | "dryRun" | "inputs" | "nextInputAsync"
> {
  readonly bail: boolean;
  readonly failOnError: boolean;
  readonly quiet: boolean;
}

type Result = z.input<ReturnType<typeof output>>;

interface RanFile {
  readonly file: string;
  readonly result: ScriptResult;
}

async function runAllAsync(
  context: SessionCommandContext,
  sources: readonly ScriptSource[],
  { quiet, ...options }: RunOptions,
): Promise<Result> {
  return withCaveatsAsync(context, quiet, () => runFilesAsync(context, sources, options));
}

async function runFilesAsync(
  context: SessionCommandContext,
  sources: readonly ScriptSource[],
  { failOnError, ...options }: Omit<RunOptions, "quiet">,
): Promise<Result> {
  if (!failOnError) return together(await runEachAsync(context, sources, options));
  await using own = context.otherOutput === undefined ? await followStudioAsync(context) : undefined;
  const otherOutput = context.otherOutput ?? own;
  const listening = otherOutput === undefined ? context : { ...context, otherOutput };
  const result = together(await runEachAsync(listening, sources, options));
  await otherOutput?.settledAsync();
  return withLoggedErrors(context, { ...result, logs: [...result.logs, ...(otherOutput?.take() ?? [])] });
}

async function runEachAsync(
  context: SessionCommandContext,
  sources: readonly ScriptSource[],
  { bail, ...given }: Omit<RunOptions, "failOnError" | "quiet">,
): Promise<RanFile[]> {
  const ran: RanFile[] = [];
  for (const { name, text } of sources) {
    const result = await executeScriptAsync(context, { name, text, ...given });
    ran.push({ file: name, result });
    if (bail && !result.success) break;
  }
  return ran;
}

/** What others log in a Studio that is not the command's own; its edit session hears of every DataModel. */
async function followStudioAsync(context: SessionCommandContext): Promise<FollowedOutput | undefined> {
  const { bridge, session } = context;
  const edit = (await bridge.sessionsAsync()).find(
    (other) => other.instanceId === session.instanceId && other.context === "edit",
  );
  return edit === undefined ? undefined : FollowedOutput.followingAsync(context, edit);
}

function withLoggedErrors(context: SessionCommandContext, result: Result): Result {
  const loggedErrors = result.logs.filter(({ level }) => level === "Error").length;
  if (loggedErrors > 0) {
    const many = loggedErrors === 1 ? "1 error was" : `${loggedErrors} errors were`;
    const told = `${many} logged meanwhile (--fail-on-error).`;
    context.emit({ stream: "stderr", text: (style) => `${style.red("error:")} ${told}` });
  }
  return { ...result, loggedErrors };
}

/**
 * Neighbours count too, since scripts share what they do with modules beside them, and so does the place of a headless
 * Studio of the command's own, which every run gets anew.
 */
async function runAtEveryChangeAsync(
  first: SessionCommandContext,
  names: readonly string[],
  sources: readonly ScriptSource[],
  options: RunOptions,
): Promise<void> {
  const { FileChanges } = await import("../../util/file-changes.ts");
  const { emit, signal, readStdinAsync } = first;
  const files = sources.map(({ name }) => name);
  using changes = new FileChanges(files, (name) => /\.luau?$/.test(name));
  const say = (text: string) => emit({ stream: "stderr", text: (style) => style.dim(text) });
  const runAsync = async (context: SessionCommandContext, latest: readonly ScriptSource[]) => {
    watchPlace(changes, context);
    emit({ stream: "stdout", json: await runAllAsync(context, latest, options) });
  };
  let { ownStudio } = first;
  const runAgainAsync = async () => {
    const latest = await readAllAsync(names, readStdinAsync);
    const context = (await ownStudio?.renewAsync()) ?? first;
    ({ ownStudio } = context);
    await runAsync(context, latest);
  };
  await goOnAsync(first, runAsync(first, sources));
  say("Watching for changes; Ctrl+C ends.");
  for (;;) {
    const names = await changes.nextAsync(signal);
    if (names === undefined) return;
    say(`Changed: ${names.map(visibleOnOneLine).join(", ")}`);
    await goOnAsync(first, runAgainAsync());
  }
}

/** What a text editor leaves beside a file while it is being saved. */
const TEMPORARY = /^\.|~$|\.(tmp|swp|swx|bak)$/i;
const isLasting = (name: string): boolean => !TEMPORARY.test(name);

function watchPlace(changes: FileChanges, { ownStudio }: SessionCommandContext): void {
  const { files = [], folders = [] } = ownStudio?.placeSources ?? {};
  for (const file of files) changes.watchFile(file);
  for (const folder of folders) changes.watchFolder(folder, isLasting);
}

/** Shows a failure after which the next change may bring better. */
async function goOnAsync({ emit, ownStudio }: SessionCommandContext, run: Promise<void>): Promise<void> {
  try {
    await run;
  } catch (error) {
    // A file that is gone for a moment, or half written, is read again; and the next run has a Studio of its own.
    const isPassing =
      error instanceof StudioBridgeError &&
      (error.code === "FILE_ERROR" || (error.code === "SESSION_GONE" && ownStudio !== undefined));
    if (!isPassing) throw error;
    const { message } = error;
    emit({ stream: "stderr", text: (style) => `${style.red("error:")} ${style.body(message)}` });
  }
}

/** All of them before the first runs, so that a missing file stops the whole run. */
async function readAllAsync(
  files: readonly string[],
  readStdinAsync: () => Promise<Uint8Array>,
): Promise<ScriptSource[]> {
  const sources: ScriptSource[] = [];
  for (const file of files) {
    if (file === "-") sources.push({ name: "stdin", text: decodeScript(await readStdinAsync(), "stdin") });
    else for (const each of await scriptsInAsync(file)) sources.push(await readScriptFileAsync(each));
  }
  return sources;
}

function together(ran: readonly RanFile[]): Result {
  const results = ran.map(({ result }) => result);
  const last = results.at(-1);
  const told = results.find(({ success }) => !success) ?? last;
  // Each file is an undo step, and a dry run has one file.
  const only = results.length === 1 ? last : undefined;
  return {
    ...only,
    ...(last?.untilTestEnds === undefined ? {} : { untilTestEnds: true }),
    success: results.every(({ success }) => success),
    ...(told?.error === undefined ? {} : { error: told.error }),
    ...(told?.errorInfo === undefined ? {} : { errorInfo: told.errorInfo }),
    ...(told?.errorFile === undefined ? {} : { errorFile: told.errorFile }),
    logs: results.flatMap(({ logs }) => logs),
    returnValues: last?.returnValues ?? [],
    durationMs: roundedMs(results.reduce((sum, { durationMs }) => sum + durationMs, 0)),
    files: ran.map(({ file, result: { success, durationMs, undo } }) => ({
      file,
      success,
      durationMs,
      ...(undo === undefined ? {} : { undo }),
    })),
  };
}
