/**
 * Applies the steps of a plan to files. The record of the plan is written before the first change; an item whose step
 * fails is taken back as a whole, and the others go on.
 */
import { basename, dirname, join } from "node:path";
import { gitBlobHash } from "../../util/git-blob-hash.ts";
import { systemReason } from "../../util/system-error.ts";
import type { SyncState } from "../state-paths.ts";
import type { PlaceIdentity, PlanItem } from "../types.ts";
import { doStepAsync, type OnStep, type StepScope, takeBackStepAsync } from "./file-step.ts";
import type { FileOperation, RecordedOperation } from "./operations.ts";
import { newRecord, type PlanRecord, writePlanRecordAsync } from "./plan-record.ts";
import { prunePlansNowAndThenAsync } from "./prune-plans.ts";
import { PathFault, type Root } from "./safe-path.ts";
import { openTrashAsync, TrashPlaces } from "./trash.ts";

export interface ApplyScope {
  readonly state: SyncState;
  readonly planId: string;
  readonly place: PlaceIdentity;
  readonly label: string;
  /** The project's folder first. */
  readonly roots: readonly Root[];
  /** The client that syncs. */
  readonly callerId?: string | undefined;
  /** No item is begun after it; the one that was begun is finished. */
  readonly signal?: AbortSignal;
  /** For tests: called after each single change of the disk. */
  readonly onStep?: OnStep;
}

export interface AppliedFiles {
  readonly record: PlanRecord;
  /** Why an item was not applied. Items that are missing here were. */
  readonly failures: ReadonlyMap<PlanItem, string>;
}

/** Throws PathFault, or the system's error, when nothing was changed yet because the plan could not be recorded. */
export async function applyFilesAsync(
  operations: readonly FileOperation[],
  scope: ApplyScope,
): Promise<AppliedFiles> {
  const { state, planId, place, label, roots, callerId } = scope;
  const [project] = roots;
  if (project === undefined) throw new PathFault("the project has no folder");
  const recorded = recordedOperations(operations, project, roots, planId);
  const record = newRecord({
    planId,
    startedAtMs: Date.now(),
    projectFile: state.projectFile,
    place,
    label,
    status: "applying",
    roots,
    operations: recorded,
    ...(callerId === undefined ? {} : { callerId }),
  });
  // Where nothing is done to files, there is nothing to take back. What the other side needs, its writer adds.
  const writeAsync = async (each: PlanRecord) => {
    if (operations.length > 0) await writePlanRecordAsync(state, each);
  };
  if (operations.length > 0) await openTrashAsync(project);
  await writeAsync(record);
  const applier = new Applier(operations, recorded, scope);
  const failures = await applier.runAsync();
  const finished: PlanRecord = {
    ...record,
    // What failed as a whole is nothing that an undo could take back.
    operations: recorded.filter((_, position) => {
      const operation = operations[position];
      return operation === undefined || !applier.isWithoutTrace(operation);
    }),
    status: failures.size === 0 ? "applied" : "partial",
    failures: Object.fromEntries([...failures].map(([item, reason]) => [item.id, reason])),
  };
  await writeAsync(finished);
  // What is old enough to go is no part of this plan, so that a fault here changes nothing about its result.
  await prunePlansNowAndThenAsync(state, project, planId).catch(() => {});
  return { record: finished, failures };
}

function recordedOperations(
  operations: readonly FileOperation[],
  project: Root,
  roots: readonly Root[],
  planId: string,
): readonly RecordedOperation[] {
  const places = new TrashPlaces(project, roots, planId);
  return operations.map((operation): RecordedOperation => {
    const { type, path } = operation;
    const common = { type, path, items: operation.items.map(({ id }) => id) };
    switch (operation.type) {
      case "createFolder":
      case "removeFolder":
        return common;
      case "rename":
        return { ...common, to: operation.to, ...hashBefore(operation) };
      case "remove":
        return { ...common, ...hashBefore(operation), trash: places.placeFor(path) };
      case "write":
        return {
          ...common,
          ...hashBefore(operation),
          after: gitBlobHash(operation.content),
          trash: places.placeFor(path),
          staging: join(dirname(path), `.${basename(path).slice(0, 100)}.${planId}.sb-tmp`),
        };
    }
  });
}

