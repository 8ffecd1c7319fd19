/** The result of a sync as people read it, and what agents are told of it. */
import { expect, test } from "bun:test";
import { leftNote, syncText, type SyncOutput } from "../../../../src/commands/sync/sync-output.ts";
import { createStyle } from "../../../../src/util/style.ts";

const outputOf = (...items: readonly Partial<SyncOutput["items"][number]>[]): SyncOutput => ({
  status: "success",
  mode: "standard",
  items: items.map((item) => ({
    id: "@1",
    path: "Workspace.A",
    className: "Part",
    change: "add",
    verdict: "pull",
    ...item,
  })),
  overrides: [],
  counts: {},
});

test("an agent is told how many changes a sync has left, although its status is a success", () => {
  const refused = { verdict: "skip", reason: "refused", detail: "rename it in Studio" } as const;
  expect(leftNote(outputOf({ applied: true }, refused, { verdict: "unresolved" }, { applied: false }))).toBe(
    "3 of 4 changes are open, refused or failed: `reason`, `detail` or `failure` of each says why.",
  );
  expect(leftNote(outputOf({ applied: true }, { verdict: "skip" }))).toBeUndefined();
});

test("a narrow terminal shows the whole reason of what was left, with its way out", () => {
  const detail =
    'the name "CON" is the name of a device on Windows; rename it in Studio, or add --safe-names';
  const style = createStyle({ columns: 60, color: false, isScreen: true, prettyJson: false });
  expect(syncText(outputOf({ verdict: "skip", reason: "unwritable", detail }), style))
    .toStartWith(`skip   + Workspace.A
         the name "CON" is the name of a device on Windows;
         rename it in Studio, or add --safe-names
`);
});
