/** `sb screenshot`: the viewport as a PNG, in a file or as text. */
import { defineSchema } from "../../protocol/schema.ts";
import { StudioBridgeError } from "../../protocol/errors.ts";
import { systemReason } from "../../util/system-error.ts";
import { visibleOnOneLine } from "../../util/visible-controls.ts";
import { defineCommand } from "../../command-kit/definition.ts";
import type { CommandContext } from "../../command-kit/context.ts";
import { flagsOf } from "../../command-kit/words/spelling.ts";
import agentDescription from "./screenshot.md" with { type: "text" };

const input = defineSchema((z) =>
  z.strictObject({
    output: z
      .string()
      .min(1, "expected a file name")
      .optional()
      .describe("Write the PNG here (default: a new file in the temporary folder)"),
    open: z.boolean().default(false).describe("Open the picture in the default viewer"),
    base64: z.boolean().default(false).describe("Return the PNG as base64 instead of writing a file"),
  }),
);

/** `path` where a file was written, `data` (base64) where none was. */
const output = defineSchema((z) =>
  z.object({
    format: z.literal("png"),
    width: z.int().positive(),
    height: z.int().positive(),
    path: z.string().optional(),
    data: z.string().optional(),
  }),
);

export const command = defineCommand({
  name: "screenshot",
  summary: "Capture the viewport as a PNG",
  description:
    "Captures the 3D viewport of Studio, with the place's own user interface, as a PNG. The window must not be minimised. Headless Studio draws nothing and refuses.",
  agentDescription,
  group: "Studio",
  examples: [
    { command: "sb screenshot", note: "into the temporary folder" },
    { command: "sb screenshot -o capture.png", note: "" },
    { command: "sb screenshot --open", note: "and look at it" },
    { command: "sb screenshot --base64 | base64 -d > capture.png", note: "" },
  ],
  toolGroups: ["core", "look"],
  surfaces: ["cli", "terminal", "mcp"],
  target: "session",
  waitsFor: "captureScreenshot",
  withoutStudio:
    "Open a place in Roblox Studio with the plugin installed (sb install-plugin), or launch one with `sb launch PLACE`.",
  defaultContext: "edit",
  namesContext: () => true,
  annotations: { readOnly: true, destructive: false, idempotent: true },
  input,
  output,
  personalInput: ["output", "open", "base64"],
  agentInput: { base64: true },
  cli: {
    olderNames: ["viewport screenshot"],
    positionals: [{ key: "sessionId", label: "SESSION-ID" }],
    flags: flagsOf(input, {
      output: { alias: "o", kind: "string", label: "FILE" },
      open: "boolean",
      base64: "boolean",
    }),
    conflicts: [
      { flags: ["base64", "output"], message: "Cannot use --base64 and --output together." },
      { flags: ["base64", "open"], message: "Cannot use --base64 and --open together." },
    ],
  },
  dotWords: [{ key: "output", label: "PATH" }],
  format: ({ path, data = "" }) =>
    path === undefined ? data : `Screenshot saved to ${visibleOnOneLine(path)}`,
  media: ({ data }) => (data === undefined ? [] : [{ mimeType: "image/png", base64: data }]),
  async handler({ output: chosenPath, open, base64 }, context) {
    context.status("Capturing the viewport");
    const reply = await context.callAsync("captureScreenshot", {}).catch(inUserWords);
    const { pngOf } = await import("../../session/screenshot-picture.ts");
    const png = pngOf(reply);
    const facts = { format: "png", width: reply.width, height: reply.height } as const;
    if (base64) return { ...facts, data: png.toString("base64") };
    const { savePictureAsync } = await import("../../files/save-picture.ts");
    const path = await savePictureAsync(chosenPath, png);
    if (open) await showAsync(path, context);
    return { ...facts, path };
  },
});

/** The engine names the method that it refuses, which a person has not called. */
function inUserWords(error: unknown): never {
  if (!(error instanceof StudioBridgeError) || error.code !== "NOT_SIMULATED") throw error;
  throw new StudioBridgeError(
    "NOT_SIMULATED",
    "Headless Studio draws nothing, so there is no viewport to capture.",
    {
      hint: "Choose a session of Roblox Studio with --session; `sb sessions` lists them.",
      cause: error,
    },
  );
}

/** The picture is there whether it can be shown or not. */
async function showAsync(path: string, { emit }: CommandContext): Promise<void> {
  const [{ thisMachine }, { viewerCommandAsync }] = await Promise.all([
    import("../../studio/machine.ts"),
    import("../../studio/viewer.ts"),
  ]);
  const machine = thisMachine();
  try {
    machine.start(await viewerCommandAsync(path, machine));
  } catch (error) {
    emit({ stream: "stderr", text: () => `Cannot open a viewer: ${systemReason(error)}` });
  }
}
