/** The list of undo steps: numbered as `sb undo N` counts them, with when each was made and what it changed. */
import type { ActionResult } from "../protocol/actions.ts";
import { defineSchema } from "../protocol/schema.ts";
import type { OutputOf, Zod } from "../protocol/schema.ts";
import type { SessionLink } from "../session/session-link.ts";
import { shownPath } from "../tree/instance-path.ts";
import { durationText } from "../util/duration-text.ts";
import type { Style } from "../util/style.ts";
import { cells, fit, pad } from "../util/text-width.ts";
import { visibleOnOneLine } from "../util/visible-controls.ts";

const stepSchema = defineSchema((z) =>
  z.object({
    /** How many steps `sb undo N` takes to reach this one. */
    number: z.int(),
    name: z.string(),
    by: z.string(),
    /** Absent for a step of a person or of another plugin. */
    at: z.string().optional(),
    /** How many Instances it changed, and the first of their paths. */
    count: z.int().optional(),
    paths: z.array(z.string()).optional(),
    /** The first line of the script that made it. */
    script: z.string().optional(),
    /** The plan of the sync that it belongs to. */
    planId: z.string().optional(),
    isPartial: z.boolean(),
    callerId: z.string(),
  }),
);
type Step = OutputOf<typeof stepSchema>;

/** Fields of the result of `sb undo` that only a list has. */
export const stepListFields = (z: Zod) => ({
  /** Newest first. */
  steps: z.array(stepSchema(z)).optional(),
  /** Also those that are not shown. */
  total: z.int().optional(),
});

export interface StepList {
  readonly steps: Step[];
  readonly total: number;
}

export async function listStepsAsync(limit: number, link: SessionLink): Promise<StepList> {
  const { steps } = await link.callAsync("listSteps", {});
  return { steps: steps.slice(0, limit).map(stepOf), total: steps.length };
}

function stepOf(
  {
    name,
    by,
    at,
    count,
    paths,
    script,
    sync,
    isPartial,
    callerId,
  }: ActionResult<"listSteps">["steps"][number],
  index: number,
): Step {
  return {
    number: index + 1,
    name,
    by,
    ...(at === undefined ? {} : { at: new Date(at).toISOString() }),
    ...(count === undefined ? {} : { count }),
    ...(paths === undefined ? {} : { paths: paths.map(shownPath) }),
    ...(script === undefined ? {} : { script }),
    ...(sync === undefined ? {} : { planId: sync.plan }),
    isPartial,
    callerId,
  };
}

export function stepListText({ steps, total }: StepList, style: Style): string {
  if (total === 0) return "sb has made no undo steps here.";
  const ages = steps.map(({ at }) =>
    at === undefined ? "" : `${durationText(Date.now() - Date.parse(at))} ago`,
  );
  const ageWidth = Math.max(...ages.map(cells));
  const numberWidth = String(steps.length).length;
  const rows = steps.map((step, index) => {
    const start = `${String(index + 1).padStart(numberWidth)}  ${pad(ages[index] ?? "", ageWidth)}  `;
    return stepText(step, start, style);
  });
  const hidden = total - steps.length;
  return [
    ...rows,
    ...(hidden > 0 ? [style.dim(`… and ${hidden} earlier; --limit ${total} shows all.`)] : []),
  ].join("\n");
}

function stepText(step: Step, start: string, style: Style): string {
  const { name, by, isPartial } = step;
  const indent = " ".repeat(cells(start));
  const width = Math.max(style.columns - cells(start), 20);
  const line = `${visibleOnOneLine(name)}  ${visibleOnOneLine(by)}`;
  const below = [
    ...(isPartial ? ["partly: the script went on afterwards"] : []),
    ...(step.planId === undefined ? [] : ["with files; `sb undo` without a number takes back both"]),
    ...workLines(step),
  ];
  return [
    `${style.dim(start)}${fit(line, width)}`,
    ...below.map((text) => style.dim(`${indent}${fit(text, width)}`)),
  ].join("\n");
}

/** Nothing where the name of the step says it already. */
function workLines({ name, count = 0, paths = [], script }: Step): readonly string[] {
  if (script !== undefined) return [visibleOnOneLine(script)];
  const shown = paths.map(visibleOnOneLine);
  if (shown.length === 0 || (count === 1 && name.includes(shown[0] ?? ""))) return [];
  const more = count - shown.length;
  return [`${shown.join(", ")}${more > 0 ? ` and ${more} more` : ""}`];
}
