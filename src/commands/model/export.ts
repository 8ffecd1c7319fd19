/** `sb export PATH… -o FILE`: Instances as a model file. */
import { defineSchema } from "../../protocol/schema.ts";
import type { OutputOf } from "../../protocol/schema.ts";
import { invalidInput } from "../../protocol/messages.ts";
import { defineCommand } from "../../command-kit/definition.ts";
import type { CommandContext, SessionCommandContext } from "../../command-kit/context.ts";
import { tellingNearPaths } from "../../session/near-paths.ts";
import { shownPath, wirePath } from "../../tree/instance-path.ts";
import { flagsOf } from "../../command-kit/words/spelling.ts";
import { visibleOnOneLine } from "../../util/visible-controls.ts";
import agentDescription from "./export.md" with { type: "text" };

const input = defineSchema((z) =>
  z.strictObject({
    paths: z.array(z.string().min(1, "a path is empty")).describe("Paths or ids of the Instances"),
    output: z
      .string()
      .min(1, "expected a file name")
      .optional()
      .describe("Model file to write, .rbxm or .rbxmx; for game a place file, .rbxl or .rbxlx"),
    force: z.boolean().default(false).describe("Replace a file that already exists"),
    file: z
      .string()
      .min(1, "expected a file name")
      .optional()
      .describe("New .rbxm or .rbxmx file, relative to the project"),
    overwrite: z.boolean().default(false).describe("Replace a file that git has committed unchanged"),
  }),
);

const output = defineSchema((z) =>
  z.object({
    file: z.string(),
    bytes: z.int(),
    /** The outermost Instances of the model. */
    exported: z.array(z.object({ path: z.string(), id: z.string() })),
    /** How many Instances it has in all. */
    instances: z.int(),
    /** How many below them are not in it, because they are not Archivable; absent for a place. */
    leftOut: z.int().optional(),
  }),
);

type Exported = OutputOf<typeof output>;

export const command = defineCommand({
  name: "export",
  summary: "Write Instances to a model file",
  description:
    "Writes Instances, with everything below them, to a model file. The file is written whole or not at all, and it replaces an existing file only with --force. Instances that are not Archivable are left out and counted. The path game means the whole place of a headless Studio, which becomes a place file, as with `sb save`.",
  group: "Studio",
  examples: [
    { command: "sb export Workspace.Tree -o tree.rbxm", note: "" },
    { command: "sb export Workspace.Map Lighting.Sky -o map.rbxmx", note: "several, as XML" },
    {
      command: "sb export Workspace.Map -o map.rbxm --headless --place game.rbxl",
      note: "from a place file",
    },
    { command: "sb export game -o game.rbxl", note: "the whole place of a headless Studio" },
  ],
  agentDescription,
  toolGroups: ["edit"],
  surfaces: ["cli", "terminal", "mcp"],
  target: "session",
  waitsFor: "exportModel",
  savesPlace: true,
  defaultContext: "edit",
  namesContext: () => true,
  // It writes a file, which a server that only reads does not; no place changes.
  annotations: { readOnly: false, destructive: false, idempotent: false },
  onlyLooks: () => true,
  input,
  output,
  personalInput: ["output", "force"],
  cli: {
    positionals: [{ key: "paths", label: "PATH", required: true, repeated: true }],
    flags: flagsOf(input, {
      output: { alias: "o", kind: "string", label: "FILE" },
      force: "boolean",
    }),
  },
  format: ({ file, exported, instances, leftOut = 0 }, style) => {
    const count = `${instances} Instance${instances === 1 ? "" : "s"}`;
    const rest = leftOut === 0 ? [] : [style.dim(`${leftOut} left out, which are not Archivable.`)];
    return [
      ...exported.map(({ path, id }) => `${style.body(visibleOnOneLine(path))} ${style.dim(id)}`),
      `Exported ${count} to ${visibleOnOneLine(file)}`,
      ...rest,
    ].join("\n");
  },
  async prepareAsync({ paths, output: file, force, file: agentFile, overwrite }, basics) {
    if (agentFile !== undefined) return exportForAgentAsync(paths, agentFile, overwrite, basics);
    if (file === undefined)
      throw invalidInput(
        "Name the file to write.",
        "For example: -o tree.rbxm",
        `For example file: "tree.rbxm".`,
      );
    if (paths.some((path) => path.toLowerCase() === "game"))
      return exportPlaceAsync(paths, file, force, basics);
    const { checkTargetAsync, writeModelAsync } = await import("../../model/model-files.ts");
    await checkTargetAsync(file, force);
    return (context) => exportAsync(paths, file, context, (model) => writeModelAsync(file, model));
  },
});

async function exportAsync(
  paths: readonly string[],
  file: string,
  context: SessionCommandContext,
  writeAsync: (model: Uint8Array) => Promise<number>,
): Promise<Exported> {
  context.status("Exporting");
  const { model, roots, instances, leftOut } = await context
    .callAsync("exportModel", { paths: paths.map(wirePath) })
    .catch(tellingNearPaths(context));
  const bytes = await writeAsync(Buffer.from(model, "base64"));
  const exported = roots.map(({ path, id }) => ({ path: shownPath(path), id }));
  return { file, bytes, exported, instances, leftOut };
}

async function exportForAgentAsync(
  paths: readonly string[],
  file: string,
  overwrite: boolean,
  basics: CommandContext,
): Promise<(context: SessionCommandContext) => Promise<Exported>> {
  const [{ agentTargetAsync }, { writeForAgentAsync }] = await Promise.all([
    import("../../model/agent-target.ts"),
    import("../../model/model-files.ts"),
  ]);
  if (paths.length === 0) throw invalidInput("paths is empty.", "Name at least one Instance.");
  if (paths.includes("game"))
    throw invalidInput("game cannot be part of a model.", "Name parts of the place.");
  const target = await agentTargetAsync(file, overwrite, basics);
  return (context) => exportAsync(paths, file, context, (model) => writeForAgentAsync(target, model));
}

/** The whole place, which is saved by Studio itself. */
async function exportPlaceAsync(
  paths: readonly string[],
  file: string,
  force: boolean,
  basics: CommandContext,
): Promise<(context: SessionCommandContext) => Promise<Exported>> {
  if (paths.length > 1)
    throw invalidInput("game is the whole place.", "Leave out the other paths, or name parts of the place.");
  const { checkNameAsync, savePlaceAsync } = await import("../../model/save-place.ts");
  await checkNameAsync(file, basics);
  return async (context) => ({ ...(await savePlaceAsync(file, force, context)), exported: [] });
}
