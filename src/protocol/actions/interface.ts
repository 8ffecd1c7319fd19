/** Requests about user interfaces. */
import { looks, runs } from "../classes.ts";
import { inputStepSchema, inputRowSchema } from "../fields/input-steps.ts";
import { namedInstance } from "../fields/instances.ts";
import { defineSchema, type Zod } from "../schema.ts";
import { type ActionRows, STUDIO_BUSY } from "./row.ts";

const box = (z: Zod) => z.tuple([z.number(), z.number(), z.number(), z.number()]);

const viewportFields = (z: Zod) =>
  z.object({
    width: z.number().positive().describe("In units of the interface."),
    height: z.number().positive().describe("In units of the interface."),
    scale: z.number().positive().optional().describe("Pixels of a unit; 1 without it."),
    insets: z
      .array(z.number())
      .max(4)
      .optional()
      .describe("Cut-outs around it: left, top, right, bottom. None without it."),
  });

/** How many objects a reply has, if the request does not say it. */
const MOST_OBJECTS = 2_000;

export const interfaceActions = {
  readInterface: {
    reply: "interfaceResult",
    class: looks(),
    subject: "Looking at the interface",
    capability: "looking at interfaces",
    timeoutMs: 10_000,
    lateHint: STUDIO_BUSY,
    retrySafe: true,
    request: defineSchema((z) =>
      z
        .object({
          path: z
            .string()
            .min(1)
            .optional()
            .describe(
              "Path from `game` to a canvas, an object in one, or what contains screens; without it the player's interface, and in the edited place StarterGui.",
            ),
          viewport: viewportFields(z)
            .optional()
            .describe("The screen while it is looked at. Headless Studio alone."),
          limit: z.int().positive().default(MOST_OBJECTS).describe("How many objects to give at most."),
        })
        .describe("Asks what a user interface shows."),
    ),
    result: defineSchema((z) =>
      z
        .object({
          root: z.string().describe("Path from `game` of what was looked at."),
          screen: box(z)
            .optional()
            .describe("Left, top, width and height of the screen; absent where there is none."),
          objects: z
            .array(
              z.object({
                ...namedInstance(z),
                name: z.string().describe("Name of the object."),
                className: z.string().describe("Class of the object."),
                parent: z
                  .int()
                  .nonnegative()
                  .optional()
                  .describe("Number in this list, from 0, of the closest ancestor that is in it."),
                box: box(z).describe("Left, top, width and height, in pixels of the canvas."),
                seen: box(z).describe("The same of the part that no ancestor clips."),
                isPressable: z.boolean().describe("A button, or a box that takes text."),
                isInteractable: z.boolean().describe("Its own `Interactable`."),
                sinks: z.boolean().describe("Keeps a press from what is below it."),
                text: z.string().optional().describe("The text that it shows."),
                textFits: z.boolean().optional().describe("Whether the whole text is shown."),
                ignores: z
                  .string()
                  .optional()
                  .describe("Its attribute `SbIgnore`: the name of a rule, or `all`."),
              }),
            )
            .describe("What is not hidden, from the lowest to the highest."),
          total: z.int().nonnegative().describe("How many objects there are."),
        })
        .describe("What the interface shows."),
    ),
  },
  setViewport: {
    reply: "viewportResult",
    class: looks(),
    subject: "Changing the viewport",
    capability: "another viewport",
    timeoutMs: 5_000,
    lateHint: STUDIO_BUSY,
    retrySafe: true,
    request: defineSchema((z) =>
      z
        .object({
          viewport: viewportFields(z).optional().describe("Without it, the one of its start again."),
        })
        .describe("Gives a DataModel of headless Studio another screen."),
    ),
    result: defineSchema((z) => z.object({}).describe("Confirms it.")),
  },
  input: {
    reply: "inputResult",
    class: runs(),
    subject: "Input",
    capability: "giving input",
    timeoutMs: 30_000,
    lateHint: STUDIO_BUSY,
    retrySafe: false,
    request: defineSchema((z) =>
      z
        .object({
          steps: z.array(inputStepSchema(z)).describe("What is done, in this order."),
          timeoutMs: z
            .int()
            .nonnegative()
            .default(5_000)
            .describe("How long each step waits for its target at most."),
          force: z
            .boolean()
            .default(false)
            .describe("Only looks where the target is, and checks nothing else."),
          trial: z.boolean().default(false).describe("Only checks the targets, and gives no input."),
        })
        .describe("Gives input to the player of a client."),
    ),
    result: defineSchema((z) =>
      z
        .object({
          ok: z.boolean().describe("False where a step failed, which is then the last one."),
          steps: z.array(inputRowSchema(z)).describe("What became of each step that was begun."),
          released: z
            .array(z.string())
            .describe("What a failed list left down, which was released: keys and buttons."),
        })
        .describe("What the input did."),
    ),
  },
} as const satisfies ActionRows;
