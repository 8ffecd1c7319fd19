/** The steps of a list of input, and what became of each. */
import type { Zod } from "../schema.ts";

export const inputWords = [
  "click",
  "press",
  "release",
  "move",
  "scroll",
  "drag",
  "key",
  "text",
  "wait",
  "prompt",
  "detector",
  "tap",
  "collide",
] as const;
export const inputButtons = ["left", "right", "middle"] as const;
export const inputModifiers = ["shift", "ctrl", "alt", "meta"] as const;
const inputCodes = [
  "NOT_FOUND",
  "AMBIGUOUS",
  "HIDDEN",
  "COVERED",
  "OFF_SCREEN",
  "NOT_INTERACTABLE",
  "DISABLED",
  "MOVING",
  "OUT_OF_REACH",
  "NO_SIGHT",
  "UNSUPPORTED",
] as const;

const pointSchema = (z: Zod) =>
  z.object({ x: z.number().describe("From the left."), y: z.number().describe("From the top.") });

export const inputStepSchema = (z: Zod) =>
  z.object({
    do: z.enum(inputWords).describe("What is done."),
    target: z
      .string()
      .min(1)
      .optional()
      .describe("Id or path of what it is for, from the player's PlayerGui or from `game`."),
    selector: z
      .string()
      .min(1)
      .optional()
      .describe("In place of `target`: a selector that one Instance fits."),
    at: pointSchema(z)
      .optional()
      .describe("In place of `target`: a point as AbsolutePosition counts. With `drag`: where it goes."),
    with: z.string().min(1).optional().describe("With `collide`: id or path of the other part."),
    key: z.string().min(1).optional().describe("With `key`, `press` and `release`: a name of Enum.KeyCode."),
    text: z.string().optional().describe("With `text`: what is typed."),
    button: z.enum(inputButtons).optional().describe("Which button of the mouse; the left one without it."),
    count: z
      .number()
      .optional()
      .describe("How many clicks, keys or steps of the wheel; negative steps scroll up."),
    modifiers: z.array(z.enum(inputModifiers)).optional().describe("Keys that are down meanwhile."),
    ms: z.int().nonnegative().optional().describe("How long it is held, or waited for."),
  });

const named = (z: Zod) =>
  z.object({
    path: z.string().describe("Path from `game`."),
    id: z.string().describe("Id of the Instance."),
  });

export const inputRowSchema = (z: Zod) =>
  z.object({
    index: z.int().nonnegative().describe("Number of the step, from 0."),
    ok: z.boolean().describe("Whether it was done."),
    do: z.enum(inputWords).describe("What the step is."),
    target: named(z).optional().describe("What it was for."),
    at: pointSchema(z).optional().describe("Where, as AbsolutePosition counts."),
    hit: named(z).optional().describe("What a press there goes to."),
    fired: z
      .array(
        z.object({ path: z.string().describe("Path from `game`."), event: z.string().describe("Its name.") }),
      )
      .describe("Events of what was hit that fired, each once."),
    waitedMs: z.number().describe("How long it waited for its target."),
    code: z.enum(inputCodes).optional().describe("Why it failed."),
    message: z.string().optional().describe("The same as a sentence."),
    coveredBy: named(z).optional().describe("With `COVERED`: what a press there goes to."),
  });
