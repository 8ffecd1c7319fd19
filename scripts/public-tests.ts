/**
 * Runs test suites of public libraries with `sb test` and with their framework's own runner in headless Studio, and compares
 * the outcome of each case. `bun scripts/public-tests.ts FOLDER [NAME…]` takes the folder that has the suites of
 * scripts/public-suites.ts, and leaves them as they are.
 */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { binaryPath, buildAsync } from "../build.ts";
import { OWN_RUNNER_WORDS, PUBLIC_SUITES, type PublicSuite } from "./public-suites.ts";

/** Of a case: its name as far as both runners tell it, and how it ended. */
interface Outcome {
  readonly name: string;
  readonly status: string;
}

const STATUSES = ["passed", "failed", "skipped", "todo"];
const SHOWN_DIFFERENCES = 20;
/** A whole suite is one script for its own runner. */
const OWN_TIMEOUT = "20m";

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
  if (stdout === "" || child.exitCode === null || child.exitCode > 1)
    throw new Error(`sb ${words.join(" ")} in ${cwd}: ${stderr}`);
  return stdout;
}

/** A suite that is there. */
interface FoundSuite extends PublicSuite {
  /** Absolute. */
  readonly root: string;
  /** The project file of its place. */
  readonly project: string;
}

async function ownOutcomesAsync(suite: FoundSuite, work: string): Promise<Outcome[]> {
  const setup = suite.setup === undefined ? "" : await readFile(join(suite.root, suite.setup), "utf8");
  const script = join(work, "own.luau");
  await Bun.write(script, `${setup}\n${OWN_RUNNER_WORDS}${suite.ownRunner}`);
  const text = await outputOfAsync(
    ["run", "--headless", "--timeout", OWN_TIMEOUT, "--place", suite.project, script],
    work,
    work,
  );
  const outcomes = text
    .split("\n")
    .filter((line) => line.startsWith("CASE "))
    .map((line): Outcome => JSON.parse(line.slice("CASE ".length)));
  if (outcomes.length === 0)
    throw new Error(`the own runner of ${suite.folder} has told nothing:\n${text.slice(-2000)}`);
  return outcomes;
}

async function ourOutcomesAsync(suite: FoundSuite, work: string): Promise<Outcome[]> {
  const { root, project, names, flags = [] } = suite;
  const files = suite.words.flatMap((word) =>
    word.includes("*") ? [...new Bun.Glob(word).scanSync(root)] : [word],
  );
  const words = ["test", ...files, "--place", project, "--reporter", "json", ...flags];
  const outcomes: Outcome[] = [];
  for (const line of (await outputOfAsync(words, root, work)).split("\n")) {
    if (!line.startsWith('{"type":"case-end"')) continue;
    const end: { names: readonly string[]; status: string } = JSON.parse(line);
    const name = names === "all" ? end.names.join(" ") : (end.names.at(-1) ?? "");
    // TestEZ has no word for a case that is still to be written.
    const status = names === "last" && end.status === "todo" ? "skipped" : end.status;
    outcomes.push({ name, status });
  }
  return outcomes;
}

const shown = (outcomes: readonly Outcome[]): string =>
  STATUSES.map((status) => `${outcomes.filter((each) => each.status === status).length} ${status}`).join(
    ", ",
  );

/** The lines that only one of both has. Addresses in names differ from run to run. */
function difference(own: readonly Outcome[], ours: readonly Outcome[]): string[] {
  const left = new Map<string, number>();
  const add = ({ name, status }: Outcome, by: number): void => {
    const line = `${status}: ${name.replace(/0x[0-9a-f]+/g, "0x")}`;
    left.set(line, (left.get(line) ?? 0) + by);
  };
  for (const outcome of own) add(outcome, 1);
  for (const outcome of ours) add(outcome, -1);
  return [...left].flatMap(([line, count]) =>
    count === 0 ? [] : `  ${count > 0 ? "own runner" : "sb test"}  ${line}`,
  );
}

async function projectAsync({ folder, place }: PublicSuite, root: string, work: string): Promise<string> {
  if (typeof place === "string") return join(root, folder, place);
  const mounts = Object.entries(place).map(([name, path]) => [name, { $path: join(root, path) }]);
  const tree = { $className: "DataModel", ReplicatedStorage: Object.fromEntries(mounts) };
  const project = join(work, `${folder}.project.json`);
  await Bun.write(project, JSON.stringify({ name: folder, tree }));
  return project;
}

/** True where both runners told the same of every case. */
async function compareAsync(suite: FoundSuite, work: string): Promise<boolean> {
  const own = await ownOutcomesAsync(suite, work);
  const ours = await ourOutcomesAsync(suite, work);
  console.log(`${suite.folder}: own runner ${shown(own)}\n${suite.folder}: sb test    ${shown(ours)}`);
  const differing = difference(own, ours);
  for (const line of differing.slice(0, SHOWN_DIFFERENCES)) console.log(line);
  return differing.length === 0;
}

const [, , folder, ...wanted] = process.argv;
if (folder === undefined) throw new Error("which folder has the suites?");
const all = resolve(folder);
await buildAsync();
const work = await mkdtemp(join(tmpdir(), "sb-public-"));
let isEqual = true;
try {
  for (const suite of PUBLIC_SUITES.filter((each) => wanted.length === 0 || wanted.includes(each.folder))) {
    const root = join(all, suite.folder);
    if (!existsSync(root)) console.log(`${suite.folder}: not there`);
    else if (!(await compareAsync({ ...suite, root, project: await projectAsync(suite, all, work) }, work)))
      isEqual = false;
  }
} finally {
  await rm(work, { recursive: true, force: true });
}
process.exit(isEqual ? 0 : 1);
