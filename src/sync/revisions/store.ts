/**
 * Keeps the revisions of a project in its state folder: the newest as a tree (`newest-file.ts`), the steps back as lines
 * (`step-json.ts`). Only the process that holds the lock of the line writes them. A file that is broken, or that another
 * version wrote, counts as no revision and is reported.
 */
import { appendFile, mkdir, open, readFile, rm, stat } from "node:fs/promises";
import type { RojoNode } from "../../roblox/rojo/node.ts";
import { systemCodeOf, systemReason } from "../../util/system-error.ts";
import { writeWholeFileAsync } from "../../util/whole-file.ts";
import { newestFile, placesFile, stepsFile, type SyncState } from "../state-paths.ts";
import { itemsOf } from "./held-items.ts";
import { changesBetween, RevisionLine } from "./line.ts";
import {
  bytesOfNewest,
  lineOfConfirmation,
  lineOfSources,
  newestOfBytes,
  type SourceChange,
  withSources,
} from "./newest-file.ts";
import { numberItems } from "./number-items.ts";
import { readPlacesAsync } from "./places.ts";
import { MAX_AGE_MS, MAX_STEPS_BYTES, prunedSteps } from "./prune.ts";
import { type DoneAspects, newRevisionName, NO_REVISION, type Step } from "./revision.ts";
import { lineOfStep, stepsOfLines } from "./step-json.ts";

/** The line as one process knows it. */
export interface KeptLine {
  readonly line: RevisionLine;
  /** False while what the newest revision was to push has not been read back. */
  readonly isConfirmed: boolean;
  /** Whether the older steps were read too. */
  readonly hasSteps: boolean;
  /** The newest steps, which are not in the file of steps yet. */
  readonly tail: readonly Step[];
  /** The first number that no item ever had. */
  readonly nextItem: number;
  /** Differs once another process has written. */
  readonly stamp: string;
}

export interface LoadedLine {
  readonly kept?: KeptLine;
  /** Why a line that exists does not count, for people. */
  readonly notice?: string;
}

const PRIVATE_FOLDER = 0o700;

/** `withSteps`: most syncs need the newest revision alone, and the steps may take many MB. */
export async function loadLineAsync(state: SyncState, withSteps: boolean): Promise<LoadedLine> {
  const path = newestFile(state);
  try {
    const stamp = await stampAsync(state);
    const { name, root, steps: tail, isConfirmed, nextItem } = newestOfBytes(await readFile(path));
    const steps = withSteps ? await readStepsAsync(state) : [];
    const line = new RevisionLine(name, root, [...steps, ...tail]);
    return { kept: { line, isConfirmed, hasSteps: withSteps, tail, nextItem, stamp } };
  } catch (error) {
    if (systemCodeOf(error) === "ENOENT") return {};
    return {
      notice: `What was last synced cannot be read (${path}: ${systemReason(error)}). This sync starts without it and removes nothing.`,
    };
  }
}

/** The line as it is now; `known` where no other process has written since. For the process that holds the lock. */
export async function currentLineAsync(
  state: SyncState,
  known: KeptLine | undefined,
): Promise<KeptLine | undefined> {
  if ((await stampAsync(state)) === (known?.stamp ?? "")) return known;
  return (await loadLineAsync(state, known?.hasSteps === true)).kept;
}

/** Empty where there is no line. */
async function stampAsync(state: SyncState): Promise<string> {
  const facts = await stat(newestFile(state)).catch(() => undefined);
  return facts === undefined ? "" : `${facts.ino} ${facts.size} ${facts.mtimeMs}`;
}

async function readStepsAsync(state: SyncState): Promise<Step[]> {
  const text = await readFile(stepsFile(state), "utf8").catch((error: unknown) => {
    if (systemCodeOf(error) === "ENOENT") return "";
    throw error;
  });
  return stepsOfLines(text);
}

export interface NewRevision {
  /** What both sides hold. The store numbers its items. */
  readonly root: RojoNode;
  /** What was pulled, and was or will be pushed; called once the items have numbers. */
  doneOf(): DoneAspects;
  /** From which revision the plan was made; undefined for none. */
  readonly base: string | undefined;
  /** Set where an undo ends with it. */
  readonly isUndo?: true;
  /** False where pushes are still to be made and read back. */
  readonly isConfirmed: boolean;
}

/**
 * Adds a revision to the newest one, which is given back where the new one says the same of the same place. For the process
 * that holds the lock. Throws the system's error.
 */
export async function addRevisionAsync(
  state: SyncState,
  before: KeptLine | undefined,
  revision: NewRevision,
): Promise<KeptLine> {
  const { root, isConfirmed } = revision;
  const nextItem = numberItems(root, before?.line, before?.nextItem ?? 1);
  const name = newRevisionName();
  const step = stepAfter(before, revision, name);
  if (before !== undefined && isNoNews(before, revision, step)) return before;
  await mkdir(state.folder, { recursive: true, mode: PRIVATE_FOLDER });
  // A step that leads to no revision means nothing, so that a process may be killed between the two.
  await keepStepsAsync(state, [...(before?.tail ?? []), step]);
  return writeNewestAsync(state, before, { name, root, isConfirmed, nextItem, step });
}

