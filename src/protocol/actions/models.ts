/** Models as files and as assets of Roblox. */
import { changes, looks } from "../classes.ts";
import { callerSchema } from "../fields/callers.ts";
import { namedInstance } from "../fields/instances.ts";
import { undoReportSchema } from "../fields/undo-steps.ts";
import { defineSchema } from "../schema.ts";
import type { ActionRows } from "./row.ts";

const MAX_QUERY_CHARACTERS = 200;
const MAX_FOUND_MODELS = 20;

export const modelActions = {
  insertModel: {
    reply: "insertResult",
    class: changes({ field: "enableScripts", class: "run" }),
    subject: "Insertion",
    capability: "inserting models",
    timeoutMs: 60_000,
    retrySafe: false,
    request: defineSchema((z) =>
      z
        .object({
          model: z.string().optional().describe("The bytes of a binary model file, as Base64."),
          assetId: z.int().positive().optional().describe("Id of an asset of Roblox, in place of `model`."),
          query: z
            .string()
            .min(1)
            .optional()
            .describe(
              "Words for the Creator Store, in place of `model`. The first free model that it finds is inserted as one Instance that is named after the words, in front of the camera.",
            ),
          parent: z
            .string()
            .min(1)
            .default("game.Workspace")
            .describe("The Instance below which the model is put: its path or its id."),
          enableScripts: z
            .boolean()
            .default(false)
            .describe(
              "Leaves Scripts and LocalScripts as they are, and takes an asset out of its sandbox. Without it they are disabled.",
            ),
          name: z.string().max(256).describe("Name of the undo step."),
          caller: callerSchema(z).optional().describe("Whose undo step it is."),
        })
        .describe("Inserts a model, as one undo step."),
    ),
    result: defineSchema((z) =>
      z
        .object({
          inserted: z
            .array(
              z.object({
                ...namedInstance(z),
                className: z.string().describe("Class of the Instance."),
              }),
            )
            .describe("The outermost Instances of the model."),
          scripts: z.array(z.string()).describe("Paths of all scripts in the model, ModuleScripts too."),
          modules: z
            .array(z.string())
            .optional()
            .describe(
              "Those of `scripts` that are ModuleScripts, which run when another script requires them.",
            ),
          sandboxed: z
            .literal(true)
            .optional()
            .describe("Studio has put the asset into a sandbox, where it stays unless scripts are enabled."),
          undo: undoReportSchema(z).describe("What became of the undo step."),
        })
        .describe("What was inserted."),
    ),
  },
  findModels: {
    reply: "modelsResult",
    class: looks(),
    subject: "Search",
    capability: "searching the Creator Store",
    timeoutMs: 60_000,
    retrySafe: true,
    request: defineSchema((z) =>
      z
        .object({
          query: z.string().min(1).max(MAX_QUERY_CHARACTERS).describe("Words for the Creator Store."),
        })
        .describe("Searches the Creator Store for free models, and inserts nothing."),
    ),
    result: defineSchema((z) =>
      z
        .object({
          models: z
            .array(
              z.object({
                assetId: z.int().positive().describe("Id of the asset."),
                name: z.string().describe("Its name, as its creator wrote it."),
                creator: z.string().describe("Name of its creator."),
              }),
            )
            .max(MAX_FOUND_MODELS)
            .describe("The first ones, as the store orders them."),
        })
        .describe("What the store found."),
    ),
  },
  exportModel: {
    reply: "exportResult",
    class: looks(),
    subject: "Export",
    capability: "exporting models",
    timeoutMs: 60_000,
    retrySafe: true,
    request: defineSchema((z) =>
      z
        .object({
          paths: z
            .array(z.string().min(1))
            .describe("Paths or ids of the Instances that are exported with all that is below them."),
        })
        .describe("Asks for Instances as a model file."),
    ),
    result: defineSchema((z) =>
      z
        .object({
          model: z.string().describe("The bytes of a binary model file, as Base64."),
          roots: z.array(z.object(namedInstance(z))).describe("The outermost Instances of the model."),
          instances: z.int().positive().describe("How many Instances the model has."),
          leftOut: z
            .int()
            .nonnegative()
            .describe("How many Instances below them are not in it, because they are not Archivable."),
        })
        .describe("The model."),
    ),
  },
} as const satisfies ActionRows;
