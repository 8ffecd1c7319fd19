/** What people are told of a plan: why an item is open, and what became of an override. */
import { visibleOnOneLine } from "../../util/visible-controls.ts";

const reasons: { readonly [reason: string]: string } = {
  both_changed: "both sides changed",
  delete_vs_edit: "removed on one side, changed on the other",
  ambiguous_match: "several Instances fit",
  no_base: "both sides differ, and nothing shows which one is newer",
};

/** Whether an item only waits for the rest of a large plan. */
export const isHeld = (reason: string | undefined): boolean =>
  reason === "mass_removal" || reason === "many_overwrites";

/** Undefined where the verdict says it already. */
export const reasonText = (reason: string | undefined): string | undefined => reasons[reason ?? ""];

/** What became of an override. */
interface Reply {
  readonly index: number;
  readonly answer: string;
  readonly detail?: string | undefined;
}

const answers: { readonly [answer: string]: string } = {
  unknown_id: "the plan has no such item",
  hash_mismatch: "the source has changed since then",
  property_mismatch: "the properties have changed since then",
  not_applicable: "the item cannot go that way",
  invalid: "it matches several Instances",
};

/** Why an override was not used, in a sentence. */
export function replyText({ index, answer, detail }: Reply): string {
  if (answer === "applied") return `Override ${index + 1}: ${visibleOnOneLine(detail ?? "")}.`;
  return `Override ${index + 1} was not used: ${visibleOnOneLine(detail ?? answers[answer] ?? answer)}.`;
}
