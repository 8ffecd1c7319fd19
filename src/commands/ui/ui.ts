/** `sb ui look` and `sb ui check`: what a user interface shows, and what is wrong with it. */
import { defineCommand } from "../../command-kit/definition.ts";
import { tellingNearPaths } from "../../session/near-paths.ts";
import { flagsOf } from "../../command-kit/words/spelling.ts";
import { findingsIn, rules } from "../../interface/findings.ts";
import { objectLine, seenObjects } from "../../interface/interface-lines.ts";
import { invalidInput } from "../../protocol/messages.ts";
import { defineSchema } from "../../protocol/schema.ts";
import type { OutputOf } from "../../protocol/schema.ts";
import { shownPath, wirePath } from "../../tree/instance-path.ts";
import type { Style } from "../../util/style.ts";
import { visibleOnOneLine } from "../../util/visible-controls.ts";
import agentDescription from "./ui.md" with { type: "text" };

const actions = ["look", "check"] as const;

const input = defineSchema((z) =>
  z.strictObject({
    action: z.enum(actions).describe("look: what can be seen; check: what is wrong"),
    root: z
      .string()
      .min(1, "a path is empty")
      .optional()
      .describe("A ScreenGui, an object in one, or what contains ScreenGuis"),
    interactive: z.boolean().default(false).describe("With look: only buttons and boxes that take text"),
    ignore: z.array(z.enum(rules)).default([]).describe("With check: rules to leave out"),
  }),
);

const output = defineSchema((z) =>
  z.object({
    root: z.string(),
    /** Left, top, width and height, in the pixels that AbsolutePosition counts; absent where there is no screen. */
    screen: z.array(z.number()).optional(),
    /** From the lowest to the highest; only for look. */
    objects: z
      .array(
        z.object({
          id: z.string(),
          path: z.string(),
          className: z.string(),
          text: z.string().optional(),
          box: z.array(z.number()),
          pressable: z.boolean().optional(),
          why: z.string().optional(),
        }),
      )
      .optional(),
    /** Only for check. */
    findings: z
      .array(z.object({ rule: z.enum(rules), path: z.string(), id: z.string(), message: z.string() }))
      .optional(),
    /** Objects that were looked at, visible or not. */
    total: z.int(),
    /** Objects beyond those that one answer of Studio has. */
    leftOut: z.int().optional(),
  }),
);
type Output = OutputOf<typeof output>;

export const command = defineCommand({
  name: "ui",
  summary: "Look at a user interface, or check it",
  description: `look shows each visible object of the user interface with its rectangle, from the lowest to the highest, and whether a press reaches it. check finds texts that do not fit, visible objects without a size, objects off the screen, buttons that overlap, and buttons that something covers; it exits with 1 where it finds one. The rules are ${rules.join(", ")}. They look at the client of the running test, else at StarterGui. The attribute SbIgnore of an object, true or the name of a rule, leaves out findings of it and of what is in it.`,
  agentDescription,
  group: "Studio",
  examples: [
    { command: "sb ui look", note: "each visible object, in the order of painting" },
    { command: "sb ui look StarterGui.Menu --interactive", note: "buttons and boxes that take text" },
    { command: "sb ui check --player 2", note: "of the second client" },
    { command: "sb ui check --ignore off-screen", note: "" },
  ],
  toolGroups: ["look", "play"],
  surfaces: ["cli", "terminal", "mcp"],
  target: "session",
  waitsFor: "readInterface",
  defaultContext: "client",
  namesContext: () => true,
  answersByExitCode: ({ action }) => action === "check",
  annotations: { readOnly: true, destructive: false, idempotent: true },
  input,
  output,
  cli: {
    positionals: [
      { key: "action", label: "ACTION", required: true },
      { key: "root", label: "ROOT" },
    ],
    flags: flagsOf(input, {
      interactive: "boolean",
      ignore: { kind: "list", label: "RULE" },
    }),
  },
  failed: ({ findings = [] }) => findings.length > 0,
  format: (answer, style) => answerText(answer, style),
  agentOutput: ({ objects, ...rest }) =>
    objects === undefined ? rest : { ...rest, look: objects.map(objectLine).join("\n") },
  async handler({ action, root, interactive, ignore }, context) {
    checkFlags(action, interactive, ignore.length > 0);
    const read = await context
      .callAsync("readInterface", root === undefined ? {} : { path: wirePath(root) })
      .catch(tellingNearPaths(context));
    const objects = read.objects.map((object) => ({ ...object, path: shownPath(object.path) }));
    const shown = { ...read, objects };
    const leftOut = read.total - objects.length;
    return {
      root: shownPath(read.root),
      ...(read.screen === undefined ? {} : { screen: [...read.screen] }),
      ...(action === "look"
        ? { objects: seenObjects(shown, interactive).map((each) => ({ ...each, box: [...each.box] })) }
        : { findings: [...findingsIn(shown, ignore)] }),
      total: read.total,
      ...(leftOut === 0 ? {} : { leftOut }),
    };
  },
});

function checkFlags(action: (typeof actions)[number], interactive: boolean, ignores: boolean): void {
  if (action === "check" && interactive)
    throw invalidInput("interactive goes with look.", "check looks at every object.");
  if (action === "look" && ignores) throw invalidInput("ignore goes with check.", "look shows no findings.");
}

function answerText({ root, objects, findings, total, leftOut = 0 }: Output, style: Style): string {
  const rest = leftOut === 0 ? [] : [style.dim(`${leftOut} more were not looked at; name a part as ROOT.`)];
  if (objects !== undefined) {
    const none = `Nothing of ${visibleOnOneLine(root)} can be seen; it has ${total} objects that are not hidden.`;
    return [
      ...(objects.length === 0 ? [none] : objects.map((each) => style.body(objectLine(each)))),
      ...rest,
    ].join("\n");
  }
  const lines = (findings ?? []).map(
    ({ rule, path, id, message }) =>
      `${style.yellow(rule)} ${style.body(visibleOnOneLine(path))} ${style.dim(id)}: ${style.body(message)}`,
  );
  const clean = `Nothing is wrong with the ${total} objects of ${visibleOnOneLine(root)} that are not hidden.`;
  return [...(lines.length === 0 ? [clean] : lines), ...rest].join("\n");
}
