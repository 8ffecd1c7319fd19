/** `sb screenshot`: the viewport as a PNG, in a file or as text. */
import { defineSchema } from "../../protocol/schema.ts";
import { systemReason } from "../../util/system-error.ts";
import { visibleOnOneLine } from "../../util/visible-controls.ts";
import { defineCommand } from "../../command-kit/definition.ts";
import { invalidInput } from "../../protocol/messages.ts";
import type { CommandContext, SessionCommandContext } from "../../command-kit/context.ts";
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
    gui: z.boolean().default(false).describe("Headless: only the interface"),
    frame: z.string().min(1, "a path is empty").optional().describe("Headless: this interface object alone"),
    size: z.string().optional().describe("WxH that it fits into"),
    small: z.boolean().default(false).describe("Without a size: at most 640 pixels wide and high"),
    baseline: z
      .string()
      .min(1, "expected a file name")
      .optional()
      .describe("Compare with this PNG; exit code 1 where they differ"),
    update: z.boolean().default(false).describe("With --baseline: write the picture to that file"),
    mask: z
      .array(z.string().min(1, "a mask is empty"))
      .default([])
      .describe("With --baseline: leave out X,Y,WIDTH,HEIGHT in pixels, or an object by path"),
    threshold: z
      .number()
      .min(0)
      .max(1)
      .default(0.1)
      .describe("With --baseline: how much a pixel may differ, from 0 to 1 (default 0.1)"),
    maxDiff: z.int().min(0).default(0).describe("With --baseline: how many pixels may differ (default 0)"),
    camera: z
      .string()
      .min(1, "expected a path or twelve numbers")
      .optional()
      .describe("Path to look at, or a CFrame (12 numbers)"),
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
    /** With a baseline: whether at most as many pixels differ as may, how many do, and their share. */
    same: z.boolean().optional(),
    pixels: z.int().optional(),
    ratio: z.number().optional(),
    /** The file with what was expected, what there is, and the difference. */
    diff: z.string().optional(),
    /** Headless: how often something is not in the picture, or not as Studio draws it. */
    leftOut: z.record(z.string(), z.number()).optional(),
  }),
);