const hashBefore = ({ before }: { readonly before?: string }) => (before === undefined ? {} : { before });

class Applier {
  readonly #operations: readonly FileOperation[];
  readonly #recorded: readonly RecordedOperation[];
  readonly #signal: AbortSignal | undefined;
  readonly #step: StepScope;
  readonly #failures = new Map<PlanItem, string>();
  readonly #begun = new Set<PlanItem>();
  /** Those that failed, and of which a step could not be taken back. */
  readonly #halfDone = new Set<PlanItem>();
  /** Positions of the steps that were done, in their order. */
  readonly #done: number[] = [];

  constructor(
    operations: readonly FileOperation[],
    recorded: readonly RecordedOperation[],
    { roots, signal, onStep = () => {} }: ApplyScope,
  ) {
    this.#operations = operations;
    this.#recorded = recorded;
    this.#signal = signal;
    this.#step = { roots, onStep };
  }

  async runAsync(): Promise<ReadonlyMap<PlanItem, string>> {
    for (const [position, operation] of this.#operations.entries()) {
      const reason = this.#reasonToSkip(operation) ?? (await this.#tryAsync(position, operation));
      if (reason !== undefined) await this.#failAsync(operation.items, reason);
    }
    return this.#failures;
  }

  /** Whether a step belongs to items that failed and left the files as they were. */
  isWithoutTrace({ items }: FileOperation): boolean {
    return items.length > 0 && items.every((item) => this.#failures.has(item) && !this.#halfDone.has(item));
  }

  #reasonToSkip({ items }: FileOperation): string | undefined {
    const failed = items.find((item) => this.#failures.has(item));
    if (failed !== undefined) return this.#failures.get(failed);
    const isStopped = this.#signal?.aborted === true && !items.some((item) => this.#begun.has(item));
    return isStopped ? "the sync was interrupted before" : undefined;
  }

  async #tryAsync(position: number, operation: FileOperation): Promise<string | undefined> {
    const recorded = this.#recorded[position];
    if (recorded === undefined) return undefined;
    for (const item of operation.items) this.#begun.add(item);
    try {
      const content = operation.type === "write" ? operation.content : undefined;
      await doStepAsync(recorded, content, this.#step);
      this.#done.push(position);
      return undefined;
    } catch (error) {
      return `${operation.path}: ${reasonOf(error)}`;
    }
  }

  /** Takes back what was done for the items, last step first. */
  async #failAsync(items: readonly PlanItem[], reason: string): Promise<void> {
    for (const item of this.#withSharers(items)) {
      if (!this.#failures.has(item)) this.#failures.set(item, reason);
    }
    for (const position of this.#done.toReversed()) {
      const recorded = this.#recorded[position];
      const owners = this.#operations[position]?.items ?? [];
      if (recorded === undefined || !owners.some((item) => this.#failures.has(item))) continue;
      this.#done.splice(this.#done.indexOf(position), 1);
      await takeBackStepAsync(recorded, `${recorded.trash ?? ""}.taken-back`, this.#step).catch(
        (error: unknown) => {
          const more = `${recorded.path}: could not be taken back: ${reasonOf(error)}`;
          for (const item of owners) {
            this.#failures.set(item, `${reason}; ${more}`);
            this.#halfDone.add(item);
          }
        },
      );
    }
  }

  /** The items, and those that share a step with them that was done. */
  #withSharers(items: readonly PlanItem[]): ReadonlySet<PlanItem> {
    const all = new Set(items);
    for (let size = 0; size !== all.size;) {
      size = all.size;
      for (const position of this.#done) {
        const owners = this.#operations[position]?.items ?? [];
        if (owners.some((item) => all.has(item))) for (const item of owners) all.add(item);
      }
    }
    return all;
  }
}

const reasonOf = (error: unknown): string =>
  error instanceof PathFault ? error.message : systemReason(error);
