/** What `sb sync --watch` prints: a line for each change, what is parked and why, and a summary line that stays. */
import type { RunSurface } from "../../output/run-surface.ts";
import { isAccepted } from "../plan/summary.ts";
import type { SyncRun } from "../run-sync.ts";
import type { ItemResult, PlanItem } from "../types.ts";
import type { Style } from "../../util/style.ts";
import { visibleOnOneLine } from "../../util/visible-controls.ts";
import { reasonText } from "../plan/sentences.ts";
import type { Pause } from "./watch-loop.ts";

const PAUSE_TEXTS: Readonly<Record<Pause, string>> = {
  git: "paused: git is at work",
  play: "paused: the place plays",
  studio: "paused: Studio is gone",
};

interface Told {
  readonly results: SyncRun["results"];
  readonly plan: Pick<SyncRun["plan"], "items" | "leftOut">;
}

interface WatchState {
  readonly pauses: ReadonlySet<Pause>;
  /** False where the last sync has failed. */
  readonly isSynced: boolean;
}

export class WatchReport {
  readonly #surface: Pick<RunSurface, "emit">;
  /** What was said of the items that are left, so that it is said once. */
  #left: ReadonlySet<string> = new Set();
  #leftCount = 0;
  #leftOut = 0;
  #summary = "";

  constructor(surface: Pick<RunSurface, "emit">) {
    this.#surface = surface;
  }

  /** The changes that were made, and the items that are newly left. */
  tell({ results, plan }: Told): void {
    this.tellChanges(results);
    const failures = new Map(results.flatMap((each) => (each.applied ? [] : [[each.item, each] as const])));
    const left = plan.items.flatMap((item) => {
      const why = whyLeft(item, failures.get(item));
      return why === undefined ? [] : [{ item, why, said: `${keyOf(item)} ${why}` }];
    });
    const before = this.#left;
    const isHeld = ({ item }: { readonly item: PlanItem }) => failures.get(item)?.isHeldBack === true;
    for (const each of left) if (!isHeld(each) && !before.has(each.said)) this.#parked(each.item, each.why);
    // A person has said one thing about all of them.
    const held = left.filter(isHeld);
    for (const [why, items] of Map.groupBy(held, (each) => each.why))
      if (items.some(({ said }) => !before.has(said)))
        this.#heldBack(
          items.map(({ item }) => item),
          why,
        );
    this.#left = new Set(left.map(({ said }) => said));
    this.#leftCount = left.length;
    this.#leftOut = plan.leftOut;
  }

  tellChanges(results: readonly ItemResult[]): void {
    for (const { item, applied } of results) if (applied) this.#change(item);
  }

  say(text: string): void {
    this.#summary = "";
    this.#surface.emit({ stream: "stderr", text: (style) => style.dim(text), json: { note: text } });
  }

  /** Takes the place of the last summary on a screen; elsewhere it is printed when it says something else. */
  summarize(label: string, { pauses, isSynced }: WatchState): void {
    const parked = this.#leftCount === 0 ? [] : [`${this.#leftCount} parked`];
    const paused = [...pauses].map((pause) => PAUSE_TEXTS[pause]).join(", ");
    if (this.#leftOut > 0) parked.push(`${this.#leftOut} left out`);
    const state = paused || (isSynced ? "synced" : "not synced");
    const summary = [state, ...parked, `Studio: ${visibleOnOneLine(label)}`].join(" · ");
    if (summary === this.#summary) return;
    this.#summary = summary;
    this.#surface.emit({ stream: "stderr", text: (style) => style.dim(summary), isRedrawn: true });
  }

  #change(item: PlanItem): void {
    const { verdict, change, path, fsPath, reason, detail } = item;
    const why = reason === "one_way" ? { reason, why: detail } : {};
    this.#line({ verdict, change, path, fsPath, className: item.className, ...why }, (style) =>
      [
        `${style.green(verdict.padEnd(VERDICT_COLUMNS))} ${shownItem(item, style)}`,
        ...(why.why === undefined ? [] : [below(why.why, style)]),
      ].join("\n"),
    );
  }

  #parked(item: PlanItem, why: string): void {
    const { change, path, fsPath } = item;
    this.#line(
      { verdict: "parked", change, path, fsPath, className: item.className, reason: item.reason, why },
      (style) => `${style.yellow("parked")} ${shownItem(item, style)}\n${below(why, style)}`,
    );
  }

  #heldBack(items: readonly PlanItem[], why: string): void {
    const counted = `${items.length} ${items.length === 1 ? "change" : "changes"}`;
    const paths = items.map(({ change, path, fsPath }) => ({ change, path, fsPath }));
    this.#line(
      { verdict: "held", why, items: paths },
      (style) => `${style.yellow("held")}   ${counted}: ${visibleOnOneLine(why)}`,
    );
  }

  #line(json: object, text: (style: Style) => string): void {
    this.#summary = "";
    this.#surface.emit({ stream: "stdout", text, json });
  }
}

const VERDICT_COLUMNS = 6;
const SIGNS = { add: "+", edit: "~", remove: "-", move: ">" } as const;

function shownItem({ change, path, fsPath = "" }: PlanItem, style: Style): string {
  const file = fsPath === "" ? "" : `  ${style.dim(visibleOnOneLine(fsPath))}`;
  return `${SIGNS[change]} ${visibleOnOneLine(path)}${file}`;
}

const below = (text: string, style: Style): string =>
  `${" ".repeat(VERDICT_COLUMNS + 1)}${style.dim(visibleOnOneLine(text))}`;

const keyOf = ({ path, fsPath = "", change }: PlanItem): string => `${change} ${path} ${fsPath}`;

/** Undefined for what needs no attention. */
function whyLeft({ verdict, reason, detail }: PlanItem, failure: ItemResult | undefined): string | undefined {
  if (failure !== undefined) return failure.reason ?? "it could not be applied";
  if (verdict === "unresolved")
    return `${detail ?? reasonText(reason) ?? "it is open"}; \`sb sync\` lets you decide`;
  // What a person still types in is left out for a moment.
  return verdict === "skip" && !isAccepted({ verdict, reason }) ? (detail ?? reason) : undefined;
}
