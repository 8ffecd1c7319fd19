/** `sb build [PROJECT] -o FILE`: a place or model file of a Rojo project, without Studio. */
import { resolve } from "node:path";
import { defineSchema, type OutputOf } from "../../protocol/schema.ts";
import { StudioBridgeError } from "../../protocol/errors.ts";
import { invalidInput } from "../../protocol/messages.ts";
import type { CommandContext } from "../../command/context.ts";
import { defineCommand, streamed } from "../../command/definition.ts";
import { flagFor } from "../../command/words/spelling.ts";
import { systemCodeOf, systemReason } from "../../util/system-error.ts";
import { visibleOnOneLine } from "../../util/visible-controls.ts";
import type { RojoTree } from "../../roblox/rojo/project.ts";

const input = defineSchema((z) =>
  z.strictObject({
    project: z.string().min(1, "the name is empty").optional().describe("Project file, or its folder"),
    output: z
      .string()
      .min(1, "expected a file name")
      .optional()
      .describe("File to write: .rbxl, .rbxlx, .rbxm or .rbxmx"),
    watch: z.boolean().default(false).describe("Build again when a file changes"),
  }),
);

const output = defineSchema((z) =>
  z.object({ name: z.string(), file: z.string(), instances: z.int(), bytes: z.int() }),
);
type Built = OutputOf<typeof output>;

export const command = defineCommand({
  name: "build",
  summary: "Build a place or model file of a Rojo project",
  description:
    "Builds what `rojo build` builds, without Studio: a place of a project whose root is a DataModel, else a model. Without PROJECT it takes default.project.json of this folder. The file is written whole or not at all; one that is there is replaced.",
  group: "Studio",
  examples: [
    { command: "sb build -o game.rbxl", note: "the project of this folder" },
    { command: "sb build plugin.project.json -o plugin.rbxm", note: "" },
    { command: "sb build -o game.rbxlx --watch", note: "again at every change" },
  ],
  surfaces: ["cli", "terminal"],
  target: "none",
  annotations: { readOnly: false, destructive: true, idempotent: true },
  input,
  output,
  cli: {
    positionals: [{ key: "project", label: "PROJECT" }],
    flags: [
      flagFor(input, "output", { alias: "o", kind: "string", label: "FILE" }),
      flagFor(input, "watch", { kind: "boolean" }),
    ],
  },
  format: builtText,
  async handler({ project, output: file, watch }, context) {
    if (file === undefined) throw invalidInput("Name the file to write.", "For example: sb build -o game.rbxl");
    const { requireProjectAsync } = await import("./find-project.ts");
    const { buildFormatOf } = await import("../../roblox/rojo/build.ts");
    if (buildFormatOf(file) === undefined)
      throw invalidInput(
        `Cannot build ${visibleOnOneLine(file)}`,
        "Name a .rbxl or .rbxlx file for a place, or a .rbxm or .rbxmx file for a model.",
      );
    const source = await requireProjectAsync(project);
    if (!watch) return (await buildAsync(source, file, undefined, context)).built;
    const { atEveryChangeAsync } = await import("./project-tree.ts");
    let before: Uint8Array | undefined;
    await atEveryChangeAsync(source, resolve(file), context, async () => {
      const { built, tree, content } = await buildAsync(source, file, before, context);
      const isSame = before !== undefined && Buffer.compare(before, content) === 0;
      if (!isSame) context.emit({ stream: "stdout", text: () => builtText(built), json: built });
      before = content;
      return tree;
    });
    return streamed;
  },
});

interface Build {
  readonly built: Built;
  readonly tree: RojoTree;
  readonly content: Uint8Array;
}

/** Does not write what is as `before`. */
async function buildAsync(
  source: string,
  file: string,
  before: Uint8Array | undefined,
  context: CommandContext,
): Promise<Build> {
  const [{ projectTreeAsync, warnOf }, { buildFormatOf, builtFile, fitsFormat }, { writeWholeFileAsync }] =
    await Promise.all([
      import("./project-tree.ts"),
      import("../../roblox/rojo/build.ts"),
      import("../../util/whole-file.ts"),
    ]);
  context.status("Building");
  const { tree, schema } = await projectTreeAsync(source);
  const format = buildFormatOf(file) ?? "rbxl";
  if (!fitsFormat(tree.root, format)) throw wrongFormat(tree, file);
  warnOf(tree, context);
  try {
    const { content, instances } = builtFile(tree.root, schema, format);
    if (before === undefined || Buffer.compare(before, content) !== 0) await writeWholeFileAsync(file, content);
    return { built: { name: tree.name, file, instances, bytes: content.length }, tree, content };
  } catch (error) {
    throw unwritable(file, error);
  }
}

function wrongFormat({ name, root }: RojoTree, file: string): StudioBridgeError {
  const isPlace = root.className === "DataModel";
  return invalidInput(
    `${visibleOnOneLine(name)} is a ${isPlace ? "place" : "model"}, but ${visibleOnOneLine(file)} is a ${isPlace ? "model" : "place"}.`,
    isPlace ? "Name a .rbxl or .rbxlx file." : "Name a .rbxm or .rbxmx file.",
  );
}

function unwritable(file: string, error: unknown): StudioBridgeError {
  const isMissing = systemCodeOf(error) === "ENOENT";
  const reason = isMissing ? "its folder does not exist" : systemReason(error);
  return new StudioBridgeError("FILE_ERROR", `Could not write ${visibleOnOneLine(file)}: ${reason}`, {
    data: { path: file },
    cause: error,
    ...(isMissing ? { hint: "Make the folder first." } : {}),
  });
}

function builtText({ name, file, instances }: Built): string {
  const count = `${instances} Instance${instances === 1 ? "" : "s"}`;
  return `Built ${visibleOnOneLine(name)} to ${visibleOnOneLine(file)} (${count})`;
}
