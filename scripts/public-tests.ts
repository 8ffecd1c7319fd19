/**
 * Runs test suites of public libraries with `sb test` and with their framework's own runner in headless Studio, and compares
 * the numbers of cases. The suites are no part of this repository: `bun scripts/public-tests.ts FOLDER` takes a folder of
 * checkouts named as in the table below, and leaves them as they are.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { binaryPath, buildAsync } from "../build.ts";

interface Suite {
  /** The folder of the checkout. */
  readonly folder: string;
  /** What ReplicatedStorage contains: names of Instances, and folders below that of all checkouts. */
  readonly mounts: Readonly<Record<string, string>>;
  /** Files and folders of tests, as words for `sb test`. */
  readonly words: readonly string[];
  /** Where the own runner looks for tests: Luau expressions, with `storage` for ReplicatedStorage. */
  readonly roots: string;
}

const TESTEZ = "testez/src";
const SUITES: readonly Suite[] = [
  {
    folder: "roblox-lua-promise",
    mounts: { Lib: "roblox-lua-promise/lib", TestEZ: TESTEZ },
    words: ["lib"],
    roots: "storage.Lib",
  },
  { folder: "roact", mounts: { Roact: "roact/src", TestEZ: TESTEZ }, words: ["src"], roots: "storage.Roact" },
  { folder: "rodux", mounts: { Rodux: "rodux/src", TestEZ: TESTEZ }, words: ["src"], roots: "storage.Rodux" },
  { folder: "t", mounts: { t: "t/lib", TestEZ: TESTEZ }, words: ["lib"], roots: "storage.t" },
];

/** Passed, failed and skipped cases. */
type Counts = readonly [passed: number, failed: number, skipped: number];

async function outputOfAsync(words: readonly string[], cwd: string, stateFolder: string): Promise<string> {
  const env = { ...process.env, XDG_STATE_HOME: stateFolder, CI: "" };
  const child = Bun.spawn([binaryPath, ...words], {
    cwd,
    env,
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  await child.exited;
  if (stdout === "") throw new Error(`sb ${words.join(" ")} in ${cwd}: ${stderr}`);
  return stdout;
}

async function ownCountsAsync(suite: Suite, project: string, work: string): Promise<Counts> {
  const script = join(work, "own.luau");
  await Bun.write(
    script,
    `local storage = game:GetService("ReplicatedStorage")
local results = require(storage.TestEZ).TestBootstrap:run({ ${suite.roots} }, { report = function() end })
print("counts", results.successCount, results.failureCount, results.skippedCount)`,
  );
  const text = await outputOfAsync(["run", "--headless", "--place", project, script], work, work);
  const [, passed, failed, skipped] = /counts (\d+) (\d+) (\d+)/.exec(text) ?? [];
  if (passed === undefined) throw new Error(`the own runner of ${suite.folder} has told nothing:\n${text}`);
  return [Number(passed), Number(failed), Number(skipped)];
}

async function ourCountsAsync(suite: Suite, project: string, root: string, work: string): Promise<Counts> {
  const words = ["test", ...suite.words, "--place", project, "--reporter", "json"];
  const text = await outputOfAsync(words, join(root, suite.folder), work);
  const counts = { passed: 0, failed: 0, skipped: 0, todo: 0 };
  for (const line of text.split("\n")) {
    if (!line.startsWith('{"type":"case-end"')) continue;
    const { status, id, file, failure } = JSON.parse(line);
    counts[status as keyof typeof counts] += 1;
    if (status === "failed" && process.argv.includes("--failures"))
      console.log(`${file} › ${id}: ${failure?.message}`);
  }
  return [counts.passed, counts.failed, counts.skipped + counts.todo];
}

const [, , folder] = process.argv;
if (folder === undefined) throw new Error("which folder has the checkouts?");
const root = resolve(folder);
await buildAsync();
const work = await mkdtemp(join(tmpdir(), "sb-public-"));
let isEqual = true;
try {
  for (const suite of SUITES) {
    if (!existsSync(join(root, suite.folder))) {
      console.log(`${suite.folder}: not there`);
      continue;
    }
    const mounts = Object.entries(suite.mounts).map(([name, path]) => [name, { $path: join(root, path) }]);
    const project = join(work, `${suite.folder}.project.json`);
    const tree = { $className: "DataModel", ReplicatedStorage: Object.fromEntries(mounts) };
    await Bun.write(project, JSON.stringify({ name: suite.folder, tree }));
    const own = await ownCountsAsync(suite, project, work);
    const ours = await ourCountsAsync(suite, project, root, work);
    isEqual &&= own.join() === ours.join();
    const shown = (counts: Counts): string =>
      `${counts[0]} passed, ${counts[1]} failed, ${counts[2]} skipped`;
    console.log(`${suite.folder}: own runner ${shown(own)}; sb test ${shown(ours)}`);
  }
} finally {
  await rm(work, { recursive: true, force: true });
}
process.exit(isEqual ? 0 : 1);
