/** What the line of revisions forgets, and what stays reachable. */
import { expect, test } from "bun:test";
import { newNode } from "../../../../src/roblox/rojo/node.ts";
import { itemsOf } from "../../../../src/sync/revisions/held-items.ts";
import { changesBetween, RevisionLine } from "../../../../src/sync/revisions/line.ts";
import { MAX_AGE_MS, prunedSteps } from "../../../../src/sync/revisions/prune.ts";
import type { Step } from "../../../../src/sync/revisions/revision.ts";

const NOW = 1_800_000_000_000;

function tree(source: string) {
  const root = newNode("M", "ModuleScript");
  root.item = 1;
  root.properties.set("Source", { type: "String", value: source });
  return root;
}

/** One revision for each text; `r0` is the oldest. */
function stepsOf(texts: readonly string[], atMs: (index: number) => number): Step[] {
  return texts.slice(1).map((text, index) => ({
    revision: `r${index + 1}`,
    after: `r${index}`,
    atMs: atMs(index),
    was: changesBetween(itemsOf(tree(texts[index] ?? "")), itemsOf(tree(text))),
    pushed: new Map(),
    pulled: new Map(),
  }));
}

const textsOf = (texts: readonly string[], steps: readonly Step[], names: readonly string[]) => {
  const line = new RevisionLine(`r${texts.length - 1}`, tree(texts.at(-1) ?? ""), steps);
  return names.map((name) => {
    const position = line.position(name);
    return position === undefined ? undefined : line.treeAt(position).properties.get("Source")?.value;
  });
};

test("steps that are too old go, and what a place was last synced with stays reachable", () => {
  const texts = ["a", "b", "c", "d", "e"];
  const steps = stepsOf(texts, (index) => (index < 3 ? NOW - MAX_AGE_MS - 1 : NOW));
  const names = ["r0", "r1", "r2", "r3", "r4"];
  expect(textsOf(texts, prunedSteps(steps, new Set(), NOW), names)).toEqual([
    undefined,
    undefined,
    undefined,
    "d",
    "e",
  ]);
  expect(textsOf(texts, prunedSteps(steps, new Set(["r1"]), NOW), names)).toEqual([
    undefined,
    "b",
    undefined,
    "d",
    "e",
  ]);
});

test("steps that take too many bytes go, the oldest first", () => {
  const texts = ["a", "b", "c", "d"].map((letter) => letter.repeat(25 * 1024 * 1024));
  const steps = stepsOf(texts, () => NOW);
  const kept = prunedSteps(steps, new Set(), NOW);
  expect(kept.map(({ revision }) => revision)).toEqual(["r2", "r3"]);
});

test("young and small steps stay as they are", () => {
  const steps = stepsOf(["a", "b", "c"], () => NOW);
  expect(prunedSteps(steps, new Set(), NOW)).toEqual(steps);
});
