/** Reads what a run of tests is made of: the place, the test files and the set-up scripts. It runs nothing. */
import { basename } from "node:path";
import type { CommandContext } from "../../command/context.ts";
import { checkSourcesAsync } from "../../command/readable-file.ts";
import { readScriptFileAsync } from "../../command/scripts/script-source.ts";
import { type OpenedPlace, readPlaceAsync } from "../../headless/index.ts";
import type { CoveredFile } from "../../testing/coverage/covered-files.ts";
import { type Discovered, discoverAsync } from "../../testing/discovery/discover.ts";
import type { TestFile } from "../../testing/test-file.ts";
import { filesToCover } from "./coverage.ts";
import type { TestWishes } from "./test-wishes.ts";

export interface OpenedProject extends Discovered {
  /** Undefined where tests run in an empty place. */
  readonly place: OpenedPlace | undefined;
  /** The files whose lines are counted; undefined where coverage is not wanted. */
  readonly covered: readonly CoveredFile[] | undefined;
}

export async function openProjectAsync(wishes: TestWishes, context: CommandContext): Promise<OpenedProject> {
  const { folder, placeFile } = wishes;
  context.status("Reading the project");
  const place = placeFile === undefined ? undefined : await readPlaceAsync(placeFile);
  const discovered = await discoverAsync(folder, place, wishes);
  await checkReadAsync(wishes, place, discovered.files, context);
  return { ...discovered, place, covered: filesToCover(wishes, place, discovered.files) };
}

export interface SetupScript {
  readonly name: string;
  readonly source: string;
}

export async function setupScriptAsync(path: string): Promise<SetupScript> {
  const { text } = await readScriptFileAsync(path);
  return { name: basename(path), source: text };
}

/** An agent may run only what lies below its folders: its place, its tests and its set-up scripts. */
async function checkReadAsync(
  { folder, placeFile, setup }: TestWishes,
  place: OpenedPlace | undefined,
  files: readonly TestFile[],
  context: CommandContext,
): Promise<void> {
  const read = place?.sources;
  const scripts = [...(read?.scripts.values() ?? [])].map(({ file }) => file);
  const ofPlace = [...(read?.files ?? []), ...(read?.folders ?? []), ...scripts];
  const tests = files.map(({ absolutePath }) => absolutePath);
  await checkSourcesAsync(placeFile ?? folder, [folder, ...ofPlace, ...tests, ...setup], context);
}
