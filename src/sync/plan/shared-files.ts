/**
 * One file may make several Instances, because several nodes of a project name it. What is pulled into it from one of them is
 * pushed to the others; what Studio has changed in different ways is open.
 */
import type { AspectChange, PlanItem } from "../types.ts";
import { isPair, type PairEntry, textValue } from "./aspects.ts";
import { makeItem, type SyncPlan } from "./plan-state.ts";

/** May be called again once choices have been made. */
export function settleSharedFiles({ items, state }: SyncPlan): void {
  const kept = items.filter((item) => !state.mirrored.has(item));
  state.mirrored.clear();
  items.splice(0, items.length, ...kept);
  const pulls = Map.groupBy(items.filter(isPulledSource), ({ file }) => file?.file ?? "");
  if (pulls.size === 0) return;
  for (const [path, twins] of sharedBy(pulls, state.entries.all.filter(isPair))) {
    const pulled = pulls.get(path) ?? [];
    const [text, ...others] = new Set(pulled.map(pulledText));
    if (text === undefined) continue;
    if (others.length > 0) for (const item of pulled) Object.assign(item, changedApart);
    else items.push(...twins.flatMap((twin) => pushTo(twin, text, items, state)));
  }
}

const sourceIn = ({ aspects }: PlanItem): AspectChange | undefined =>
  aspects.find(({ aspect }) => aspect === "source");

const isPulledSource = (item: PlanItem): boolean =>
  (item.verdict === "pull" || item.verdict === "merge") &&
  item.change !== "add" &&
  item.file?.file !== undefined &&
  sourceIn(item) !== undefined;

function pulledText(item: PlanItem): string | undefined {
  const studio = sourceIn(item)?.studio;
  if (item.verdict === "merge") return item.merged;
  return studio?.type === "text" ? studio.value : undefined;
}

const changedApart = {
  verdict: "unresolved",
  reason: "both_changed",
  detail: "one file makes several Instances, which Studio has changed in different ways",
} as const;

/** The Instances of each of the files that makes several. */
function sharedBy(
  pulls: ReadonlyMap<string, unknown>,
  pairs: readonly PairEntry[],
): ReadonlyMap<string, readonly PairEntry[]> {
  const byFile = Map.groupBy(
    pairs.filter(({ file }) => pulls.has(file.file ?? "")),
    ({ file }) => file.file ?? "",
  );
  return new Map([...byFile].filter(([, twins]) => twins.length > 1));
}

/** Nothing where an Instance has a change of its own. */
function pushTo(
  twin: PairEntry,
  text: string,
  items: readonly PlanItem[],
  state: SyncPlan["state"],
): PlanItem[] {
  const hasOwn = items.some((item) => state.entryOf.get(item) === twin && sourceIn(item) !== undefined);
  const { source } = state.options.normalizer.view(twin.studio);
  if (hasOwn || source === undefined || source === text) return [];
  const item = makeItem(state, twin, {
    change: "edit",
    aspects: [{ aspect: "source", file: textValue(text), studio: textValue(source), base: undefined }],
    ruling: { verdict: "push", reason: "file_changed" },
  });
  state.mirrored.add(item);
  return [item];
}
