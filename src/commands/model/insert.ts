/** `sb insert FILE|ASSET-ID [PARENT]` and studio_insert: puts a model into the place. */
import { basename } from "node:path";
import { undoReportSchema } from "../../protocol/fields/undo-steps.ts";
import { invalidInput } from "../../protocol/messages.ts";
import { defineSchema } from "../../protocol/schema.ts";
import type { OutputOf } from "../../protocol/schema.ts";
import { defineCommand } from "../../command-kit/definition.ts";
import { untilTestEndsField } from "../../session/session-messages.ts";
import { stepName } from "../../tree/change/step-name.ts";
import { insertModelAsync } from "../../model/insert-model.ts";
import { wirePath } from "../../tree/instance-path.ts";
import { flagsOf } from "../../command-kit/words/spelling.ts";
import { visibleOnOneLine } from "../../util/visible-controls.ts";
import type { Style } from "../../util/style.ts";
import { unrecordedLines } from "../../edit/unrecorded-lines.ts";
import agentDescription from "./insert.md" with { type: "text" };

const ASSET = /^(?:rbxassetid:\/\/)?([1-9]\d{0,15})$/;

const input = defineSchema((z) =>
  z.strictObject({
    model: z.string().min(1, "the name is empty").optional().describe("Model file, or id of an asset"),
    file: z.string().min(1, "the file name is empty").optional().describe("Model file"),
    assetId: z
      .int("expected the number of an asset")
      .positive()
      .optional()
      .describe("Asset, in place of a file"),
    parent: z.string().min(1, "the path is empty").default("Workspace").describe("Path or id of its parent"),
    enableScripts: z.boolean().default(false).describe("Leave its scripts enabled"),
  }),
);
type Wish = OutputOf<typeof input>;

const output = defineSchema((z) =>
  z.object({
    inserted: z.array(z.object({ path: z.string(), id: z.string(), className: z.string() })),
    /** Paths of all scripts in the model, ModuleScripts too. */
    scripts: z.array(z.string()),
    /** The asset stays in the sandbox that Studio has put it into. */
    sandboxed: z.literal(true).optional(),
    undo: undoReportSchema(z),
    ...untilTestEndsField(z),
  }),
);
type Inserted = OutputOf<typeof output>;

export const command = defineCommand({
  name: "insert",
  summary: "Insert a model from a file or an asset",
  description:
    "Puts a model into the place, below Workspace or PARENT, as one undo step, and shows the paths and ids of its Instances. A model is a .rbxm, .rbxmx or .model.json file, or the number of an asset of Roblox; a file whose name is a number is written ./123. Its Scripts and LocalScripts are disabled, because a model by someone else may contain anything.",
  agentDescription,
  group: "Studio",
  examples: [
    { command: "sb insert tree.rbxm", note: "" },
    { command: "sb insert house.rbxmx Workspace.Map", note: "below an Instance" },
    { command: "sb insert 1818 --enable-scripts", note: "an asset; its scripts may run" },
  ],
  toolGroups: ["edit"],
  surfaces: ["cli", "terminal", "mcp"],
  target: "session",
  waitsFor: "insertModel",
  defaultContext: "edit",
  patchesPlace: true,
  namesContext: () => true,
  annotations: { readOnly: false, destructive: false, idempotent: false },
  input,
  output,
  personalInput: ["model"],
  cli: {
    positionals: [
      { key: "model", label: "FILE|ASSET-ID", required: true },
      { key: "parent", label: "PARENT" },
    ],
    flags: flagsOf(input, {
      enableScripts: "boolean",
    }),
  },
  format: insertedText,
  async prepareAsync(wish, context) {
    const { file, assetId } = sourceOf(wish);
    const { parent, enableScripts } = wish;
    if (assetId !== undefined) {
      const request = { assetId, enableScripts, name: stepName(`insert asset ${assetId}`) };
      return (session) => insertModelAsync({ ...request, parent: wirePath(parent) }, session);
    }
    const { readModelAsync } = await import("../../model/model-files.ts");
    const bytes = await readModelAsync(file, context);
    const request = { model: Buffer.from(bytes).toString("base64"), enableScripts };
    const name = stepName(`insert ${basename(file)}`);
    return (session) => insertModelAsync({ ...request, name, parent: wirePath(parent) }, session);
  },
});

type Source =
  | { readonly file: string; readonly assetId?: undefined }
  | { readonly assetId: number; readonly file?: undefined };

/** Throws INVALID_INPUT where there is not exactly one. */
function sourceOf({ model, file, assetId }: Wish): Source {
  const number = ASSET.exec(model ?? "")?.[1];
  const named = file ?? (number === undefined ? model : undefined);
  const asset = assetId ?? (number === undefined ? undefined : Number(number));
  if (named !== undefined && asset === undefined) return { file: named };
  if (asset !== undefined && named === undefined) return { assetId: asset };
  throw invalidInput(
    "Give a file or an assetId, and not both.",
    "For example: sb insert tree.rbxm",
    `For example file: "tree.rbxm".`,
  );
}

const SANDBOXED =
  "Studio keeps it in a sandbox, because it is an asset of others; --enable-scripts takes it out.";

function insertedText({ inserted, scripts, sandboxed, undo }: Inserted, style: Style): string {
  const shown = (path: string) => visibleOnOneLine(path);
  const lines = inserted.map(({ path, id }) => `${style.body(shown(path))} ${style.dim(id)}`);
  const count = `${scripts.length} script${scripts.length === 1 ? "" : "s"}`;
  const heading = `It has ${count}. Without --enable-scripts, Scripts and LocalScripts are disabled; a ModuleScript runs when required:`;
  const list = scripts.length === 0 ? [] : [heading, ...scripts.map((path) => `  ${shown(path)}`)];
  const sandbox = sandboxed === true ? [SANDBOXED] : [];
  return [...lines, ...list, ...sandbox, ...unrecordedLines(undo, style)].join("\n");
}
