/** The tools about script sources: get_script, and atlas_sync, which is refused because nothing is synced here. */
import { hashOf, readScriptAsync } from "../../command/scripts/script-sources.ts";
import type { ReadScript } from "../../command/scripts/script-sources.ts";
import type { Command } from "../../command/definition.ts";
import { invalidInput } from "../../protocol/messages.ts";
import { StudioBridgeError } from "../../protocol/errors.ts";
import { defineSchema } from "../../protocol/schema.ts";
import syncDescription from "./atlas_sync.md" with { type: "text" };
import { defineCompat } from "./define-compat.ts";
import scriptDescription from "./get_script.md" with { type: "text" };

const syncInput = defineSchema((z) =>
  z.object({
    mode: z.enum(["standard", "manual", "fastfail", "dryrun"]).optional(),
    overrides: z
      .array(
        z.object({
          id: z.string(),
          direction: z.string(),
          studioHash: z.string().optional(),
          expectedProperties: z.unknown().optional(),
        }),
      )
      .optional(),
  }),
);

const scriptInput = defineSchema((z) =>
  z.object({
    id: z
      .string()
      .optional()
      .describe("The script's id (@17), or its path in the DataModel, such as ServerScriptService.Main"),
    fsPath: z.string().optional().describe("Not known here; pass id"),
    fromDraft: z.boolean().optional().describe("Read what the script editor shows, saved or not"),
  }),
);

export const scriptTools: readonly Command[] = [
  defineCompat({
    name: "get_script",
    summary: "Read a script's source",
    description: scriptDescription,
    readOnly: true,
    target: "session",
    input: scriptInput,
    output: defineSchema((z) => z.string()),
    async handler({ id, fsPath, fromDraft = false }, context) {
      if (id === undefined) throw fsPath === undefined ? invalidInput("id is required") : notSynced("fsPath");
      return scriptText(await readScriptAsync(context, id, !fromDraft));
    },
  }),
  defineCompat({
    name: "atlas_sync",
    summary: "Sync files with Studio (not available)",
    description: syncDescription,
    readOnly: false,
    target: "none",
    input: syncInput,
    output: defineSchema((z) => z.object({})),
    handler: async () => {
      throw notSynced("atlas_sync");
    },
  }),
];

function notSynced(what: string): StudioBridgeError {
  const message = `${what} is not available: studio-bridge does not sync project files with Studio.`;
  const hint =
    "Sync with the project's own tool. get_script reads a script by its path in the DataModel, run_code changes it.";
  return new StudioBridgeError("CAPABILITY_NOT_SUPPORTED", message, { hint });
}

/** Sentences, then the facts as JSON in a block, as clients of this tool expect it. */
function scriptText(script: ReadScript): string {
  const { path: instancePath, id, className, source, isDraft } = script;
  const studioHash = hashOf(script);
  const facts = { status: "success", source, studioHash, className, instancePath, id, fsPath: null, isDraft };
  const heading = `Script source for ${instancePath} (${className}):\nHash: ${studioHash}`;
  return `${heading}\n\n<json>\n${JSON.stringify(facts, null, 2)}\n</json>`;
}
