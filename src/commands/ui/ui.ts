/** `sb ui look` and `sb ui check`: what a user interface shows, and what is wrong with it. */
import type { SessionCommandContext } from "../../command-kit/context.ts";
import { defineCommand } from "../../command-kit/definition.ts";
import { tellingNearPaths } from "../../session/near-paths.ts";
import { flagsOf } from "../../command-kit/words/spelling.ts";
import { findingsIn, rules } from "../../interface/findings.ts";
import { objectLine, seenObjects } from "../../interface/interface-lines.ts";
import { ownPathAsync } from "../../interface/own-path.ts";
import type { ReadsInterface } from "../../interface/picture-masks.ts";
import { screenChoice, viewportSchema } from "../../project/screen-choice.ts";
import { StudioBridgeError } from "../../protocol/errors.ts";
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
    viewports: z.array(viewportSchema(z)).default([]).describe("With check, headless: on these screens, WxH"),
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
      .array(
        z.object({
          rule: z.enum(rules),
          path: z.string(),
          id: z.string(),
          /** Absent where there is no screen. */
          viewport: z.string().optional(),
          message: z.string(),
        }),
      )
      .optional(),
    /** The screens that were checked, if some were named. */
    viewports: z.array(z.string()).optional(),
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
  description:
    "look shows each visible object of the user interface with its rectangle, from the lowest to the highest, and whether a press reaches it. check finds texts that do not fit, visible objects without a size, objects off the screen, buttons that overlap, and buttons that something covers; it exits with 1 where it finds one. They look at the client of the running test, else at StarterGui. The attribute SbIgnore of an object, true or the name of a rule, leaves out findings of it and of what is in it.",
  agentDescription,
  group: "Studio",
  examples: [
    { command: "sb ui look", note: "each visible object, in the order of painting" },
    { command: "sb ui look StarterGui.Menu --interactive", note: "buttons and boxes that take text" },
    { command: "sb ui check --player 2", note: "of the second client" },
    { command: "sb ui check --ignore off-screen", note: "" },
    { command: "sb ui check --viewports 1920x1080,844x390", note: "headless: on each of these screens" },
  ],
  toolGroups: ["look", "play", "ui"],
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
      ignore: {
        kind: "list",
        label: "RULE",
        describe: () => `With check: rules to leave out, of ${rules.join(", ")}`,
      },
      viewports: { kind: "list", label: "WxH" },
    }),
  },
  failed: ({ findings = [] }) => findings.length > 0,
  format: (answer, style) => answerText(answer, style),
  agentOutput: ({ objects, ...rest }) =>
    objects === undefined ? rest : { ...rest, look: objects.map(objectLine).join("\n") },
  async handler({ action, root, ...wishes }, context) {
    checkFlags(action, wishes);
    if (action === "check") return checkedAsync(context, root, wishes);
    const read = await readAsync(context, root);
    const objects = seenObjects(read, wishes.interactive).map((each) => ({ ...each, box: [...each.box] }));
    return { ...factsOf(read), objects };
  },
});

type Wishes = Pick<OutputOf<typeof input>, "interactive" | "ignore" | "viewports">;
type Read = Awaited<ReturnType<typeof readAsync>>;

function checkFlags(action: (typeof actions)[number], { interactive, ignore, viewports }: Wishes): void {
  if (action === "check" && interactive)
    throw invalidInput("interactive goes with look.", "check looks at every object.");
  if (action === "check") return;
  if (ignore.length > 0) throw invalidInput("ignore goes with check.", "look shows no findings.");
  if (viewports.length > 0) throw invalidInput("viewports goes with check.", "look shows one screen.");
}

/** What an interface shows, on another screen where one is named. */
async function readAsync(context: SessionCommandContext, root: string | undefined, word?: string) {
  const viewport = screenChoice({ viewport: word })?.viewport;
  const requestAsync: ReadsInterface = (request) => context.callAsync("readInterface", request);
  const path = root === undefined ? undefined : wirePath(await ownPathAsync(requestAsync, root));
  const read = await context
    .callAsync("readInterface", {
      ...(path === undefined ? {} : { path }),
      ...(viewport === undefined ? {} : { viewport }),
    })
    .catch(tellingNearPaths(context));
  return { ...read, objects: read.objects.map((object) => ({ ...object, path: shownPath(object.path) })) };
}

function factsOf({ root, screen, objects, total }: Read) {
  const leftOut = total - objects.length;
  return {
    root: shownPath(root),
    ...(screen === undefined ? {} : { screen: [...screen] }),
    total,
    ...(leftOut === 0 ? {} : { leftOut }),
  };
}

/** The facts are those of the last screen, and the findings those of all. */
async function checkedAsync(
  context: SessionCommandContext,
  root: string | undefined,
  { ignore, viewports }: Wishes,
): Promise<Output> {
  if (viewports.length > 0 && context.session.origin !== "headless")
    throw new StudioBridgeError(
      "CAPABILITY_NOT_SUPPORTED",
      "UNSUPPORTED: the viewport of Roblox Studio has the size of its window, so that only headless Studio checks others.",
      { hint: "Check without --viewports, or add --headless." },
    );
  const findings: NonNullable<Output["findings"]> = [];
  const checkAsync = async (word?: string) => {
    const read = await readAsync(context, root, word);
    const viewport = word ?? (read.screen === undefined ? undefined : `${read.screen[2]}x${read.screen[3]}`);
    for (const { message, ...finding } of findingsIn(read, ignore))
      findings.push({ ...finding, ...(viewport === undefined ? {} : { viewport }), message });
    return factsOf(read);
  };
  let facts = viewports.length === 0 ? await checkAsync() : undefined;
  for (const word of viewports) facts = await checkAsync(word);
  if (facts === undefined) throw new Error("a check looks at one screen at least");
  return { ...facts, findings, ...(viewports.length === 0 ? {} : { viewports: [...viewports] }) };
}

function answerText(
  { root, objects, findings, viewports = [], total, leftOut = 0 }: Output,
  style: Style,
): string {
  const rest = leftOut === 0 ? [] : [style.dim(`${leftOut} more were not looked at; name a part as ROOT.`)];
  if (objects !== undefined) {
    const none = `Nothing of ${visibleOnOneLine(root)} can be seen; it has ${total} objects that are not hidden.`;
    return [
      ...(objects.length === 0 ? [none] : objects.map((each) => style.body(objectLine(each)))),
      ...rest,
    ].join("\n");
  }
  const lines = (findings ?? []).map(
    ({ rule, path, id, viewport, message }) =>
      `${viewports.length <= 1 ? "" : `${viewport} `}${style.yellow(rule)} ${style.body(visibleOnOneLine(path))} ${style.dim(id)}: ${style.body(message)}`,
  );
  const clean = `Nothing is wrong with the ${total} objects of ${visibleOnOneLine(root)} that are not hidden${viewports.length <= 1 ? "" : `, on ${viewports.length} screens`}.`;
  return [...(lines.length === 0 ? [clean] : lines), ...rest].join("\n");
}