export const command = defineCommand({
  name: "screenshot",
  summary: "Capture the viewport as a PNG",
  description:
    "Captures the viewport, with the place's own user interface, as a PNG: of the client of the running test, else of the edited place. Studio's window must not be minimised. Headless Studio draws parts with flat shading and says what it leaves out.",
  agentDescription,
  group: "Studio",
  examples: [
    { command: "sb screenshot", note: "into the temporary folder" },
    { command: "sb screenshot -o capture.png", note: "" },
    { command: "sb screenshot --open", note: "and look at it" },
    { command: "sb screenshot --gui --player 2", note: "headless: the interface of a client" },
    { command: "sb screenshot --frame StarterGui.Menu.Shop", note: "headless: one object of it" },
    { command: "sb screenshot --camera Workspace.Door --size 640x360", note: "" },
    { command: "sb screenshot --baseline menu.png -u", note: "headless: what later ones are held against" },
    { command: "sb screenshot --baseline menu.png --mask StarterGui.Menu.Clock", note: "" },
    { command: "sb screenshot --base64 | base64 -d > capture.png", note: "" },
  ],
  toolGroups: ["core", "look", "ui"],
  surfaces: ["cli", "terminal", "mcp"],
  target: "session",
  waitsFor: "captureScreenshot",
  withoutStudio:
    "Open a place in Roblox Studio with the plugin installed (sb install-plugin), or launch one with `sb launch PLACE`.",
  defaultContext: "client",
  namesContext: () => true,
  answersByExitCode: ({ baseline }) => baseline !== undefined,
  failed: ({ same }) => same === false,
  annotations: { readOnly: true, destructive: false, idempotent: true },
  input,
  output,
  personalInput: ["output", "open", "base64", "small", "baseline", "update", "mask", "threshold", "maxDiff"],
  agentInput: { base64: true, small: true },
  cli: {
    olderNames: ["viewport screenshot"],
    positionals: [{ key: "sessionId", label: "SESSION-ID" }],
    flags: flagsOf(input, {
      output: { alias: "o", kind: "string", label: "FILE" },
      open: "boolean",
      base64: "boolean",
      gui: "boolean",
      frame: { kind: "string", label: "PATH", lookup: "paths" },
      size: { kind: "string", label: "WxH" },
      small: "boolean",
      baseline: { kind: "string", label: "FILE" },
      update: { alias: "u", kind: "boolean" },
      mask: { kind: "repeats", label: "RECT|PATH" },
      threshold: { kind: "number", label: "SHARE" },
      maxDiff: { name: "max-diff", kind: "number", label: "COUNT" },
      camera: { kind: "string", label: "PATH|CFRAME", lookup: "paths" },
    }),
    conflicts: [
      { flags: ["baseline", "base64"], message: "Cannot use --baseline and --base64 together." },
      { flags: ["baseline", "output"], message: "Cannot use --baseline and --output together." },
      { flags: ["baseline", "open"], message: "Cannot use --baseline and --open together." },
      { flags: ["base64", "output"], message: "Cannot use --base64 and --output together." },
      { flags: ["base64", "open"], message: "Cannot use --base64 and --open together." },
      {
        flags: ["gui", "frame"],
        message: "Cannot use --gui and --frame together: an object has no world behind it.",
      },
      { flags: ["size", "small"], message: "Cannot use --size and --small together." },
    ],
  },
  dotWords: [{ key: "output", label: "PATH" }],
  format: ({ path, data = "", leftOut = {}, same, pixels = 0, diff = "" }) =>
    same !== undefined && path === undefined
      ? comparisonText(same, pixels, diff)
      : path === undefined
        ? data
        : [`Screenshot saved to ${visibleOnOneLine(path)}`, ...leftOutLines(leftOut)].join("\n"),
  media: ({ data }) => (data === undefined ? [] : [{ mimeType: "image/png", base64: data }]),
  async handler({ output: chosenPath, open, base64, baseline, ...wishes }, context) {
    if (baseline === undefined) refuseWithoutBaseline(wishes);
    context.status("Capturing the viewport");
    const { captureAsync } = await import("../../session/screenshot-picture.ts");
    const { png, ...facts } = await captureAsync(context, wishes);
    if (baseline !== undefined)
      return { ...facts, ...(await heldAsync(baseline, png, facts, wishes, context)) };
    if (base64) return { ...facts, data: png.toString("base64") };
    const { savePictureAsync } = await import("../../files/save-picture.ts");
    const path = await savePictureAsync(chosenPath, png);
    if (open) await showAsync(path, context);
    return { ...facts, path };
  },
});

interface ComparisonWishes {
  readonly update: boolean;
  readonly mask: readonly string[];
  readonly threshold: number;
  readonly maxDiff: number;
}

function refuseWithoutBaseline({ update, mask }: ComparisonWishes): void {
  if (update || mask.length > 0)
    throw invalidInput("update and mask go with a baseline.", "Add --baseline FILE.");
}

async function heldAsync(
  file: string,
  png: Uint8Array,
  size: { readonly width: number; readonly height: number },
  wishes: ComparisonWishes & { readonly frame?: string | undefined },
  context: SessionCommandContext,
) {
  const [{ masksAsync }, { holdAgainstAsync }, { tellingNearPaths }] = await Promise.all([
    import("../../interface/picture-masks.ts"),
    import("../../files/picture-baseline.ts"),
    import("../../session/near-paths.ts"),
  ]);
  const masks = await masksAsync(
    (request) => context.callAsync("readInterface", request).catch(tellingNearPaths(context)),
    wishes.mask,
    size,
    wishes.frame,
  );
  const { written, ...result } = await holdAgainstAsync(png, { ...wishes, file, masks, updateWord: "-u" });
  return { ...result, ...(written === true ? { path: file } : {}) };
}

function comparisonText(same: boolean, pixels: number, diff: string): string {
  const count = pixels === 1 ? "1 pixel differs" : `${pixels} pixels differ`;
  if (same) return pixels === 0 ? "The picture is as expected." : `The picture is as expected: ${count}.`;
  return `The picture is not as expected: ${count}. ${visibleOnOneLine(diff)} shows what was expected, what there is, and the difference.`;
}

function leftOutLines(leftOut: Readonly<Record<string, number>>): string[] {
  const counts = Object.entries(leftOut).map(([what, count]) => `${count} ${visibleOnOneLine(what)}`);
  return counts.length === 0 ? [] : [`Not as in Studio: ${counts.join("; ")}.`];
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
