/** `sb sourcemap [PROJECT]`: which file each Instance of a Rojo project comes from, for luau-lsp. */
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { defineSchema, type OutputOf } from "../../protocol/schema.ts";
import { StudioBridgeError } from "../../protocol/errors.ts";
import type { CommandContext } from "../../command/context.ts";
import { defineCommand, streamed } from "../../command/definition.ts";
import { flagFor } from "../../command/words/spelling.ts";
import { systemReason } from "../../util/system-error.ts";
import { visibleOnOneLine } from "../../util/visible-controls.ts";
import { writeWholeFileAsync } from "../../util/whole-file.ts";
import type { RojoTree } from "../../roblox/rojo/project.ts";
import { requireProjectAsync } from "./find-project.ts";

const input = defineSchema((z) =>
  z.strictObject({
    project: z.string().min(1, "the name is empty").optional().describe("Project file, or its folder"),
    output: z.string().min(1, "expected a file name").optional().describe("File to write; else it is printed"),
    includeNonScripts: z.boolean().default(false).describe("All Instances, not only scripts"),
    absolute: z.boolean().default(false).describe("Absolute paths of files"),
    watch: z.boolean().default(false).describe("Make it again when a file changes"),
  }),
);
type Wish = OutputOf<typeof input>;

export const command = defineCommand({
  name: "sourcemap",
  summary: "Map the Instances of a Rojo project to their files",
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
  annotations: { readOnly: false, destructive: true, idempotent: true },
  input,
  output: defineSchema((z) => z.object({ name: z.string(), file: z.string().optional(), map: z.unknown() })),
  cli: {
    positionals: [{ key: "project", label: "PROJECT" }],
    flags: [
      flagFor(input, "output", { alias: "o", kind: "string", label: "FILE" }),
      flagFor(input, "includeNonScripts", { name: "include-non-scripts", kind: "boolean" }),
      flagFor(input, "absolute", { kind: "boolean" }),
      flagFor(input, "watch", { kind: "boolean" }),
    ],
  },
  async handler(wish, context) {
    const source = await requireProjectAsync(wish.project);
    if (!wish.watch) {
      await mapAsync(source, wish, context, undefined);
      return streamed;
    }
    const { atEveryChangeAsync } = await import("./project-tree.ts");
    let before: string | undefined;
    const written = wish.output === undefined ? undefined : resolve(wish.output);
    await atEveryChangeAsync(source, written, context, async () => {
      const { tree, text } = await mapAsync(source, wish, context, before);
      before = text;
      return tree;
    });
    return streamed;
  },
});

/** Shows or writes the map, unless it is as `before`. */
async function mapAsync(
  source: string,
  { output: file, includeNonScripts, absolute }: Wish,
  context: CommandContext,
  before: string | undefined,
): Promise<{ readonly tree: RojoTree; readonly text: string }> {
  const [{ projectTreeAsync }, { sourcemapText }] = await Promise.all([
    import("./project-tree.ts"),
    import("../../roblox/rojo/sourcemap.ts"),
  ]);
  const { tree } = await projectTreeAsync(source);
  const text = sourcemapText(tree, { includeNonScripts, absolute });
  if (text === before) return { tree, text };
  const map: unknown = JSON.parse(text);
  if (file === undefined) {
    context.emit({ stream: "stdout", text: () => text, json: { name: tree.name, map } });
    return { tree, text };
  }
  await writeMapAsync(file, text);
  const told = `Wrote ${visibleOnOneLine(file)}`;
  context.emit({ stream: "stdout", text: () => told, json: { name: tree.name, file, map } });
  return { tree, text };
}

/** A file that is as it should be is not touched, so that editors do not read it again. */
async function writeMapAsync(file: string, text: string): Promise<void> {
  try {
    const present = await readFile(file, "utf8").catch(() => undefined);
    if (present !== text) await writeWholeFileAsync(file, new TextEncoder().encode(text));
  } catch (error) {
    throw new StudioBridgeError("FILE_ERROR", `Could not write ${visibleOnOneLine(file)}: ${systemReason(error)}`, {
      data: { path: file },
      cause: error,
    });
  }
}
