/**
 * Random histories of files, Studio and git, judged by a model in which each value knows what it was made from. More of them,
 * and one of a seed as a story: `bun scripts/fuzz-sync.ts`.
 */
import { describe, expect, test } from "bun:test";
import { tell } from "./history.ts";
import { ALL_GUARDS, guardedNames, nameRules } from "./name-rules.ts";
import { placeBases } from "./place-rules.ts";
import { product } from "./product-rules.ts";
import { reportLines, reportOn, shortest } from "./report.ts";
import type { Rules } from "./rules.ts";
import { GUARD_STORIES, ONE_WAY_STORIES, STORIES } from "./stories.ts";

/** The product takes a few times as long for each. */
const HISTORIES = [
  { rules: guardedNames, histories: 1_400 },
  { rules: product, histories: 600 },
] as const;

for (const { rules, histories } of HISTORIES)
  describe(rules.name, () => {
    test("loses nothing in random histories, and leaves nothing different", () => {
      const report = reportOn(rules, 1, histories);
      const stories = shortest(report).map(([seed, events]) => [
        `seed ${seed}`,
        ...tell(events, rules).story,
      ]);
      const lines = report.faults.size === 0 ? [] : reportLines(report);
      expect({ stories, lines }).toEqual({ stories: [], lines: [] });
    });

    for (const { title, events } of [...STORIES, ...ONE_WAY_STORIES])
      test(title, () => {
        const { tally, story } = tell(events, rules);
        expect(tally.faults.length === 0 ? [] : story).toEqual([]);
      });
  });

test("the judge sees what rules lose that know a place by its file", () => {
  const { faults } = reportOn(placeBases, 1, 200);
  expect((faults.get("lost") ?? []).length).toBeGreaterThan(20);
});

test("the judge sees what rules write that know of no one-way folder", () => {
  const blind: Rules = {
    ...product,
    name: "blind",
    sync: (look, ask) => product.sync({ ...look, isOneWay: false }, ask),
  };
  const [events] = ONE_WAY_STORIES.map((story) => story.events);
  expect(tell(events ?? [], blind).tally.faults.at(0)?.kind).toBe("written");
});

describe("without the guard", () => {
  for (const { title, guard, kind, events } of GUARD_STORIES)
    test(`${guard} it is not so that ${title}`, () => {
      const without = nameRules(`without ${guard}`, { ...ALL_GUARDS, [guard]: false });
      expect(tell(events, without).tally.faults.at(0)?.kind).toBe(kind);
    });
});
