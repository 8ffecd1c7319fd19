/**
 * One random story: a person edits files and Studio while `sb sync --watch` runs. When all is quiet, both sides must agree
 * apart from what was parked, and no edit may be gone.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { BridgeConnection } from "../../src/bridge/index.ts";
import { loadFileSchemaAsync } from "../../src/headless/index.ts";
import type { RojoNode } from "../../src/roblox/rojo/node.ts";
import { readRojoTreeAsync } from "../../src/roblox/rojo/project.ts";
import { Sandbox, untilAsync } from "../harness.ts";
import { Random } from "../simulator/random.ts";
import { FileEdits, git } from "./file-edits.ts";
import { StudioEdits } from "./studio-edits.ts";
import { Tokens, tokensIn, tokensInFile } from "./tokens.ts";
import { Watched } from "./watched.ts";

/** Longer than any time for which the watch gathers changes. */
const QUIET_MS = 1_500;
const PATIENCE_MS = 20_000;

export interface Story {
  readonly seed: number;
  readonly edits: number;
  /** Everything that is wrong at the end; empty for a good story. */
  readonly faults: readonly string[];
  /** What was done and what the watch said, in order. */
  readonly log: readonly string[];
}

export interface StoryOptions {
  readonly seed: number;
  readonly edits: number;
  /** Each edit waits until the one before is on both sides, so that a seed always tells the same story. */
  readonly isPaced?: boolean;
}

export async function tellStoryAsync({ seed, edits, isPaced = false }: StoryOptions): Promise<Story> {
  await using box = await Sandbox.createAsync();
  using _ = box.enter();
  const project = makeProject(box);
  await box.headlessAsync("Alpha");
  const [session] = await box.sessionsAsync();
  await using connection = await BridgeConnection.connectAsync({ port: box.port });
  const [random, tokens] = [new Random(seed), new Tokens()];
  const files = new FileEdits(project, random, tokens);
  const isAllSynced = random.chance(0.5);
  const words = ["sync", "game", ...(isAllSynced ? ["--properties", "changed"] : [])];
  const studio = new StudioEdits(connection.session(session?.sessionId ?? ""), random, tokens, isAllSynced);
  for (let count = 0; count < 12; count++) await files.addAsync();
  const watched = new Watched(box, words);
  await watched.untilSyncedAsync();
  const log = watched.lines;
  const faults: string[] = [];
  try {
    for (let done = 0; done < edits; done++) {
      if (!isPaced && random.chance(0.02)) await playAsync(box, files, log);
      log.push(`  ${await (random.chance(0.5) ? files : studio).editAsync()}`);
      if (isPaced) await untilSettledAsync(project, studio, done);
      else if (random.chance(0.6)) await Bun.sleep(random.below(random.chance(0.3) ? 1_500 : 300));
    }
    await watched.untilQuietAsync(QUIET_MS);
    await untilSettledAsync(project, studio, edits);
  } catch (error) {
    faults.push(error instanceof Error ? error.message : String(error));
  }
  if (!watched.isRunning) faults.push("the watch has ended by itself");
  const code = await watched.endAsync();
  if (code !== 130) faults.push(`the watch ended with ${code}`);
  log.push("  --- check");
  const check = await box.sbAsync([...words, "--check", "--json"]);
  faults.push(...faultsOfCheck(check, watched));
  const trash = tokensBelow(join(project, ".sb", "trash"));
  const [inFiles, inStudio] = [files.tokens(), await studio.tokensAsync()];
  const lost = tokens.lostFrom(inFiles, inStudio, trash);
  if (lost.length > 0) faults.push(`lost: ${lost.join(", ")}`);
  faults.push(...(await leftOverAsync(project, files)));
  return { seed, edits, faults, log };
}

