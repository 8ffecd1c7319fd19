/** `sb selftest --person`: a person at a terminal answers what no script can see. */
import { expect, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Keyboard, keys } from "../peers/keyboard.ts";
import { PersonAtStudio } from "../peers/person-at-studio.ts";
import { personQuestions } from "../../src/selftest/person-questions.ts";
import assumptions from "../../src/selftest/assumptions.json" with { type: "json" };
import { sandbox } from "../sandbox.ts";

const box = sandbox();
const WORDS = ["selftest", "--only", "assumptions", "--person"];

test("every question settles an assumption", () => {
  const ids = new Set(assumptions.map(({ id }) => id));
  expect(personQuestions.map(({ id }) => id).filter((id) => !ids.has(id))).toEqual([]);
});

test("the answers yes, no and skip are in the report", async () => {
  using person = await PersonAtStudio.openAsync(box);
  const report = join(box.folder, "report.json");
  await using keyboard = await Keyboard.openAsync([...WORDS, "--report", report], box, 80, "n: no   s: skip");
  const answerAsync = async (key: string, next: RegExp) => {
    keyboard.press(key);
    expect(await keyboard.seesAsync("s: skip")).toMatch(next);
  };
  await answerAsync("y", /2 of 7\./);
  await answerAsync("n", /3 of 7\.[^]*Enter: it is done/);
  await answerAsync(keys.enter, /Is the panel in front now\?/);
  // The self-test has closed and opened it.
  expect(await person.hand.readAsync("return widget.Enabled")).toBe("true");
  await answerAsync("Y", /4 of 7\./);
  for (const number of [5, 6, 7]) await answerAsync("s", new RegExp(`${number} of 7\\.`));
  keyboard.press("s");
  expect(await keyboard.exited).toBe(1);
  const { areas, person: wasAsked } = JSON.parse(await readFile(report, "utf8"));
  const found = new Map<string, { result: string; seen?: string }>(
    areas[0].findings.map((each: { subject: string }) => [each.subject, each]),
  );
  expect(wasAsked).toBe(true);
  expect(found.get("toolbar-text")?.result).toBe("holds");
  expect(found.get("plugin-actions")).toMatchObject({
    result: "differs",
    seen: "a person at Studio has seen that it is not so",
  });
  expect(found.get("widget-raised")?.result).toBe("holds");
  expect(found.get("widget-focus")).toMatchObject({
    result: "unknown",
    seen: "the person has skipped the question",
  });
}, 120_000);

test("without a terminal, with --json, for another area and for headless Studio it is refused before anything", async () => {
  using _person = await PersonAtStudio.openAsync(box);
  const piped = await box.sbAsync(WORDS);
  expect([piped.exitCode, piped.stderr]).toEqual([2, expect.stringContaining("here is none")]);
  expect((await box.sbAsync([...WORDS, "--json"])).stdout).toContain("here is none");
  const engine = await box.sbAsync(["selftest", "--only", "engine", "--person"]);
  expect([engine.exitCode, engine.stderr]).toEqual([2, expect.stringContaining("assumptions only")]);
  const headless = await box.sbAsync([...WORDS, "--headless"]);
  expect([headless.exitCode, headless.stderr]).toEqual([2, expect.stringContaining("seen in Roblox Studio")]);
}, 120_000);
