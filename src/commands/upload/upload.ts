/** `sb upload FILE|PROJECT --universe U --place P`: saves or publishes a place on Roblox through Open Cloud. */
import { defineSchema } from "../../protocol/schema.ts";
import type { OutputOf } from "../../protocol/schema.ts";
import { defineCommand } from "../../command-kit/definition.ts";
import { flagsOf } from "../../command-kit/words/spelling.ts";
import type { Style } from "../../util/style.ts";

const input = defineSchema((z) => {
  const id = z.int("expected a whole number").min(1, "expected an id").optional();
  return z.strictObject({
    source: z
      .string()
      .min(1, "the name is empty")
      .optional()
      .describe("Place file (.rbxl, .rbxlx), project file, or folder of a project"),
    universe: id.describe("Id of the universe; with --place. Without both: upload in sb.config.json"),
    place: id.describe("Id of the place that is replaced"),
    publish: z
      .boolean()
      .default(false)
      .describe("Publish to all players; asks on a terminal, and needs --yes elsewhere"),
  });
});

const output = defineSchema((z) =>
  z.object({
    universe: z.int(),
    place: z.int(),
    versionType: z.enum(["Saved", "Published"]),
    versionNumber: z.int(),
  }),
);
type UploadResult = OutputOf<typeof output>;

export const command = defineCommand({
  name: "upload",
  summary: "Save or publish a place on Roblox",
  description:
    "Sends a place file, or what a Rojo project builds, to Roblox as a new version of a place. The version replaces the whole place, also what others have done in Team Create; earlier versions stay in the version history. It is only saved, so that no player sees it, unless --publish is given. The key for Open Cloud is ROBLOX_OPEN_CLOUD_API_KEY, with the scope universe-places:write. A place is sent once: if the answer is lost, the exit code is 2, because the place may have been saved.",
  group: "Studio",
  examples: [
    { command: "sb upload --universe 11 --place 22", note: "save what the project of this folder builds" },
    { command: "sb upload game.rbxl --universe 11 --place 22", note: "a place file" },
    { command: "sb upload --publish --yes", note: "in CI, with upload in sb.config.json" },
  ],
  surfaces: ["cli"],
  target: "none",
  annotations: { readOnly: false, destructive: true, idempotent: false },
  input,
  output,
  cli: {
    positionals: [{ key: "source", label: "FILE|PROJECT" }],
    flags: flagsOf(input, {
      universe: { kind: "number", label: "ID" },
      place: { kind: "number", label: "ID" },
      publish: "boolean",
    }),
    asks: true,
  },
  format: uploadedText,
  async handler({ source, universe, place, publish }, context) {
    const { uploadPlaceAsync } = await import("../../upload/upload-place.ts");
    return uploadPlaceAsync({ source, universe, place, publish }, context);
  },
});

function uploadedText({ universe, place, versionType, versionNumber }: UploadResult, style: Style): string {
  const where = `version ${versionNumber} of place ${place}, universe ${universe}`;
  return versionType === "Published"
    ? style.green(`Published as ${where}.`)
    : `${style.green(`Saved as ${where}.`)} No player sees it until it is published.`;
}
