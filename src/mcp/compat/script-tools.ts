/** The tools about script sources: get_script, and atlas_sync, which is refused because nothing is synced here. */
import { wirePath } from "../../command/words/instance-path.ts";
import { executeScriptAsync } from "../../command/scripts/execute-script.ts";
import type { Command } from "../../command/definition.ts";
import type { SessionCommandContext } from "../../command/context.ts";
import { invalidInput } from "../../protocol/messages.ts";
import { isErrorCode, StudioBridgeError } from "../../protocol/errors.ts";
import { defineSchema } from "../../protocol/schema.ts";
import { gitBlobHash } from "../../util/git-blob-hash.ts";
import syncDescription from "./atlas_sync.md" with { type: "text" };
import { defineCompat } from "./define-compat.ts";
import readDraft from "./read-draft.luau" with { type: "text" };
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
    id: z.string().optional().describe("The script's path in the DataModel, e.g. ServerScriptService.Main"),
    fsPath: z.string().optional().describe("Not known here; pass id"),
    fromDraft: z.boolean().optional().describe("Read the script editor's text, saved or not"),
  }),
);

const scriptOutput = defineSchema((z) =>
  z.object({
    source: z.string(),
    studioHash: z.string(),
    className: z.string(),
    instancePath: z.string(),
    isDraft: z.boolean(),
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
    output: scriptOutput,
    async handler({ id, fsPath, fromDraft: isDraft = false }, context) {
      if (id === undefined) throw fsPath === undefined ? invalidInput("id is required") : notSynced("fsPath");
      const request = { path: wirePath(id), properties: ["Source"] };
      const { instance } = await context.callAsync("queryDataModel", request);
      const { className, path: instancePath } = instance;
      const saved = instance.properties["Source"];
      const source = isDraft ? await draftAsync(context, instancePath) : saved;
      if (typeof source !== "string") throw invalidInput(`${instancePath} has no source.`);
      return { source, studioHash: gitBlobHash(source), className, instancePath, isDraft };
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

/** `path` as the plugin writes it: names with escapes, and which of several siblings. */
async function draftAsync(context: SessionCommandContext, path: string): Promise<string> {
  const segments = [...path.matchAll(/(\[""\]|(?:\\.|[^.[\\])+)(?:\[(\d+)\])?/gs)].slice(1);
  const args = segments.flatMap(([, name = "", index = "1"]) => [
    name === '[""]' ? "" : name.replaceAll(/\\(.)/gs, "$1"),
    index,
  ]);
  const request = { text: readDraft, name: "get_script", args };
  const { success, error = "", errorInfo, returnValues } = await executeScriptAsync(context, request);
  const [source] = returnValues;
  if (success && typeof source === "string") return source;
  const code = errorInfo?.code ?? "";
  throw new StudioBridgeError(isErrorCode(code) ? code : "SCRIPT_RUNTIME_ERROR", error);
}
