/** Runs the tests of several projects, or of one project with several suites, as one run. */
import { remark } from "../../../output/remark.ts";
import type { CaveatFields } from "../../../protocol/caveats.ts";
import { StudioBridgeError } from "../../../protocol/errors.ts";
import { version } from "../../../version.ts";
import { filesOfShard, shardText } from "../../shard.ts";
import { targetText } from "../../target.ts";
import { runBeforeAsync } from "../before.ts";
import { NO_MATCH, NONE_FAILED, type Selection } from "../select-tests.ts";
import { newRunnerAsync, type PreparedRun, prepareRunAsync, tellListed } from "../run-project.ts";
import { EMPTY_SHARD, type ProjectRun, runSelectionAsync } from "../run-selection.ts";
import type { TestSurface } from "../test-surface.ts";
import type { TestWishes } from "../test-wishes.ts";
import { listedFile, type Member } from "./member.ts";
import { SharedReporting } from "./shared-reporting.ts";
import { WorkerPool } from "./worker-pool.ts";

export interface SeveralWishes {
  /** The folder to which all paths of the run are relative. */
  readonly folder: string;
  /** Settings that count for the whole run: those of the first member. */
  readonly members: readonly [Member, ...Member[]];
  readonly again: string;
}

interface Part {
  readonly member: Member;
  readonly prepared: PreparedRun;
}

export async function runSeveralAsync(wishes: SeveralWishes, surface: TestSurface): Promise<ProjectRun> {
  const { members, folder, again } = wishes;
  const [{ wishes: first }] = members;
  const startedMs = performance.now();
  const shared = new SharedReporting({ ...first, folder, again }, surface);
  const failed: ProjectRun[] = [];
  const ready: Member[] = [];
  const done = new Set<string>();
  for (const member of members) {
    const { wishes: own } = member;
    const isNew = !done.has(own.folder) && !own.list;
    done.add(own.folder);
    const run = isNew ? await runBeforeAsync(own, surface, () => shared.of(member)) : undefined;
    if (run === undefined) ready.push(member);
    else failed.push(run);
  }
  const parts = inShard(await prepareAllAsync(ready, surface), first);
  if (first.list) {
    for (const { member, prepared } of parts)
      tellListed(prepared.selection.files, surface, (path) => listedFile(member, path));
    return { ...nothingRun(shared), hasPassed: true };
  }
  shared.begin(startOf(parts, first));
  const runs = [...failed, ...(await runAllAsync(parts, shared, surface))];
  const missed = runs.flatMap(({ coverage }) => coverage?.missed ?? []);
  const durationMs = performance.now() - startedMs;
  const coverage = await shared.endAsync(durationMs, missed);
  const { reporters, sourceOf } = shared.reporting;
  const files = reporters.tally.files();
  const hasCases = files.some(({ cases }) => cases.length > 0);
  const isEmpty = hasNothingToRun(parts, first);
  const mayBeEmpty = parts.length === 1 && first.passWithNoTests;
  if (!hasCases && !isEmpty && !mayBeEmpty) surface.emit(remark(noCase(first)));
  if (isEmpty && parts.some(hasEmptyShard)) surface.emit(remark(EMPTY_SHARD));
  return {
    hasPassed: runs.every(({ hasPassed }) => hasPassed) && (hasCases || isEmpty || mayBeEmpty),
    files,
    durationMs,
    sourceOf,
    caveats: joinedCaveats(runs),
    sourceRemarks: [...new Set(runs.flatMap(({ sourceRemarks }) => sourceRemarks))],
    ...(coverage === undefined ? {} : { coverage }),
  };
}

const nothingRun = ({ reporting }: SharedReporting): ProjectRun => ({
  hasPassed: false,
  files: [],
  durationMs: 0,
  sourceOf: reporting.sourceOf,
  caveats: {},
  sourceRemarks: [],
});

/**
 * Reads all projects and selects their tests, before any test runs. A word that is no path may fit the files of some projects only;
 * throws INVALID_INPUT if it fits none.
 */
async function prepareAllAsync(members: readonly Member[], surface: TestSurface): Promise<Part[]> {
  const parts: Part[] = [];
  let unmatched: unknown;
  for (const member of members)
    try {
      const { shard: _, ...whole } = member.wishes;
      const prepared = await prepareRunAsync({ ...whole, part: member.name }, surface, keyOf(member));
      parts.push({ member, prepared });
    } catch (error) {
      if (!(error instanceof StudioBridgeError) || error.data[NO_MATCH] !== true) throw error;
      unmatched ??= error;
    }
  if (parts.length === 0 && unmatched !== undefined) throw unmatched;
  if (members[0]?.wishes.failed !== true) return parts;
  const failed = parts.filter(({ prepared }) => prepared.selection.scope === "failed");
  if (failed.length === 0) surface.emit(remark(NONE_FAILED));
  return failed.length === 0 ? parts : failed;
}

/** How histories name the files of a member. Only a file of --history is shared by several projects. */
const keyOf = (member: Member) => (path: string, isShared: boolean) =>
  listedFile(isShared ? member : { ...member, prefix: "" }, path);

