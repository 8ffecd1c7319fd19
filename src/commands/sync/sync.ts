/** `sb sync` and studio_sync: brings the files of a Rojo project and Studio, or a place file, to the same state. */
import { defineSchema } from "../../protocol/schema.ts";
import type { OutputOf } from "../../protocol/schema.ts";
import { defineCommand, streamed } from "../../command-kit/definition.ts";
import { flagsOf } from "../../command-kit/words/spelling.ts";
import { invalidInput } from "../../protocol/messages.ts";
import type { CommandContext, SessionCommandContext } from "../../command-kit/context.ts";
import type { Override } from "../../sync/types.ts";
import { overrideOfWord, overridesOfList, readOverridesAsync } from "../../sync/override-input.ts";
import { projectField } from "./project-field.ts";
import { leftNote, syncFailed, syncOutput, syncText, undoneReport } from "./sync-output.ts";
import agentDescription from "./sync.md" with { type: "text" };

const MAX_REMOVALS = 1_000_000;
const MAX_OVERWRITES = 1_000_000;

const input = defineSchema((z) =>
  z.strictObject({
    mode: z
      .enum(["standard", "manual", "fastfail", "dryrun", "undo"])
      .default("standard")
      .describe(
        "standard asks about unresolved changes, fastfail never; undo takes your last sync back, on both sides",
      ),
    overrides: z
      .array(z.record(z.string(), z.unknown()))
      .optional()
      .describe(
        "{id or path (a folder or glob means all below it), direction: push, pull, merge or skip, studioHash?, fileHash?}",
      ),
    properties: z
      .enum(["listed", "changed", "all"])
      .optional()
      .describe(
        "Which properties take part: listed, those that the files state; changed, also those that Studio changed, as by default for scripts, model files and meta files; all, all that are not default",
      ),
    partial: z.boolean().default(false).describe("Apply everything except unresolved changes"),
    project: projectField(z),
    override: z
      .array(z.string())
      .default([])
      .describe(
        "Decide a change: ID=push, pull, skip or merge; ID is an id, an Instance, a file, or a folder or glob for all below it",
      ),
    overridesFile: z
      .string()
      .min(1, "expected a file")
      .optional()
      .describe("JSON file with a list of overrides"),
    from: z
      .string()
      .min(1, "expected a place or model")
      .optional()
      .describe("Compare with this place or model file in place of a Studio"),
    into: z
      .string()
      .min(1, "the path is empty")
      .optional()
      .describe("Sync a library, whose project is no place, as this Instance: ReplicatedStorage.MyLibrary"),
    watch: z.boolean().default(false).describe("Keep syncing until Ctrl+C; conflicts wait for you"),
    check: z
      .boolean()
      .default(false)
      .describe("Change nothing; exit with 1 if anything differs, and with 2 if that cannot be determined"),
    allowRemovals: z
      .int("expected a whole number")
      .min(0, "expected 0 or more")
      .max(MAX_REMOVALS, `expected at most ${MAX_REMOVALS}`)
      .optional()
      .describe("Let the plan remove up to this many Instances; without it, sb asks about more than 10"),
    allowOverwrites: z
      .int("expected a whole number")
      .min(0, "expected 0 or more")
      .max(MAX_OVERWRITES, `expected at most ${MAX_OVERWRITES}`)
      .optional()
      .describe(
        "Let a place that was never synced replace up to this many files, or a push as many Instances in one-way folders; without it, sb asks about more than 10",
      ),
    prefer: z
      .enum(["files", "studio"])
      .optional()
      .describe(
        "Take this side, files or studio, where nothing says which one is newer; what only the other side has stays there, and what both sides changed stays open",
      ),
    remember: z
      .boolean()
      .default(false)
      .describe("Write what you skip into sync.skip of sb.config.json, so that later syncs leave it alone"),
    allowOutside: z
      .boolean()
      .default(false)
      .describe("Also write files that the project names outside of its git work tree or folder"),
    safeNames: z
      .boolean()
      .default(false)
      .describe(
        "Where the name of an Instance is not a valid file name, write a nested project that states the name",
      ),
  }),
);
type SyncInput = OutputOf<typeof input>;

