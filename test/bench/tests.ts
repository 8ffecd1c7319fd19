/** What `sb test` takes for a hundred small files of each framework, for one file, and for a list. */
import { binaryPath } from "../../build.ts";
import { Sandbox } from "../harness.ts";
import { JEST, TESTEZ } from "../packages.ts";
import { figures } from "./statistics.ts";
import type { Figures } from "./statistics.ts";

const ROUNDS = 5;
const FILES = 100;
const CASES = [1, 2, 3, 4, 5];

const places: Readonly<Record<string, { readonly packages: object; readonly spec: string }>> = {
  plain: { packages: {}, spec: specOf("expect(1 + 1).to.equal(2)") },
  TestEZ: {
    packages: TESTEZ,
    spec: specOf("expect(1 + 1).to.equal(2)"),
  },
  Jest: {
    packages: JEST,
    spec: `local J = require(game.ReplicatedStorage.JestLua.JestGlobals)
local describe, it, expect = J.describe, J.it, J.expect
${groupOf("expect(1 + 1).toBe(2)")}`,
  },
};

function groupOf(check: string): string {
  const cases = CASES.map((number) => `\tit("case ${number}", function()\n\t\t${check}\n\tend)`);
  return `describe("group", function()\n${cases.join("\n")}\nend)\n`;
}

function specOf(check: string): string {
  return `return function()\n${groupOf(check)}end\n`;
}

export async function testFiguresAsync(): Promise<Figures[]> {
  const rows: Figures[] = [];
  for (const [name, { packages, spec }] of Object.entries(places)) {
    await using box = await Sandbox.createAsync();
    const tree = { $className: "DataModel", ReplicatedStorage: { Src: { $path: "src" }, ...packages } };
    await box.writeAsync("default.project.json", JSON.stringify({ name: "Bench", tree }));
    if (name === "Jest")
      await box.writeAsync("src/jest.config.luau", 'return { testMatch = { "**/*.spec" } }');
    for (let index = 0; index < FILES; index += 1) await box.writeAsync(`src/f${index}.spec.luau`, spec);
    const runs: Readonly<Record<string, readonly string[]>> = {
      [`${FILES} files`]: [],
      "one file": ["f7.spec"],
      ...(name === "plain" ? { "--list": ["--list"] } : {}),
    };
    for (const [what, words] of Object.entries(runs))
      rows.push(...(await timesAsync(box, `sb test, ${name}, ${what}`, words)));
  }
  return rows;
}

/** Wall time, and the processor time of all its processes. */
async function timesAsync(box: Sandbox, name: string, words: readonly string[]): Promise<Figures[]> {
  const wall: number[] = [];
  const cpu: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const startedMs = performance.now();
    const child = Bun.spawn([binaryPath, "test", ...words], {
      cwd: box.folder,
      env: box.env(),
      stdin: "ignore",
      stdout: "ignore",
      stderr: "ignore",
    });
    if ((await child.exited) !== 0) throw new Error(`${name} failed`);
    wall.push(performance.now() - startedMs);
    cpu.push(Number(child.resourceUsage()?.cpuTime.total ?? 0) / 1000);
  }
  return [figures(name, "ms", wall), figures(`${name}, processor`, "ms", cpu)];
}