/** Divides the files of all members together: otherwise the first file of each project would fall into the same shard. */
function inShard(parts: readonly Part[], { shard }: TestWishes): readonly Part[] {
  if (shard === undefined) return parts;
  const all = parts.flatMap(({ member, prepared: { selection, history } }) =>
    selection.files.map((file) => ({ file, path: listedFile(member, file.path), ms: history.givenMs(file) })),
  );
  const own = new Set(filesOfShard(all, shard, ({ ms }) => ms).map(({ file }) => file));
  return parts.map(({ member, prepared }) => {
    const files = prepared.selection.files.filter((file) => own.has(file));
    const selection: Selection = {
      ...prepared.selection,
      files,
      filesInAllShards: all.length,
      // The other shards have the files.
      isEmptyShard: all.length > 0 && files.length === 0,
    };
    return {
      member: { ...member, wishes: { ...member.wishes, shard } },
      prepared: { ...prepared, selection },
    };
  });
}

const noCase = ({ passWithNoTests }: TestWishes): string =>
  passWithNoTests
    ? "No case ran in any of the projects, and --pass-with-no-tests needs one that has a case."
    : "No case ran in any of the projects.";

const hasEmptyShard = ({ prepared }: Part): boolean => prepared.selection.isEmptyShard;

/** Other shards have the files, or no change affects one. A project without tests is as good as that only with --pass-with-no-tests. */
function hasNothingToRun(parts: readonly Part[], { passWithNoTests }: TestWishes): boolean {
  const isSpared = (part: Part): boolean => hasEmptyShard(part) || part.prepared.selection.isUnchanged;
  return (
    parts.some(isSpared) &&
    parts.every((part) => isSpared(part) || (passWithNoTests && part.prepared.selection.files.length === 0))
  );
}

function startOf(
  parts: readonly Part[],
  { target, seed, retries, shard }: TestWishes,
): Parameters<SharedReporting["begin"]>[0] {
  const scopes = parts.map(({ prepared }) => prepared.selection.scope);
  const scope = scopes.find((each): each is "failed" | "some" => each !== "all");
  const [first] = parts;
  return {
    type: "run",
    id: crypto.randomUUID(),
    version,
    target: targetText(target),
    startedAt: Date.now(),
    ...(seed === undefined ? {} : { seed }),
    ...(retries === 0 ? {} : { retries }),
    ...(scope === undefined ? {} : { scope }),
    ...(shard === undefined
      ? {}
      : { shard: shardText(shard), filesInAllShards: first?.prepared.selection.filesInAllShards ?? 0 }),
    thresholds: parts.flatMap(({ member: { prefix, wishes } }) => {
      const { lines, functions, perFile } = wishes.coverage?.thresholds ?? {};
      const limits = { lines, functions, ...(perFile === undefined ? {} : { perFile }) };
      return lines === undefined && functions === undefined ? [] : [{ prefix, ...limits }];
    }),
    files: parts.flatMap(({ member, prepared }) =>
      prepared.selection.files.map(({ path }) => listedFile(member, path)),
    ),
  };
}

/** Runs all members at once, in as many Studios together as one of them may have. The first error ends all. */
async function runAllAsync(
  parts: readonly Part[],
  shared: SharedReporting,
  surface: TestSurface,
): Promise<readonly ProjectRun[]> {
  const ended = new AbortController();
  const pool = new WorkerPool(Math.max(1, Math.min(...parts.map(({ member }) => member.wishes.workers))));
  const runs = parts.map(async ({ member, prepared }) => {
    const wishes = withinRun(member.wishes, parts);
    const { runTimeoutMs } = wishes;
    const limits = runTimeoutMs === undefined ? [] : [AbortSignal.timeout(runTimeoutMs)];
    const signal = AbortSignal.any([surface.signal, ended.signal, ...limits]);
    try {
      const made =
        prepared.selection.files.length === 0
          ? noRunner
          : await newRunnerAsync(wishes, prepared.project, surface, {});
      const newRunner = typeof made === "function" ? pool.limited(made) : made;
      const run = await runSelectionAsync(
        { ...prepared, wishes, newRunner, signal, reporting: shared.of(member) },
        surface,
      );
      if (run.hasBailed === true) ended.abort();
      return run;
    } catch (error) {
      ended.abort();
      throw error;
    }
  });
  const settled = await Promise.allSettled(runs);
  return settled.map((each) => {
    if (each.status === "rejected") throw each.reason;
    return each.value;
  });
}

const noRunner = (): never => {
  throw new Error("a run without files has no runner");
};

/** A project whose tests were not chosen, or that has none, does not fail a run in which another project has some. */
function withinRun(wishes: TestWishes, parts: readonly Part[]): TestWishes {
  const chooses = wishes.name !== undefined || wishes.files.length > 0 || wishes.failed;
  const isAlone = parts.length === 1;
  return { ...wishes, passWithNoTests: wishes.passWithNoTests || (!isAlone && chooses) };
}

function joinedCaveats(runs: readonly ProjectRun[]): CaveatFields {
  const neverFires = runs.flatMap(({ caveats }) => caveats.neverFires ?? []);
  const approximated = runs.flatMap(({ caveats }) => caveats.approximated ?? []);
  return {
    ...(neverFires.length === 0 ? {} : { neverFires }),
    ...(approximated.length === 0 ? {} : { approximated }),
  };
}
