/**
 * The coverage that the last run of all tests had, so that the next one can show the change. It is kept in the state folder, for
 * each choice of tests and files of a project.
 */
import { mkdir, readFile } from "node:fs/promises";
import { dirname } from "node:path";
import { type FileCoverage, percentOf, totalsOf } from "../coverage/file-coverage.ts";
import { targetText } from "../target.ts";
import { parsedJson } from "../../util/parsed-json.ts";
import { writeWholeFileAsync } from "../../util/whole-file.ts";
import { projectStateFileAsync } from "./project-state.ts";
import type { TestWishes } from "./test-wishes.ts";

/** Suites and targets of one project that are remembered. The one that ran longest ago is forgotten first. */
const MAX_ENTRIES = 50;

type Percentages = ReadonlyMap<string, number>;

/**
 * Gives the percentage of lines that ran in the last run with the same choice, and remembers that of this run. Undefined if
 * there was none. A state folder that cannot be used only costs the comparison.
 */
export async function replaceCoverageAsync(
  wishes: TestWishes,
  files: readonly FileCoverage[],
): Promise<number | undefined> {
  const path = await projectStateFileAsync(wishes.folder, ".coverage.json");
  if (path === undefined) return undefined;
  const choice = choiceOf(wishes);
  const known = await readAsync(path);
  const others = [...known].filter(([other]) => other !== choice).slice(1 - MAX_ENTRIES);
  const entries = [...others, [choice, percentOf(totalsOf(files).lines)]];
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await writeWholeFileAsync(path, Buffer.from(JSON.stringify(Object.fromEntries(entries))));
  } catch {
    // The next run then compares with an earlier one.
  }
  return known.get(choice);
}

/** Runs with another choice of tests or of covered files have percentages that cannot be compared. */
function choiceOf({ target, context, include, exclude, coverage }: TestWishes): string {
  const covered = [coverage?.include, coverage?.exclude];
  const choice = JSON.stringify([targetText(target), context, include, exclude, covered]);
  return new Bun.CryptoHasher("sha256").update(choice).digest("hex").slice(0, 16);
}

async function readAsync(path: string): Promise<Percentages> {
  const saved = Object(parsedJson(await readFile(path, "utf8").catch(() => "")));
  return new Map(
    Object.entries(saved).filter((entry): entry is [string, number] => typeof entry[1] === "number"),
  );
}