/**
 * Writes the newest revision once more, under its name, as it turned out. `before` is the line without it. For the process
 * that holds the lock. Throws the system's error.
 */
export async function correctRevisionAsync(
  state: SyncState,
  before: KeptLine | undefined,
  { line: { name } }: KeptLine,
  revision: Omit<NewRevision, "isConfirmed">,
): Promise<KeptLine> {
  const { root } = revision;
  const nextItem = numberItems(root, before?.line, before?.nextItem ?? 1);
  const step = stepAfter(before, revision, name);
  // The step that is there tells more than is needed, so that a process may be killed between the two.
  const kept = await writeNewestAsync(state, before, { name, root, isConfirmed: true, nextItem, step });
  await keepStepsAsync(state, [step]);
  return kept;
}

/**
 * A place never takes the name of what came to be in another one, because the way back from it leads elsewhere. A pull of what
 * the base has is news as well, because an undo takes back what the revision of its sync says.
 */
export const isNoNews = (
  before: Pick<KeptLine, "line" | "isConfirmed">,
  { base, isConfirmed }: Pick<NewRevision, "base" | "isConfirmed">,
  { was, pushed, pulled }: Step,
): boolean =>
  isConfirmed &&
  before.isConfirmed &&
  base === before.line.name &&
  was.size + pushed.size + pulled.size === 0;

/** The step that leads to a revision. */
export function stepAfter(
  before: Pick<KeptLine, "line" | "isConfirmed"> | undefined,
  { root, doneOf, base = NO_REVISION, isUndo }: Omit<NewRevision, "isConfirmed">,
  revision: string,
): Step {
  const after = before?.line.name ?? NO_REVISION;
  return {
    revision,
    after,
    ...(base === after ? {} : { base }),
    ...(isUndo === true ? { isUndo } : {}),
    atMs: Date.now(),
    was: changesBetween(before?.line.items ?? new Map(), itemsOf(root)),
    ...doneOf(),
    ...(before?.isConfirmed === false ? { isAfterUnsure: true } : {}),
  };
}

interface WrittenRevision {
  readonly name: string;
  readonly root: RojoNode;
  readonly isConfirmed: boolean;
  readonly nextItem: number;
  readonly step: Step;
}

async function writeNewestAsync(
  state: SyncState,
  before: KeptLine | undefined,
  { step, ...newest }: WrittenRevision,
): Promise<KeptLine> {
  await writeWholeFileAsync(newestFile(state), bytesOfNewest(newest));
  const { name, root, isConfirmed, nextItem } = newest;
  return {
    line: new RevisionLine(name, root, [...(before?.line.steps ?? []), step]),
    isConfirmed,
    hasSteps: before?.hasSteps ?? true,
    tail: [],
    nextItem,
    stamp: await stampAsync(state),
  };
}

/** To be called once what the newest revision was to push is there. Throws the system's error. */
export async function confirmRevisionAsync(state: SyncState, kept: KeptLine): Promise<KeptLine> {
  if (kept.isConfirmed) return kept;
  await appendFile(newestFile(state), lineOfConfirmation(kept.line.name));
  return { ...kept, isConfirmed: true, stamp: await stampAsync(state) };
}

/**
 * Adds a revision in which only sources differ, which takes no longer in a large project. For the process that holds the
 * lock. Throws the system's error.
 */
export async function addSourcesAsync(
  state: SyncState,
  before: KeptLine,
  { sources, pushed }: SourceChange,
): Promise<KeptLine> {
  const { line, tail } = before;
  const revision = { revision: newRevisionName(), after: line.name, atMs: Date.now(), sources, pushed };
  await appendFile(newestFile(state), lineOfSources(revision));
  const made = withSources(revision, line.items);
  const step: Step = before.isConfirmed ? made : { ...made, isAfterUnsure: true };
  return {
    ...before,
    line: line.withStep(step),
    isConfirmed: pushed.length === 0,
    tail: [...tail, step],
    stamp: await stampAsync(state),
  };
}

/** What a project had in common with places means nothing for another one at the same path. Throws the system's error. */
export async function forgetLineAsync(state: SyncState): Promise<void> {
  for (const path of [newestFile(state), stepsFile(state), placesFile(state)])
    await rm(path, { force: true });
}

async function keepStepsAsync(state: SyncState, steps: readonly Step[]): Promise<void> {
  if (steps.length === 0) return;
  const path = stepsFile(state);
  await appendFile(path, steps.map(lineOfStep).join(""));
  const { size } = await stat(path);
  const isOld = Date.now() - (await oldestAsync(path)) > MAX_AGE_MS;
  if (size <= MAX_STEPS_BYTES && !isOld) return;
  const kept = new Set(Object.values(await readPlacesAsync(state)));
  const pruned = prunedSteps(await readStepsAsync(state), kept, Date.now());
  await writeWholeFileAsync(path, Buffer.from(pruned.map(lineOfStep).join("")));
}

const FIRST_BYTES = 512;

/** The time of the first line, which is the oldest; without reading the file. */
async function oldestAsync(path: string): Promise<number> {
  await using file = await open(path);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(FIRST_BYTES), 0, FIRST_BYTES, 0);
  const atMs = /"atMs":(\d+)/.exec(buffer.toString("latin1", 0, bytesRead))?.[1];
  return atMs === undefined ? Date.now() : Number(atMs);
}
