/**
 * What a test file costs, in processor time, beside what starting Studio for it costs in the same run: neither the speed of the
 * machine nor other work on it changes their ratio much.
 */
import { expect, test } from "bun:test";
import { binaryPath } from "../../build.ts";
import { Sandbox } from "../harness.ts";

const FILES = 120;
const CASE = "it(`case {index}`, function() expect(index + 1).to.equal(1 + index) end)";
const SPEC = `return function() describe("sums", function() for index = 1, 5 do ${CASE} end end) end`;
/**
 * A run of 120 files was measured to take 4.6 times the processor time of a run of one, and one of 240 files, which is what
 * twice the cost of a file would be, 6.0 to 7.0 times.
 */
const MOST_TIMES = 5.6;

async function cpuSecondsAsync(box: Sandbox, words: readonly string[]): Promise<number> {
  const options = {
    cwd: box.folder,
    env: box.env(),
    stdin: "ignore",
    stdout: "ignore",
    stderr: "ignore",
  } as const;
  const child = Bun.spawn([binaryPath, "test", "--workers", "1", ...words], options);
  expect(await child.exited).toBe(0);
  return Number(child.resourceUsage()?.cpuTime.total ?? 0) / 1e6;
}

test("120 small files take less than 5.6 times the processor time of one", async () => {
  await using box = await Sandbox.createAsync();
  for (let index = 0; index < FILES; index += 1) await box.writeAsync(`f${index}.spec.luau`, SPEC);
  const times: number[] = [];
  // Other work can only make a run dearer, so that one good pair of runs shows what a file costs.
  for (let round = 0; round < 3 && !times.some((ratio) => ratio < MOST_TIMES); round += 1) {
    const one = await cpuSecondsAsync(box, ["f7.spec.luau"]);
    times.push((await cpuSecondsAsync(box, [])) / one);
  }
  expect(Math.min(...times)).toBeLessThan(MOST_TIMES);
  // Without a figure the comparison would say nothing.
  expect(Math.min(...times)).toBeGreaterThan(1);
});
