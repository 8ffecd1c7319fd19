/** `sb input`: mouse, keyboard and text for the player of a running test. */
import { defineCommand } from "../../command-kit/definition.ts";
import type { CommandContext, SessionCommandContext } from "../../command-kit/context.ts";
import { flagsOf } from "../../command-kit/words/spelling.ts";
import { StudioBridgeError } from "../../protocol/errors.ts";
import { giveInputAsync } from "../../input/give-input.ts";
import { checkedSteps, type WireStep } from "../../input/steps.ts";
import { isInputWord, stepsInFileAsync, typedStep } from "../../input/typed-steps.ts";
import { inputButtons, inputModifiers, inputWords } from "../../protocol/fields/input-steps.ts";
import { invalidInput } from "../../protocol/messages.ts";
import { defineSchema, type OutputOf } from "../../protocol/schema.ts";
import type { Style } from "../../util/style.ts";
import { visibleOnOneLine } from "../../util/visible-controls.ts";
import agentDescription from "./input.md" with { type: "text" };

/** How long a step waits for its target without --timeout. */
const STEP_MS = 5_000;

const STEPS = `{do, target?, selector?, at?: [x, y], with?, key?, text?, button?, count?, modifiers?, ms?}; do: ${inputWords.join(", ")}; drag: from target to at; scroll: count wheel steps, negative is up; press and release also take key; collide: parts target and with touch until release of target, or the end`;

const input = defineSchema((z) =>
  z.strictObject({
    steps: z.array(z.record(z.string(), z.unknown())).optional().describe(STEPS),
    word: z.string().min(1).optional().describe("What to do, or a JSON file of steps, - for stdin"),
    target: z.string().min(1).optional().describe("Id, path or X,Y; with key the key, with wait the time"),
    value: z
      .string()
      .optional()
      .describe("With text what is typed, with drag X,Y, with collide the other part"),
    selector: z.string().min(1).optional().describe("In place of a target: what one Instance fits"),
    button: z.enum(inputButtons).optional().describe("Button of the mouse: left, right or middle"),
    count: z.number().optional().describe("Clicks, keys or steps of the wheel; negative steps scroll up"),
    modifiers: z
      .array(z.enum(inputModifiers))
      .optional()
      .describe("Keys that are down meanwhile: shift, ctrl, alt, meta"),
    hold: z.number().optional().describe("How long it is held"),
    key: z.string().min(1).optional().describe("With press and release: a key"),
    force: z.boolean().default(false).describe("Do not check what a press would hit"),
    trial: z.boolean().default(false).describe("Only check the targets"),
  }),
);
type Input = OutputOf<typeof input>;

const output = defineSchema((z) => {
  const named = z.object({ path: z.string(), id: z.string() });
  return z.object({
    ok: z.boolean(),
    steps: z.array(
      z.object({
        index: z.int(),
        ok: z.boolean(),
        do: z.enum(inputWords),
        target: named.optional(),
        at: z.array(z.number()).optional(),
        hit: named.nullable(),
        fired: z.array(z.object({ path: z.string(), event: z.string() })),
        waitedMs: z.number(),
        code: z.string().optional(),
        message: z.string().optional(),
        coveredBy: named.optional(),
      }),
    ),
    /** Keys and buttons that a failed list left down. */
    released: z.array(z.string()).optional(),
  });
});
type Output = OutputOf<typeof output>;

