/** `sb sync` and studio_sync: brings the files of a Rojo project and Studio, or a place file, to the same state. */
import { defineSchema } from "../../protocol/schema.ts";
import type { OutputOf } from "../../protocol/schema.ts";
import { defineCommand, streamed } from "../../command/definition.ts";
import { flagFor } from "../../command/words/spelling.ts";
import type { Override } from "../../sync/types.ts";
import { overrideOfWord, overridesOfList, readOverridesAsync } from "./override-input.ts";
import { projectField } from "./project-field.ts";
import { leftNote, syncFailed, syncOutput, syncText } from "./sync-output.ts";
import agentDescription from "./sync.md" with { type: "text" };

const MAX_REMOVALS = 1_000_000;

const input = defineSchema((z) =>
  z.strictObject({
    mode: z
      .enum(["standard", "manual", "fastfail", "dryrun"])
      .default("standard")
      .describe("standard asks about what is open, fastfail never"),
    overrides: z
      .array(z.record(z.string(), z.unknown()))
      .optional()
      .describe("{id or path, direction: push, pull, merge or skip, studioHash?, fileHash?}"),
    properties: z
      .enum(["listed", "changed", "all"])
      .optional()
      .describe(
        "Which properties take part: listed, those that the files state; changed, also those that Studio changed, as by default for scripts; all, all that are not default",
      ),
    partial: z.boolean().default(false).describe("Apply all but what is open"),
    project: projectField(z),
    override: z
      .array(z.string())
      .default([])
      .describe("Decide a change: ID=push, pull, skip or merge; ID is an id, an Instance's path or a file"),
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
    watch: z
      .boolean()
      .default(false)
      .describe("Go on and sync each change until Ctrl+C; what is open is parked"),
    check: z.boolean().default(false).describe("Change nothing, and exit with 1 if anything differs"),
    allowRemovals: z
      .int("expected a whole number")
      .min(0, "expected 0 or more")
      .max(MAX_REMOVALS, `expected at most ${MAX_REMOVALS}`)
      .optional()
      .describe("Let the plan remove up to this many Instances; more than 10 are otherwise asked about"),
    allowOutside: z
      .boolean()
      .default(false)
      .describe("Also write files that the project names outside of its git work tree or folder"),
    safeNames: z
      .boolean()
      .default(false)
      .describe("Write an Instance whose name no file can have as a nested project that states the name"),
  }),
);
type SyncInput = OutputOf<typeof input>;

export const command = defineCommand({
  name: "sync",
  summary: "Sync a Rojo project with Studio, both ways",
  description:
    "Compares the files of a Rojo project with Studio, or with a place file, and with what both held after the last sync. A change on one side goes to the other; where both sides changed, you decide. Nothing is overwritten unasked: files that go are kept in .sb/trash, and `sb sync undo` takes a sync back. push is files to Studio, pull is Studio to files. See docs/sync.md.",
  agentDescription,
  group: "Studio",
  examples: [
    { command: "sb sync", note: "the project of this folder and the open Studio" },
    { command: "sb sync --mode dryrun", note: "only show what would change" },
    { command: "sb sync --override ReplicatedStorage.Config=pull", note: "decide an open change" },
    { command: "sb sync --from game.rbxl", note: "bring files up to date with a place" },
    { command: "sb sync --from game.rbxl --check", note: "in CI: exit 1 if they differ" },
    { command: "sb sync --watch", note: "keep both sides in sync" },
    { command: "sb sync status", note: "" },
    { command: "sb sync undo", note: "" },
  ],
  surfaces: ["cli", "mcp"],
  target: "session",
  defaultContext: "edit",
  withoutStudio: "Open the place in Studio, or compare with a file: `sb sync --from game.rbxl`.",
  graceMs: 30_000,
  onlyLooks: ({ mode, check }) => mode === "dryrun" || check === true,
  readOnlyInput: { mode: "dryrun" },
  annotations: { readOnly: false, destructive: true, idempotent: true },
  input,
  output: syncOutput,
  personalInput: [
    "properties",
    "project",
    "override",
    "overridesFile",
    "from",
    "watch",
    "check",
    "allowRemovals",
    "allowOutside",
    "safeNames",
  ],
  cli: {
    positionals: [{ key: "project", label: "PROJECT" }],
    flags: [
      {
        ...flagFor(input, "mode", { kind: "string", label: "MODE" }),
        describe: () =>
          "standard asks about what is open; manual asks before anything is changed; fastfail asks nothing; dryrun changes nothing (default: standard)",
      },
      flagFor(input, "override", { kind: "repeats", label: "ID=push" }),
      flagFor(input, "overridesFile", { name: "overrides", kind: "string", label: "FILE" }),
      flagFor(input, "from", { kind: "string", label: "PLACE" }),
      flagFor(input, "watch", { alias: "w", kind: "boolean" }),
      flagFor(input, "check", { kind: "boolean" }),
      flagFor(input, "partial", { kind: "boolean" }),
      flagFor(input, "properties", { kind: "string", label: "WHICH" }),
      flagFor(input, "allowRemovals", { name: "allow-removals", kind: "number", label: "N" }),
      flagFor(input, "allowOutside", { name: "allow-outside", kind: "boolean" }),
      flagFor(input, "safeNames", { name: "safe-names", kind: "boolean" }),
    ],
    conflicts: [
      ...["session", "instance", "context", "player", "port", "remote", "watch"].map((flag) => ({
        flags: ["from", flag],
        message: `Cannot use --from and --${flag} together.`,
        hint: "--from compares with a file, and needs no Studio.",
      })),
      ...["check", "mode", "override", "overrides"].map((flag) => ({
        flags: ["watch", flag],
        message: `Cannot use --watch and --${flag} together.`,
        hint: "--watch applies what is decided; `sb sync` without it lets you decide the rest.",
      })),
    ],
    asks: true,
  },
  failed: syncFailed,
  agentNote: leftNote,
  format: syncText,
  async prepareAsync(given, context) {
    const overrides = await overridesAsync(given);
    const { syncFileAsync, syncStudioAsync, syncWishes } = await import("./sync-report.ts");
    const { from } = given;
    if (from !== undefined) return { finished: await syncFileAsync({ ...given, overrides }, from, context) };
    const { requireProjectAsync } = await import("./find-project.ts");
    const projectFile = await requireProjectAsync(given.project, context);
    const wishes = { ...given, projectFile, overrides };
    return async (session) => {
      if (!given.watch) return syncStudioAsync(wishes, session);
      const { watchSyncAsync } = await import("./watch/watch-sync.ts");
      await watchSyncAsync(syncWishes(wishes), session);
      return streamed;
    };
  },
});

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
