/** `sb save [FILE]`: the place of a headless Studio as a place file. */
import { defineCommand } from "../../command-kit/definition.ts";
import { flagsOf } from "../../command-kit/words/spelling.ts";
import { defineSchema } from "../../protocol/schema.ts";
import { sizeText } from "../../util/size-text.ts";
import { visibleOnOneLine } from "../../util/visible-controls.ts";
import { checkNameAsync, savePlaceAsync } from "../../model/save-place.ts";

const input = defineSchema((z) =>
  z.strictObject({
    file: z
      .string()
      .min(1, "expected a file name")
      .optional()
      .describe("Place file to write, .rbxl or .rbxlx (default: the one that was opened, or last saved to)"),
    force: z.boolean().default(false).describe("Replace another file that already exists"),
  }),
);

const output = defineSchema((z) => z.object({ file: z.string(), bytes: z.int(), instances: z.int() }));

export const command = defineCommand({
  name: "save",
  summary: "Save the place of a headless Studio",
  description:
    "Writes the edited place of a headless Studio to a place file, even while a test plays. The file is written whole or not at all, and it replaces another existing file only with --force. In Roblox Studio, no plugin can save a place; press Ctrl+S there.",
  group: "Studio",
  examples: [
    { command: "sb save", note: "to the file that was opened, or last saved to" },
    { command: "sb save game.rbxl", note: "" },
    { command: "sb save game.rbxlx --force", note: "as XML, in place of another file" },
  ],
  surfaces: ["cli", "terminal"],
  target: "session",
  waitsFor: "savePlace",
  savesPlace: true,
  isForWholeStudio: true,
  annotations: { readOnly: true, destructive: false, idempotent: true },
  input,
  output,
  cli: {
    positionals: [{ key: "file", label: "FILE" }],
    flags: flagsOf(input, {
      force: "boolean",
    }),
  },
  format: ({ file, bytes }) => `Saved ${visibleOnOneLine(file)} (${sizeText(bytes)})`,
  async prepareAsync({ file, force }, basics) {
    if (file !== undefined) await checkNameAsync(file, basics);
    return async (context) => {
      if (file === undefined && context.isRemote) await checkNameAsync("", context);
      return savePlaceAsync(file, force, context);
    };
  },
});