function makeProject(box: Sandbox): string {
  const folder = join(box.folder, "game");
  for (const top of ["src", "src/F0", "src/F1", "server"]) mkdirSync(join(folder, top), { recursive: true });
  const tree = {
    $className: "DataModel",
    ReplicatedStorage: { Shared: { $path: "src" } },
    ServerScriptService: { $path: "server" },
  };
  writeFileSync(join(folder, "default.project.json"), JSON.stringify({ name: "Game", tree }));
  // The removal of all that a project node contains is asked about.
  for (const name of ["One", "Two", "Three", "Four"])
    writeFileSync(join(folder, "server", `${name}.server.luau`), `print("${name}")\n`);
  git(folder, "init", "-q");
  git(folder, "add", "-A");
  git(folder, "commit", "-qm", "first", "--allow-empty");
  return folder;
}

/** Files are edited while a play test runs, in which nothing is synced. */
async function playAsync(box: Sandbox, files: FileEdits, log: string[]): Promise<void> {
  await box.sbAsync(["play", "start", "--server-only"]);
  log.push("  play start");
  for (let count = 0; count < 3; count++) log.push(`  ${await files.editAsync()}`);
  await box.sbAsync(["play", "stop"]);
  log.push("  play stop");
}

/** What is changed after all else comes to the other side after all else. */
async function untilSettledAsync(project: string, studio: StudioEdits, number: number): Promise<void> {
  const [name, path] = [`Settled${number}`, join(project, "server", `Settled${number}.luau`)];
  writeFileSync(path, "return 1");
  await untilAsync(`${name} is in Studio`, () => studio.answersAsync(name), PATIENCE_MS);
  const isAnswered = () => (readFileSync(path, "utf8") === "return 2" ? true : undefined);
  await untilAsync(`${name} is in its file`, isAnswered, PATIENCE_MS);
}

interface Item {
  readonly path: string;
  readonly fsPath?: string;
  readonly change: string;
  readonly verdict: string;
  readonly reason?: string;
  readonly detail?: string;
}

function faultsOfCheck(
  check: { readonly stdout: string; readonly stderr: string },
  watched: Watched,
): string[] {
  const { items }: { readonly items?: readonly Item[] } = JSON.parse(check.stdout || "{}");
  if (items === undefined) return [`--check says: ${check.stdout}${check.stderr}`];
  const shown = ({ verdict, change, path, fsPath, reason, detail }: Item) =>
    [verdict, change, path, fsPath, reason, detail].filter((part) => part !== undefined).join(" ");
  const isOpen = ({ verdict }: Item) => verdict === "unresolved" || verdict === "skip";
  const faults = items.flatMap((item) =>
    !isOpen(item)
      ? [`was not synced: ${shown(item)}`]
      : watched.hasParked(item)
        ? []
        : [`was not told as parked: ${shown(item)}`],
  );
  if (items.length !== watched.parkedCount)
    faults.push(
      `the summary says "${watched.summary}", and ${items.length} are open: ${items.map(shown).join("; ")}`,
    );
  return faults;
}

function tokensBelow(folder: string): ReadonlySet<string> {
  const found = new Set<string>();
  for (const entry of listed(folder)) {
    const path = join(entry.parentPath, entry.name);
    for (const token of tokensIn(path)) found.add(token);
    if (entry.isFile()) for (const token of tokensInFile(path)) found.add(token);
  }
  return found;
}

function listed(folder: string) {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true });
  } catch {
    return [];
  }
}

/** Files that make no Instance and that no person has left there. */
async function leftOverAsync(project: string, files: FileEdits): Promise<string[]> {
  const used = new Set<string>();
  const note = ({ origin, children }: RojoNode): void => {
    for (const path of [origin?.path, origin?.init, origin?.meta]) if (path !== undefined) used.add(path);
    children.forEach(note);
  };
  try {
    note((await readRojoTreeAsync(join(project, "default.project.json"), await loadFileSchemaAsync())).root);
  } catch (error) {
    return [`the project cannot be read: ${error instanceof Error ? error.message : String(error)}`];
  }
  return files.entries().flatMap(({ path, isFolder }) => {
    // The sync keeps an empty folder for git.
    const isKept = basename(path) === ".gitkeep";
    const isExpected = isFolder || isKept || used.has(path) || files.orphans.has(path);
    // A folder with an init file gives its meta file to the init file.
    const isInitMeta = basename(path) === "init.meta.json" && used.has(dirname(path));
    return isExpected || isInitMeta ? [] : [`left over: ${path.slice(project.length + 1)}`];
  });
}
