/** The steps of input as people and agents write them, and as the plugin receives them. */
import type { ActionRequest } from "../protocol/actions.ts";
import { inputButtons, inputModifiers, inputWords } from "../protocol/fields/input-steps.ts";
import { checkedBy, placeOf } from "../protocol/input.ts";
import { invalidInput } from "../protocol/messages.ts";
import { defineSchema, type OutputOf } from "../protocol/schema.ts";

/** Longer ones keep a player's mouse for too long. */
const LONGEST_MS = 60_000;
const MOST_COUNTS = 100;

export const stepSchema = defineSchema((z) =>
  z.strictObject({
    do: z.enum(inputWords),
    target: z.string().min(1).optional(),
    selector: z.string().min(1).optional(),
    at: z.tuple([z.number(), z.number()]).optional(),
    with: z.string().min(1).optional(),
    key: z.string().min(1).optional(),
    text: z.string().optional(),
    button: z.enum(inputButtons).optional(),
    count: z.int().min(-MOST_COUNTS).max(MOST_COUNTS).optional(),
    modifiers: z.array(z.enum(inputModifiers)).optional(),
    ms: z.int().nonnegative().max(LONGEST_MS).optional(),
  }),
);
export type Step = OutputOf<typeof stepSchema>;
export type WireStep = ActionRequest<"input">["steps"][number];
type Field = keyof Omit<Step, "do">;

const PLACE = ["target", "selector", "at"] as const;

/** What each word may have beside `do`, and what it needs one of. */
const forms: {
  readonly [Word in Step["do"]]: { readonly may: readonly Field[]; readonly needs?: readonly Field[] };
} = {
  click: { may: [...PLACE, "button", "count", "modifiers", "ms"], needs: PLACE },
  press: { may: [...PLACE, "button", "key"] },
  release: { may: [...PLACE, "button", "key"] },
  move: { may: PLACE, needs: PLACE },
  scroll: { may: [...PLACE, "count"], needs: PLACE },
  drag: { may: [...PLACE, "button"], needs: ["at"] },
  key: { may: ["key", "count", "modifiers", "ms"], needs: ["key"] },
  text: { may: ["target", "selector", "text"], needs: ["text"] },
  wait: { may: ["target", "selector", "ms"], needs: ["target", "selector", "ms"] },
  prompt: { may: ["target", "selector", "ms"], needs: ["target", "selector"] },
  detector: { may: ["target", "selector", "button"], needs: ["target", "selector"] },
  tap: { may: PLACE, needs: PLACE },
  collide: { may: ["target", "selector", "with", "ms"], needs: ["with"] },
};

/** Throws INVALID_INPUT, which names the first step that does not fit by its place in `name`. */
export function checkedSteps(list: readonly unknown[], name: string): readonly WireStep[] {
  if (list.length === 0)
    throw invalidInput("There are no steps.", 'A step is { "do": "click", "target": "Menu.Play" }.');
  return list.map((each, index) => {
    const step = checkedBy(stepSchema, each, (issues) => {
      const faults = issues.map((issue) =>
        issue.key === "" ? issue.message : `${placeOf(issue.key, issue)}: ${issue.message}`,
      );
      return badStep(name, index, faults.join("; "));
    });
    const fault = faultOf(step);
    if (fault !== undefined) throw badStep(name, index, fault);
    const { at, ...rest } = step;
    return at === undefined ? rest : { ...rest, at: { x: at[0], y: at[1] } };
  });
}

const badStep = (name: string, index: number, fault: string) =>
  invalidInput(`${name}: step ${index + 1}: ${fault}`, "`sb help input` shows examples.");

function faultOf(step: Step): string | undefined {
  const { may, needs } = forms[step.do];
  const given = (Object.keys(step) as (keyof Step)[]).filter(
    (key): key is Field => key !== "do" && step[key] !== undefined,
  );
  const extra = given.find((key) => !may.includes(key));
  if (extra !== undefined) return `${step.do} takes no ${extra}; it takes ${may.join(", ")}`;
  if (needs !== undefined && !needs.some((key) => step[key] !== undefined))
    return `${step.do} needs ${needs.join(" or ")}`;
  if (step.target !== undefined && step.selector !== undefined) return "give target or selector, not both";
  const hasObject = step.target !== undefined || step.selector !== undefined;
  if (step.do === "drag")
    return hasObject ? undefined : "drag needs target or selector, and at says where to";
  if (step.do === "collide" && !hasObject) return "collide needs target or selector, and with";
  if (hasObject && step.at !== undefined) return "give a target or at, not both";
  if (step.key !== undefined && (hasObject || step.at !== undefined || step.button !== undefined))
    return "a key has no place and no button";
  if (step.do !== "scroll" && step.count !== undefined && step.count < 1) return "count is 1 or more";
  if (step.count === 0) return "count is not 0, which would turn the wheel by nothing";
  return undefined;
}
