/** `sb sourcemap [PROJECT]`: which file each Instance of a Rojo project comes from, for luau-lsp. */
import { defineSchema } from "../../protocol/schema.ts";
import { defineCommand, streamed } from "../../command-kit/definition.ts";
import { flagsOf } from "../../command-kit/words/spelling.ts";

const input = defineSchema((z) =>
  z.strictObject({
    project: z.string().min(1, "the name is empty").optional().describe("Project file, or its folder"),
    output: z
      .string()
      .min(1, "expected a file name")
      .optional()
      .describe("File to write; without it, the map is printed"),
    includeNonScripts: z.boolean().default(false).describe("All Instances, not only scripts"),
    absolute: z.boolean().default(false).describe("Absolute paths of files"),
    watch: z.boolean().default(false).describe("Write it again when a file changes"),
  }),
);

export const command = defineCommand({
  name: "sourcemap",
  summary: "Map a Rojo project's Instances to their files",
  description:
    "Prints the JSON that `rojo sourcemap` prints and luau-lsp reads: a tree of Instances with the files that each comes from. Without PROJECT it takes default.project.json of this folder. With --watch a file is written only when the map has changed.",
  group: "Studio",
  examples: [
    { command: "sb sourcemap -o sourcemap.json", note: "" },
    { command: "sb sourcemap -o sourcemap.json --watch", note: "for luau-lsp in an editor" },
    { command: "sb sourcemap --include-non-scripts", note: "every Instance" },
  ],
  surfaces: ["cli", "terminal"],
  target: "none",
  endsWithReader: ({ watch }) => watch === true,
  annotations: { readOnly: false, destructive: true, idempotent: true },
  input,
  output: defineSchema((z) => z.object({ name: z.string(), file: z.string().optional(), map: z.unknown() })),
  cli: {
    positionals: [{ key: "project", label: "PROJECT" }],
    flags: flagsOf(input, {
      output: { alias: "o", kind: "string", label: "FILE" },
      includeNonScripts: "boolean",
      absolute: "boolean",
      watch: { alias: "w", kind: "boolean" },
    }),
  },
  async handler(wish, context) {
    const { mapProjectAsync } = await import("../../rojo/map-project.ts");
    await mapProjectAsync(wish, context);
    return streamed;
  },
});
