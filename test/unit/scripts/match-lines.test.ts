import { expect, test } from "bun:test";
import { matchLines } from "../../../src/scripts/match-lines.ts";
import { createStyle } from "../../../src/util/style.ts";

const style = createStyle({ columns: 80, color: false, isScreen: true, prettyJson: true });
const match = (path: string, line: number, before: readonly string[], after: readonly string[]) => ({
  path,
  line,
  text: `hit ${line}`,
  before: [...before],
  after: [...after],
});

test("lines that two matches share are shown once, and dashes stand where lines are left out", () => {
  const lines = matchLines(
    [
      match("A", 2, ["one"], ["three", "hit 4"]),
      match("A", 4, ["hit 2", "three"], ["five", "six"]),
      match("A", 9, ["seven", "eight"], []),
      match("B", 1, [], ["two"]),
    ],
    style,
  );
  expect(lines).toEqual([
    "A-1- one",
    "A:2: hit 2",
    "A-3- three",
    "A:4: hit 4",
    "A-5- five",
    "A-6- six",
    "A-7- seven",
    "A-8- eight",
    "A:9: hit 9",
    "--",
    "B:1: hit 1",
    "B-2- two",
  ]);
  expect(matchLines([match("A", 2, ["one"], ["three"]), match("A", 6, ["five"], [])], style)).toContain("--");
});