export const command = defineCommand({
  name: "input",
  summary: "Press and type as the player of a test",
  description:
    "Gives mouse, keyboard and text to the client of the running test. A target is an id or a path, from the player's PlayerGui first, then from game; X,Y is a point as AbsolutePosition counts. A step waits until its target is there, visible, still, enabled, and what a press there hits. The first step that fails ends the list, releases what is down, and makes the exit code 1. The words are click, press, release, move, scroll, drag, key, text, wait, prompt and detector; and tap and collide, which only headless Studio has.",
  agentDescription,
  group: "Studio",
  examples: [
    { command: "sb input click Menu.Play", note: "of the first client" },
    { command: "sb input key E --hold 500ms", note: "" },
    { command: "sb input text Menu.Nick 'Ada'", note: "" },
    { command: "sb input prompt Workspace.Door.Prompt", note: "holds it" },
    { command: "sb input detector Workspace.Button.ClickDetector", note: "" },
    { command: "sb input collide Workspace.Ball Workspace.Goal", note: "headless" },
    { command: "sb input scroll Menu.List --count 3", note: "down" },
    { command: "sb input drag Menu.Knob 300,200", note: "" },
    { command: `echo '[{"do":"press","key":"W"},{"do":"wait","ms":500}]' | sb input -`, note: "" },
  ],
  toolGroups: ["play", "ui"],
  surfaces: ["cli", "terminal", "mcp"],
  target: "session",
  waitsFor: "input",
  defaultContext: "client",
  namesContext: () => true,
  answersByExitCode: () => true,
  annotations: { readOnly: false, destructive: true, idempotent: false },
  input,
  output,
  personalInput: ["word", "target", "value", "selector", "button", "count", "modifiers", "hold", "key"],
  cli: {
    positionals: [
      { key: "word", label: "WORD|FILE", required: true, values: inputWords },
      { key: "target", label: "TARGET" },
      { key: "value", label: "VALUE" },
    ],
    flags: flagsOf(input, {
      selector: "string",
      button: "string",
      count: "number",
      modifiers: { kind: "list", label: "KEY" },
      hold: { kind: "time", label: "TIME" },
      key: "string",
      force: "boolean",
      trial: "boolean",
    }),
  },
  failed: ({ ok }) => !ok,
  format: (answer, style) => answerText(answer, style),
  async prepareAsync(wish, context) {
    const steps = await stepsOfAsync(wish, context);
    return (session) => giveAsync(steps, wish, session);
  },
});

async function stepsOfAsync({ steps, word, ...typed }: Input, context: CommandContext) {
  if (steps !== undefined) return checkedSteps(steps, "steps");
  if (word === undefined) throw invalidInput("There are no steps.", "Give a word, such as click, or a file.");
  if (isInputWord(word)) return checkedSteps([typedStep(word, typed)], word);
  return stepsInFileAsync(word, () => context.readStdinAsync());
}

async function giveAsync(
  steps: readonly WireStep[],
  { force, trial }: Input,
  context: SessionCommandContext,
): Promise<Output> {
  if (context.session.context !== "client") throw noClient(context.session.context);
  context.status("Giving input");
  const session = context.bridge.session(context.session.sessionId);
  const timeoutMs = context.timeoutMs ?? STEP_MS;
  return giveInputAsync(session, { steps, timeoutMs, force, trial }, context.signal);
}

function noClient(where: string): StudioBridgeError {
  return new StudioBridgeError(
    "CONTEXT_UNAVAILABLE",
    `Input is given to a player, and ${where === "server" ? "the server of a test" : "the edited place"} has none.`,
    { hint: "Start a test with `sb play start`; its clients have players." },
  );
}

function answerText({ steps, released = [] }: Output, style: Style): string {
  const lines = steps.map((step) => {
    const where = step.target?.path ?? step.at?.map((each) => Math.round(each)).join(",") ?? "";
    const what = `${step.do} ${visibleOnOneLine(where)}`.trim();
    if (!step.ok)
      return `${style.red(step.code ?? "failed")} ${style.body(what)}: ${style.body(step.message ?? "")}`;
    const events = [...new Set(step.fired.map(({ event }) => event))].join(", ");
    return `${style.body(what)}${events === "" ? "" : style.dim(` (${events})`)}`;
  });
  const rest = released.length === 0 ? [] : [style.dim(`Released: ${released.join(", ")}.`)];
  return [...lines, ...rest].join("\n");
}
