/**
 * The processor time of a test file as a ratio to the start of a Studio in the same run. Neither the speed of the
 * machine nor other work on it changes their ratio much.
 */
import { expect, test } from "bun:test";
import { binaryPath } from "../../build.ts";
import { Sandbox } from "../harness.ts";
import { JEST } from "../packages.ts";

interface Framework {
  readonly files: number;
  /** Files beside the test files. */
  readonly others: Readonly<Record<string, string>>;
  readonly spec: string;
  /** The largest allowed time of a run of all files, as a multiple of a run of one file. */
  readonly mostTimes: number;
}

const FRAMEWORKS: Readonly<Record<string, Framework>> = {
  /**
   * Of the built-in tests, 120 files were measured to take 5.2 to 6.7 times the processor time of one, and 240 files, which is
   * what twice the cost of a file would be, 7.1 to 10.6 times.
   */
  "built-in": {
    files: 120,
    others: {},
    spec: `return function() describe("sums", function() for index = 1, 5 do
  it(\`case {index}\`, function() expect(index + 1).to.equal(1 + index) end)
end end) end`,
    mostTimes: 6.6,
  },
  /** With a runtime of Jest that is ready for each file, 80 files were measured to take 2.3 to 3.5 times; without it, 3.5 to 4.7. */
  Jest: {
    files: 80,
    others: {
      "default.project.json": JSON.stringify({
        name: "Speed",
        tree: { $className: "DataModel", ReplicatedStorage: { Src: { $path: "src" }, ...JEST } },
      }),
      "src/jest.config.luau": 'return { testMatch = { "**/*.spec" } }',
    },
    spec: `local J = require(game.ReplicatedStorage.JestLua.JestGlobals)
for index = 1, 5 do
  J.it(\`case {index}\`, function() J.expect(index + 1).toBe(1 + index) end)
end`,
    mostTimes: 3.6,
  },
};

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

test.each(Object.entries(FRAMEWORKS))(
  "small files of %s take less than a few times the processor time of one",
  async (_, framework) => {
    const { files, others, spec, mostTimes } = framework;
    await using box = await Sandbox.createAsync();
    for (const [path, text] of Object.entries(others)) await box.writeAsync(path, text);
    for (let index = 0; index < files; index += 1) await box.writeAsync(`src/f${index}.spec.luau`, spec);
    const times: number[] = [];
    // Other work can only make a run dearer, so that one good pair of runs shows what a file costs.
    for (let round = 0; round < 6 && !times.some((ratio) => ratio < mostTimes); round += 1) {
      const one = await cpuSecondsAsync(box, ["f7.spec.luau"]);
      times.push((await cpuSecondsAsync(box, [])) / one);
    }
    expect(Math.min(...times)).toBeLessThan(mostTimes);
    // Without a measured time, the comparison would pass in any case.
    expect(Math.min(...times)).toBeGreaterThan(1);
  },
);
