/** What a watched sync says of the changes that it made and of those that it left. */
import { expect, test } from "bun:test";
import { WatchReport } from "../../../../src/sync/watch/watch-report.ts";
import type { PlanItem } from "../../../../src/sync/types.ts";
import { plainStyle } from "../../../../src/util/style.ts";

const left = (detail: string): PlanItem => ({
  id: "@1",
  path: "ReplicatedStorage.M",
  fsPath: "src/M.json",
  className: "ModuleScript",
  change: "edit",
  verdict: "skip",
  reason: "refused",
  detail,
  aspects: [],
});

function reportWithLines(): { report: WatchReport; said: string[] } {
  const said: string[] = [];
  const emit = ({ text }: { text?: (style: typeof plainStyle) => string }) =>
    void said.push(text?.(plainStyle) ?? "");
  return { report: new WatchReport({ emit }), said };
}

test("what the person at Studio has refused is one line, again only where there is more of it", () => {
  const { report, said } = reportWithLines();
  const push = (path: string): PlanItem => ({ ...left(""), path, verdict: "push", reason: "file_changed" });
  const tell = (...items: PlanItem[]) => {
    said.length = 0;
    const results = items.map((item) => ({ item, applied: false, reason: "No.", isHeldBack: true }));
    report.tell({ results, plan: { items, leftOut: 0 } });
    return said;
  };
  const [a, b] = [push("A"), push("B")];
  expect(tell(a, b)).toEqual(["held   2 changes: No."]);
  expect(tell(a, b)).toEqual([]);
  expect(tell(a, b, push("C"))).toEqual(["held   3 changes: No."]);
  expect(tell(a)).toEqual([]);
});

test("two changes of one Instance that are left are told and counted, each once", () => {
  const { report, said } = reportWithLines();
  const tell = (...items: PlanItem[]) => {
    said.length = 0;
    report.tell({ results: [], plan: { items, leftOut: 0 } });
    report.summarize("Alpha", { pauses: new Set(), isSynced: true });
    return said;
  };
  const line = (why: string) => `parked ~ ReplicatedStorage.M  src/M.json\n       ${why}`;
  expect(tell(left("its source"), left("its name"))).toEqual([
    line("its source"),
    line("its name"),
    "synced · 2 parked · Studio: Alpha",
  ]);
  expect(tell(left("its source"), left("its name"))).toEqual([]);
  expect(tell(left("its name"))).toEqual(["synced · 1 parked · Studio: Alpha"]);
});
