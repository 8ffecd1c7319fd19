/** `sb build [PROJECT] -o FILE`: a place or model file of a Rojo project, without Studio. */
import { defineSchema } from "../../protocol/schema.ts";
import { defineCommand, streamed } from "../../command-kit/definition.ts";
import { flagsOf } from "../../command-kit/words/spelling.ts";
import { builtText } from "../../rojo/built-text.ts";

const input = defineSchema((z) =>
  z.strictObject({
    project: z.string().min(1, "the name is empty").optional().describe("Project file, or its folder"),
    output: z
      .string()
      .min(1, "expected a file name")
      .optional()
      .describe("File to write: .rbxl, .rbxlx, .rbxm or .rbxmx"),
    plugin: z
      .string()
      .min(1, "expected a file name")
      .optional()
      .describe("Write this file of Studio's local plugins instead; only over one that sb has built"),
    watch: z.boolean().default(false).describe("Build again when a file changes"),
  }),
);

const output = defineSchema((z) =>
  z.object({ name: z.string(), file: z.string(), instances: z.int(), bytes: z.int() }),
);

export const command = defineCommand({
  name: "build",
  summary: "Build a place or model file of a Rojo project",
  description:
    "Builds what `rojo build` builds, without Studio: a place of a project whose root is a DataModel, else a model. Without PROJECT it takes default.project.json of this folder. The file is written whole or not at all, and it replaces an existing one; a local plugin only replaces one that sb has built.",
  group: "Studio",
  examples: [
    { command: "sb build -o game.rbxl", note: "the project of this folder" },
    { command: "sb build plugin.project.json -o plugin.rbxm", note: "" },
    { command: "sb build -o game.rbxlx --watch", note: "again at every change" },
    { command: "sb build --plugin my-plugin", note: "into Studio's folder of local plugins" },
  ],
  surfaces: ["cli", "terminal"],
  target: "none",
  endsWithReader: ({ watch }) => watch === true,
  annotations: { readOnly: false, destructive: true, idempotent: true },
  input,
  output,
  cli: {
    positionals: [{ key: "project", label: "PROJECT" }],
    flags: flagsOf(input, {
      output: { alias: "o", kind: "string", label: "FILE" },
      plugin: { kind: "string", label: "NAME" },
      watch: { alias: "w", kind: "boolean" },
    }),
    conflicts: [
      {
        flags: ["output", "plugin"],
        message: "Cannot use --output and --plugin together.",
        hint: "--plugin NAME is a file of Studio's local plugins; -o FILE is any other.",
      },
    ],
  },
  format: builtText,
  async handler(wishes, context) {
    const { buildProjectAsync } = await import("../../rojo/build-project.ts");
    return (await buildProjectAsync(wishes, context)) ?? streamed;
  },
});