export const command = defineCommand({
  name: "sync",
  summary: "Sync a Rojo project with Studio, both ways",
  description:
    "Compares the files of a Rojo project with Studio, or with a place file, and with what both held after the last sync. A change on one side goes to the other; where both sides changed, you decide. Nothing is overwritten without asking: removed files are kept in .sb/trash, and `sb sync undo` takes a sync back. push is files to Studio, pull is Studio to files. `sb help sync` tells more.",
  agentDescription,
  group: "Studio",
  examples: [
    { command: "sb sync", note: "the project of this folder and the open Studio" },
    { command: "sb sync --mode dryrun", note: "only show what would change" },
    { command: "sb sync --override ReplicatedStorage.Config=pull", note: "decide an unresolved change" },
    { command: "sb sync --from game.rbxl", note: "bring files up to date with a place" },
    { command: "sb sync --from game.rbxl --check", note: "in CI: exit 1 if they differ" },
    { command: "sb sync --watch", note: "keep both sides in sync" },
    { command: "sb sync status", note: "" },
    { command: "sb sync undo", note: "" },
  ],
  toolGroups: ["sync"],
  surfaces: ["cli", "mcp"],
  target: "session",
  defaultContext: "edit",
  withoutStudio: "Open the place in Studio, or compare with a file: `sb sync --from game.rbxl`.",
  graceMs: 30_000,
  onlyLooks: ({ mode, check }) => mode === "dryrun" || check === true,
  readOnlyInput: { mode: "dryrun" },
  endsWithReader: ({ watch }) => watch === true,
  answersByExitCode: ({ check }) => check === true,
  takesLong: true,
  annotations: { readOnly: false, destructive: true, idempotent: true },
  input,
  output: syncOutput,
  personalInput: [
    "properties",
    "project",
    "override",
    "overridesFile",
    "from",
    "into",
    "watch",
    "check",
    "allowRemovals",
    "allowOverwrites",
    "prefer",
    "remember",
    "allowOutside",
    "safeNames",
  ],
  cli: {
    positionals: [{ key: "project", label: "PROJECT" }],
    flags: flagsOf(input, {
      mode: {
        kind: "string",
        label: "MODE",
        describe: () =>
          "standard asks about unresolved changes; manual asks before anything is changed; fastfail asks nothing; dryrun changes nothing; undo is `sb sync undo` (default: standard)",
      },
      override: { kind: "repeats", label: "ID=push" },
      overridesFile: { name: "overrides", kind: "string", label: "FILE" },
      from: { kind: "string", label: "PLACE" },
      into: { kind: "string", label: "PATH" },
      watch: { alias: "w", kind: "boolean" },
      check: "boolean",
      partial: "boolean",
      properties: { kind: "string", label: "WHICH" },
      allowRemovals: { kind: "number", label: "N" },
      allowOverwrites: { kind: "number", label: "N" },
      prefer: { kind: "string", label: "SIDE" },
      remember: "boolean",
      allowOutside: "boolean",
      safeNames: "boolean",
    }),
    conflicts: [
      ...["session", "instance", "context", "player", "port", "remote", "watch", "into"].map((flag) => ({
        flags: ["from", flag],
        message: `Cannot use --from and --${flag} together.`,
        hint: "--from compares with a file, and needs no Studio.",
      })),
      ...["check", "mode", "override", "overrides"].map((flag) => ({
        flags: ["watch", flag],
        message: `Cannot use --watch and --${flag} together.`,
        hint: "--watch applies what is decided; `sb sync` without it lets you decide the rest.",
      })),
      ...["watch", "check"].map((flag) => ({
        flags: ["remember", flag],
        message: `Cannot use --remember and --${flag} together.`,
        hint: "--remember writes down what you skip: `sb sync --override PATH=skip --remember`.",
      })),
    ],
    asks: true,
  },
  failed: syncFailed,
  agentNote: leftNote,
  format: syncText,
  async prepareAsync(input, context) {
    const { mode } = input;
    if (mode === "undo") return prepareUndoModeAsync(input, context);
    checkWishes(input);
    const given = { ...input, mode };
    const overrides = await overridesAsync(given);
    const { syncFileAsync, syncStudioAsync } = await import("./sync-report.ts");
    const { from } = given;
    if (from !== undefined) return { finished: await syncFileAsync({ ...given, overrides }, from, context) };
    const { requireProjectAsync } = await import("../../project/find-rojo-project.ts");
    const projectFile = await requireProjectAsync(given.project, context);
    const wishes = { ...given, projectFile, overrides };
    return async (session) => {
      if (!given.watch) return syncStudioAsync(wishes, session);
      const [{ syncWishesAsync }, { watchSyncAsync }] = await Promise.all([
        import("../../sync/sync-project.ts"),
        import("../../sync/watch/watch-sync.ts"),
      ]);
      await watchSyncAsync(await syncWishesAsync(wishes), session);
      return streamed;
    };
  },
});

function checkWishes({ mode, from, prefer, remember }: SyncInput): void {
  if (from !== undefined && prefer === "files")
    throw invalidInput(
      "Cannot use --from and --prefer files together.",
      "The place is only read; `sb build` writes a place from the files.",
    );
  if (remember && mode === "dryrun")
    throw invalidInput(
      "Cannot use --remember with --mode dryrun.",
      "A dry run writes nothing; leave one out.",
    );
}

/** Agents have no other word for it. */
async function prepareUndoModeAsync({ project, ...others }: SyncInput, context: CommandContext) {
  if (modeTakesMore(others))
    throw invalidInput("The mode undo takes nothing but a project.", "Leave the other arguments out.");
  const { prepareUndoAsync } = await import("../../sync/undo-project.ts");
  const prepared = await prepareUndoAsync({ project, files: false }, context);
  if (typeof prepared !== "function") return { finished: undoneReport(prepared.finished) };
  return async (session: SessionCommandContext) => undoneReport(await prepared(session));
}

const modeTakesMore = ({
  overrides = [],
  override,
  overridesFile,
  from,
  into,
  watch,
  check,
  partial,
  ...rest
}: SyncInput) =>
  rest.prefer !== undefined ||
  rest.remember ||
  overrides.length + override.length > 0 ||
  overridesFile !== undefined ||
  from !== undefined ||
  into !== undefined ||
  watch ||
  check ||
  partial;

async function overridesAsync({
  override,
  overrides,
  overridesFile,
}: SyncInput): Promise<readonly Override[]> {
  return [
    ...override.map(overrideOfWord),
    ...(overridesFile === undefined ? [] : await readOverridesAsync(overridesFile)),
    ...(overrides === undefined ? [] : overridesOfList(overrides, "overrides")),
  ];
}
