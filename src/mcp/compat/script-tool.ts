/** The tool get_script: the source of one script, by its id, its path, or the file that makes it. */
import { instanceOfFileAsync } from "../../sync/index.ts";
import { hashOf, readScriptAsync } from "../../scripts/script-sources.ts";
import type { ReadScript } from "../../scripts/script-sources.ts";
import type { Command } from "../../command-kit/definition.ts";
import { invalidInput } from "../../protocol/messages.ts";
import { StudioBridgeError } from "../../protocol/errors.ts";
import { defineSchema } from "../../protocol/schema.ts";
import { defineCompat } from "./define-compat.ts";
import scriptDescription from "./get_script.md" with { type: "text" };

const scriptInput = defineSchema((z) =>
  z.object({
    id: z
      .string()
      .optional()
      .describe("The script's id (@17), or its path in the DataModel, such as ServerScriptService.Main"),
    fsPath: z
      .string()
      .optional()
      .describe("The script's file, relative to the folder of the project; id comes first"),
    fromDraft: z.boolean().optional().describe("Read what the script editor shows, saved or not"),
  }),
);

export const scriptTool: Command = defineCompat({
  name: "get_script",
  summary: "Read a script's source",
  description: scriptDescription,
  readOnly: true,
  target: "session",
  input: scriptInput,
  output: defineSchema((z) => z.string()),
  async handler({ id, fsPath, fromDraft = false }, context) {
    if (id !== undefined) return scriptText(await readScriptAsync(context, id, !fromDraft), null);
    if (fsPath === undefined) throw invalidInput("id or fsPath is required");
    const found = await instanceOfFileAsync(fsPath, context);
    if (found === undefined) throw notInStudio(fsPath);
    return scriptText(await readScriptAsync(context, found.id, !fromDraft), found.fsPath);
  },
});

function notInStudio(fsPath: string): StudioBridgeError {
  return new StudioBridgeError("INSTANCE_NOT_FOUND", `Studio has no Instance for ${fsPath}.`, {
    hint: "Check that the project has this file, and that it was synced: atlas_sync with mode dryrun lists what differs.",
  });
}

/** Sentences, then the facts as JSON in a block, as clients of this tool expect it. */
function scriptText(script: ReadScript, fsPath: string | null): string {
  const { path: instancePath, id, className, source, isDraft } = script;
  const studioHash = hashOf(script);
  const facts = { status: "success", source, studioHash, className, instancePath, id, fsPath, isDraft };
  const heading = `Script source for ${instancePath} (${className}):\nHash: ${studioHash}`;
  return `${heading}\n\n<json>\n${JSON.stringify(facts, null, 2)}\n</json>`;
}
