/** What becomes of a sync in words: its status, its exit code, and the plan as the JSON that commands and tools give. */
import type { SerializedValue } from "../../protocol/values.ts";
import type { ItemResult, PlanItem, SyncMode, Verdict } from "../types.ts";
import { aspectJson } from "./aspect-json.ts";
import { contentHash } from "./content-hash.ts";
import type { SyncPlan } from "./plan-state.ts";
import type { OverrideReply } from "./resolve.ts";

export type SyncStatus =
  | "success"
  /** There is nothing to apply. */
  | "empty"
  | "dryrun"
  /** A person refused, or none could be asked. */
  | "rejected"
  | "fastfail_unresolved"
  | "partial_failure"
  | "interrupted";

/** What a run does next: apply the plan, ask a person first, or end with a status. */
export type NextStep = "apply" | "choose" | "confirm" | SyncStatus;

export interface RunFacts {
  readonly mode: SyncMode;
  /** Whether a person can be asked. */
  readonly canAsk: boolean;
  /** Whether what is resolved is applied although something else is not. */
  readonly isPartial: boolean;
}

export const isApplied = (verdict: Verdict): boolean =>
  verdict === "push" || verdict === "pull" || verdict === "merge";

/** `choose` and `confirm` come again until the person has chosen; the caller then takes `apply` or `rejected`. */
export function nextStep({ items }: SyncPlan, { mode, canAsk, isPartial }: RunFacts): NextStep {
  if (mode === "dryrun") return "dryrun";
  const hasUnresolved = items.some(({ verdict }) => verdict === "unresolved");
  const hasResolved = items.some(({ verdict }) => isApplied(verdict));
  if (!hasUnresolved && !hasResolved) return "empty";
  if (mode === "manual") return canAsk ? "confirm" : "rejected";
  if (!hasUnresolved) return "apply";
  if (mode === "standard" && canAsk) return "choose";
  return isPartial && hasResolved ? "apply" : "fastfail_unresolved";
}

/** `results` are those of the items that were to be applied, after they were read back. */
export const appliedStatus = (results: readonly ItemResult[]): SyncStatus =>
  results.every(({ applied }) => applied) ? "success" : "partial_failure";

/** What cannot be otherwise, or is as the project wants it. */
const QUIET_REASONS = new Set<string | undefined>([undefined, "unwritable", "left_out"]);

/** Whether a difference stays because that is so, or because a person wants it; nothing is to be done about it. */
export const isAccepted = ({ verdict, reason }: { verdict: Verdict; reason?: string | undefined }): boolean =>
  verdict === "skip" && QUIET_REASONS.has(reason);

export interface SummaryOptions {
  readonly planId: string;
  readonly mode: SyncMode;
  readonly status: SyncStatus;
  readonly overrides?: readonly OverrideReply[];
  readonly results?: readonly ItemResult[];
  /** Adds the values before and after, as for a dry run. */
  readonly hasValues: boolean;
}

export interface SyncSummary {
  readonly status: SyncStatus;
  readonly planId: string;
  readonly mode: SyncMode;
  readonly items: readonly ItemSummary[];
  readonly overrides: readonly OverrideReply[];
  readonly counts: Readonly<Record<Verdict, number>>;
}

export interface ItemSummary {
  readonly id: string;
  readonly path: string;
  readonly fsPath?: string;
  readonly className: string;
  readonly change: PlanItem["change"];
  readonly verdict: Verdict;
  readonly reason?: string;
  readonly detail?: string;
  readonly proposed?: Verdict;
  /** Whether the item was applied and read back; missing where nothing was to be applied. */
  readonly applied?: boolean;
  readonly failure?: string;
  /** Of what each side holds, for an override that must not meet another state. */
  readonly fileHash?: string;
  readonly studioHash?: string;
  readonly canMerge?: true;
  readonly before?: Readonly<Record<string, SerializedValue>>;
  readonly after?: Readonly<Record<string, SerializedValue>>;
}

export function summaryOf(plan: SyncPlan, options: SummaryOptions): SyncSummary {
  const { planId, mode, status, overrides = [], results = [], hasValues } = options;
  const counts: Record<Verdict, number> = { push: 0, pull: 0, skip: 0, merge: 0, none: 0, unresolved: 0 };
  for (const { verdict } of plan.items) counts[verdict]++;
  const byItem = new Map(results.map((result) => [result.item, result]));
  const items = plan.items.map((item) => itemSummary(plan, item, byItem.get(item), hasValues));
  return { status, planId, mode, items, overrides, counts };
}

function itemSummary(
  plan: SyncPlan,
  item: PlanItem,
  result: ItemResult | undefined,
  hasValues: boolean,
): ItemSummary {
  const { id, path, fsPath, className, change, verdict, reason, detail, proposed, file, studio, merged } =
    item;
  const { normalizer } = plan.state.options;
  return {
    id,
    path,
    ...(fsPath === undefined ? {} : { fsPath }),
    className,
    change,
    verdict,
    ...(reason === undefined ? {} : { reason }),
    ...(detail === undefined ? {} : { detail }),
    ...(proposed === undefined ? {} : { proposed }),
    ...(result === undefined ? {} : { applied: result.applied }),
    ...(result?.reason === undefined ? {} : { failure: result.reason }),
    ...(file === undefined ? {} : { fileHash: contentHash(file, normalizer) }),
    ...(studio === undefined ? {} : { studioHash: contentHash(studio, normalizer) }),
    ...(merged === undefined ? {} : { canMerge: true }),
    ...(hasValues ? valuesOf(plan, item) : {}),
  };
}

/**
 * What the side that changes holds now and would hold, by aspect: `Source`, `Name`, names of properties, and
 * `@NAME` for attributes, `#NAME` for tags. For an unresolved item, what Studio and what the files hold.
 */
export function valuesOf(plan: SyncPlan, item: PlanItem): Pick<ItemSummary, "before" | "after"> {
  const { state } = plan;
  const isPull = (item.proposed ?? item.verdict) === "pull";
  const before: Record<string, SerializedValue> = {};
  const after: Record<string, SerializedValue> = {};
  for (const aspect of item.aspects) {
    const label = labelOf(aspect);
    const [now, then] = isPull ? [aspect.file, aspect.studio] : [aspect.studio, aspect.file];
    const nowJson = aspectJson(state, item, aspect, now);
    if (nowJson !== undefined) before[label] = nowJson;
    const thenJson = aspectJson(state, item, aspect, then);
    if (item.verdict === "merge" && aspect.aspect === "source") after[label] = item.merged ?? null;
    else if (thenJson !== undefined) after[label] = thenJson;
  }
  return { before, after };
}

const LABELS = { name: "Name", className: "ClassName", parent: "Parent", source: "Source" } as const;

function labelOf({ aspect, name = "" }: PlanItem["aspects"][number]): string {
  if (aspect === "attribute") return `@${name}`;
  if (aspect === "tag") return `#${name}`;
  return aspect === "property" || aspect === "reference" ? name : LABELS[aspect];
}
