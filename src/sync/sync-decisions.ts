/** What a person is asked about a plan: one decision for each open Instance, with what both sides hold. */
import type { Decision, DecisionAnswers, DecisionOption } from "../output/decisions.ts";
import { diffText, unifiedDiff } from "../scripts/unified-diff.ts";
import { valuesOf } from "./plan/summary.ts";
import type { SyncPlan } from "./plan/plan.ts";
import type { Decided } from "./run-sync.ts";
import type { Override, PlanItem } from "./types.ts";
import type { Style } from "../util/style.ts";
import { fit } from "../util/text-width.ts";
import { visibleOnOneLine } from "../util/visible-controls.ts";
import { isHeld, reasonText } from "./plan/sentences.ts";

const LARGE = "large";
const CONFIRM = "confirm";
const YES = "yes";
const NO = "no";
/** More lines would scroll the beginning of a diff off the screen. */
const MAX_DETAIL_LINES = 40;

/** `counterpart`: what Studio's side is called. `asksToConfirm`: the person has to agree to the rest, too. */
export function decisionsOf(plan: SyncPlan, counterpart: Side, asksToConfirm: boolean): readonly Decision[] {
  const { items, massRemoval, manyOverwrites } = plan;
  const held = [massRemoval?.detail, manyOverwrites?.detail].filter((detail) => detail !== undefined);
  const open = items.filter(({ verdict, reason }) => verdict === "unresolved" && !isHeld(reason));
  // An Instance may have several open items, which one answer decides.
  const byId = Map.groupBy(open, ({ id }) => id);
  return [
    ...(held.length === 0 ? [] : [largePlanDecision(held)]),
    ...[...byId.values()].map((each) => itemDecision(plan, each, counterpart)),
    ...(asksToConfirm ? [confirmDecision(items.length - open.length)] : []),
  ];
}

export interface Side {
  readonly label: string;
  readonly isWritable: boolean;
}

export function decidedBy(answers: DecisionAnswers): Decided {
  if (answers === "declined" || answers.get(CONFIRM) === NO || answers.get(LARGE) === NO) return "declined";
  const overrides = [...answers].flatMap(([to, direction]): Override[] =>
    isDirection(direction) ? [{ to, direction }] : [],
  );
  return { overrides, agrees: answers.get(LARGE) === YES };
}

const isDirection = (value: string): value is Override["direction"] =>
  value === "push" || value === "pull" || value === "merge" || value === "skip";

const largePlanDecision = (details: readonly string[]): Decision => ({
  key: LARGE,
  question: `A large plan: ${details.join(", and ")}.`,
  detail: () => "",
  isForTerminal: true,
  options: [
    { value: NO, key: "n", label: "change nothing" },
    { value: YES, key: "y", label: "do that" },
  ],
});

const confirmDecision = (count: number): Decision => ({
  key: CONFIRM,
  question: `Apply the plan, with ${count} decided ${count === 1 ? "change" : "changes"}?`,
  detail: () => "",
  options: [
    { value: NO, key: "n", label: "change nothing" },
    { value: YES, key: "y", label: "apply it" },
  ],
});

function itemDecision(plan: SyncPlan, items: readonly PlanItem[], side: Side): Decision {
  const [first] = items;
  const why = first?.detail ?? reasonText(first?.reason) ?? "";
  return {
    key: first?.id ?? "",
    question: `${visibleOnOneLine(first?.path ?? "")}${why === "" ? "" : `: ${why}`}`,
    detail: (style) => items.map((item) => detailText(plan, item, side, style)).join("\n"),
    options: first === undefined ? [] : optionsFor(plan, first, items, side),
  };
}

function optionsFor(
  { state }: SyncPlan,
  first: PlanItem,
  items: readonly PlanItem[],
  { label, isWritable }: Side,
): readonly DecisionOption[] {
  const { file, studio } = first;
  const entry = state.entryOf.get(first);
  const isOneWay = entry !== undefined && state.limits.isOneWay(entry);
  const push = file === undefined ? `files: remove it from ${label}` : "files: take what the files say";
  const pull = studio === undefined ? `${label}: remove its files` : `${label}: take what is there`;
  const canMerge = isWritable && items.some(({ merged }) => merged !== undefined);
  return [
    { value: "skip", key: "n", label: "neither: leave both as they are" },
    ...(isWritable ? [{ value: "push", key: "f", label: push }] : []),
    ...(isOneWay ? [] : [{ value: "pull", key: "s", label: pull }]),
    ...(canMerge ? [{ value: "merge", key: "m", label: "merge both changes" }] : []),
  ];
}

/** What differs, from the files (-) to Studio (+): sources as a diff, everything else by value. */
function detailText(plan: SyncPlan, item: PlanItem, { label }: Side, style: Style): string {
  const { before: studio = {}, after: files = {} } = valuesOf(plan, item);
  const names = new Set([...Object.keys(files), ...Object.keys(studio)]);
  const fitted = (text: string) => fit(visibleOnOneLine(text), style.columns);
  const lines = [...names].flatMap((name) => {
    const [file, other] = [files[name], studio[name]];
    if (name === "Source" && typeof file === "string" && typeof other === "string") {
      const diff = unifiedDiff(item.fsPath ?? item.path, file, other)
        .trimEnd()
        .split("\n");
      return diffText(diff.map((line) => fit(line, style.columns)).join("\n"), style).split("\n");
    }
    return [
      ...(file === undefined ? [] : [style.red(fitted(`- ${name}: ${valueText(file)}  (files)`))]),
      ...(other === undefined ? [] : [style.green(fitted(`+ ${name}: ${valueText(other)}  (${label})`))]),
    ];
  });
  const shown = lines.slice(0, MAX_DETAIL_LINES);
  const left = lines.length - shown.length;
  return [...shown, ...(left > 0 ? [style.dim(`… and ${left} more lines`)] : [])].join("\n");
}

const valueText = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));
