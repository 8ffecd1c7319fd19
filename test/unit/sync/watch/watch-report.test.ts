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

test("two changes of one Instance that are left are told and counted, each once", () => {
  const said: string[] = [];
  const report = new WatchReport({
    emit: ({ text }) => {
      said.push(text?.(plainStyle) ?? "");
    },
  });
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
