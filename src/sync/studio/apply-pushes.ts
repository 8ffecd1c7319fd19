/**
 * Sends the operations of a plan to the plugin, in parts that make one undo step together, and reports what became of
 * each item. A failure of one item leaves the others alone.
 */
import { LongStep } from "../../tree/change/long-step.ts";
import type { PatchOperation, PatchVerdict } from "../../protocol/fields/patches.ts";
import { StudioBridgeError } from "../../protocol/errors.ts";
import type { RojoNode } from "../../roblox/rojo/node.ts";
import type { ItemResult, Plan, PlanItem, SyncStep } from "../types.ts";
import { charsOf, partSizeOf } from "../../tree/change/parts.ts";
import { pushSteps, type PushStep } from "./push-operations.ts";
import { isHeldBack } from "../held-back.ts";
import { Refused } from "./push-values.ts";
import type { StudioLink } from "./studio-link.ts";
import type { StudioReader } from "./studio-reader.ts";

const PART_TIMEOUT_MS = 60_000;

export interface Push {
  readonly items: readonly PlanItem[];
  readonly plan: Plan;
  readonly reader: StudioReader;
  readonly canMakeModels: boolean;
  /** By which later syncs know the place and its revision again; attributes of ServerStorage. */
  readonly attributes: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** By which the step is found again when the sync is taken back. */
  readonly step: SyncStep;
}

export interface Pushed {
  readonly results: readonly ItemResult[];
  /** Whether the place took the attributes. */
  readonly isNamed: boolean;
}

/** Ends early where the signal fires or the Studio goes away; the results say so of each item that is left. */
export async function applyPushesAsync(link: StudioLink, push: Push): Promise<Pushed> {
  const run = new PushRun(link, push);
  const { items, plan, reader, canMakeModels } = push;
  const { schema, mark } = reader;
  const exact = await reader.exactPropertiesAsync(items.flatMap(editedId));
  await run.runAsync(pushSteps(items, plan, { schema, mark, exact, canMakeModels }));
  return { results: push.items.map((item) => run.resultOf(item)), isNamed: run.isNamed };
}

const editedId = ({ change, studio, aspects }: PlanItem): readonly number[] =>
  change !== "add" && studio?.studioId !== undefined && aspects.some(({ aspect }) => aspect === "property")
    ? [studio.studioId]
    : [];

/** An operation that is on its way. The one that names the place belongs to no step. */
interface Sent {
  readonly step: PushStep | undefined;
  readonly operation: PatchOperation;
}

class PushRun {
  readonly #link: StudioLink;
  readonly #push: Push;
  readonly #step: LongStep;
  /** The nodes that the step has made or is about to make, with the names that its operations give them. */
  readonly #names = new Map<RojoNode, string>();
  #namesGiven = 0;
  readonly #failures = new Map<PlanItem, string>();
  /** Of these the person at Studio has not allowed the part. */
  readonly #heldBack = new Set<PlanItem>();
  readonly #done = new Set<PlanItem>();
  #isSent = false;
  /** Whether the place has taken a part of the step. */
  #isBegun = false;
  isNamed = false;

  constructor(link: StudioLink, push: Push) {
    this.#link = link;
    this.#push = push;
    const { length } = push.items;
    this.#step = new LongStep(
      {
        session: link.session,
        caller: link.caller,
        // A part that has begun goes on to its end, so that what became of it is known.
        callAsync: (action, request) => link.callAnywayAsync(action, request, PART_TIMEOUT_MS),
      },
      { name: `sb sync: ${length} ${length === 1 ? "change" : "changes"}`, sync: push.step, exact: true },
    );
  }

  async runAsync(steps: readonly PushStep[]): Promise<void> {
    const waiting = [...steps].reverse();
    while (waiting.length > 0) {
      if (this.#push.signal.aborted) return this.#stopAsync(waiting, "interrupted");
      const part = this.#nextPart(waiting);
      try {
        await this.#sendAsync(part, waiting.length === 0, () => waiting.toReversed().map(comingOf));
      } catch (error) {
        if (!(error instanceof StudioBridgeError)) throw error;
        const isRestLeft = await this.#refusedAsync(error, part, waiting);
        if (isRestLeft) return;
      }
    }
  }

  /** Whether the rest is left too: a No to a later part is one to that part, and a No to the first one is one to the plan. */
  async #refusedAsync(
    error: StudioBridgeError,
    part: readonly Sent[],
    waiting: readonly PushStep[],
  ): Promise<boolean> {
    const isUnclear = error.outcome !== "not_started";
    const reason = `${error.message}${isUnclear ? " The next sync finds out what became of it." : ""}`;
    const isRestLeft = !(this.#isBegun && error.code === "DENIED");
    const steps = part.flatMap(({ step }) => step ?? []);
    const failed = isRestLeft ? [...steps, ...waiting] : steps;
    if (isHeldBack(error)) for (const { item } of failed) this.#heldBack.add(item);
    this.#failAll(failed, reason);
    // What the part would have made is there for no later one.
    for (const { makes } of failed) if (makes !== undefined) this.#names.delete(makes);
    // Without its last part the step would stay open for a while.
    if (this.#isBegun && isHeldBack(error) && (isRestLeft || waiting.length === 0)) await this.#closeAsync();
    return isRestLeft;
  }

  resultOf(item: PlanItem): ItemResult {
    const reason = this.#failures.get(item);
    const isHeldBack = this.#heldBack.has(item);
    if (reason !== undefined) return { item, applied: false, reason, ...(isHeldBack && { isHeldBack }) };
    return this.#done.has(item)
      ? { item, applied: true }
      : { item, applied: false, reason: "it has nothing that scripts can write" };
  }

  /** Takes from the end of `waiting` what fits into one request. */
  #nextPart(waiting: PushStep[]): Sent[] {
    const part: Sent[] = [];
    let chars = 0;
    const limits = partSizeOf(this.#link.session);
    while (part.length < limits.operations && chars < limits.chars) {
      const step = waiting.pop();
      if (step === undefined) break;
      const operation = this.#operationOf(step);
      if (operation === undefined) continue;
      // Half an item is no use: what follows an operation that fails is left out.
      const after = part.findLastIndex((sent) => sent.step?.item === step.item);
      part.push({ step, operation: after < 0 ? operation : { ...operation, after } });
      chars += charsOf(operation);
    }
    return part;
  }

  /** Undefined for what cannot be pushed. */
  #operationOf(step: PushStep): PatchOperation | undefined {
    const { item, makes } = step;
    if (this.#failures.has(item)) return undefined;
    try {
      const operation = step.operation((node) => this.#refer(node));
      if (makes === undefined) return operation;
      const name = `n${this.#namesGiven++}`;
      this.#names.set(makes, name);
      return { ...operation, as: name };
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.#failures.set(item, error.message);
      return undefined;
    }
  }

  #refer(node: RojoNode): string {
    const name = this.#names.get(node);
    if (name !== undefined) return `$${name}`;
    const id = this.#push.plan.pairs.get(node)?.studioId;
    if (id === undefined) throw new Refused(`${node.name} is not in the place`);
    return `@${id}`;
  }

  async #sendAsync(
    part: readonly Sent[],
    isLast: boolean,
    coming: () => readonly PatchOperation[],
  ): Promise<void> {
    if (part.length === 0 && !(isLast && this.#isSent)) return;
    const sent = isLast ? [...part, namingStep(this.#push.attributes)] : part;
    this.#isSent = true;
    const { items } = await this.#step.sendAsync(
      sent.map(({ operation }) => operation),
      isLast,
      coming,
    );
    this.#isBegun = true;
    for (const [index, { step }] of sent.entries())
      if (step !== undefined) this.#take(step, items[index]);
      else this.isNamed = items[index]?.ok === true;
  }

  #take({ item, makes }: PushStep, verdict: PatchVerdict | undefined): void {
    if (verdict?.ok !== true) {
      if (!this.#failures.has(item)) this.#failures.set(item, failureOf(verdict));
      if (makes !== undefined) this.#names.delete(makes);
      return;
    }
    this.#done.add(item);
    const unwritten = unwrittenIn(verdict);
    if (unwritten.length > 0) this.#failures.set(item, `scripts cannot write ${unwritten.join(", ")}`);
  }

  async #stopAsync(waiting: readonly PushStep[], reason: string): Promise<void> {
    this.#failAll(waiting, reason);
    if (this.#isSent) await this.#step.sendAsync([], true);
  }

  async #closeAsync(): Promise<void> {
    await this.#step.sendAsync([], true).catch((error: unknown) => {
      if (!(error instanceof StudioBridgeError)) throw error;
    });
  }

  #failAll(steps: readonly (PushStep | undefined)[], reason: string): void {
    for (const step of steps)
      if (step !== undefined && !this.#failures.has(step.item)) this.#failures.set(step.item, reason);
  }
}

/** What the person at Studio is told of a step before its part comes. */
function comingOf({ item: { change, studio, path, className } }: PushStep): PatchOperation {
  if (change === "add") return { op: "create", path: `game.${path}`, className };
  const known = studio?.studioId === undefined ? `game.${path}` : `@${studio.studioId}`;
  return { op: change === "remove" ? "delete" : "set", path: known };
}

const namingStep = (attributes: Readonly<Record<string, string>>): Sent => ({
  step: undefined,
  operation: { op: "set", path: "game.ServerStorage", attributes: { ...attributes } },
});

function failureOf(verdict: PatchVerdict | undefined): string {
  if (verdict === undefined) return "Studio did not report on it";
  const { code, message = "Studio refused it" } = verdict;
  return code === "PRECONDITION_FAILED" ? "it has changed in Studio since the plan was made" : message;
}

function unwrittenIn({ details }: PatchVerdict): readonly string[] {
  const { unwritten }: { readonly [key: string]: unknown } = { ...Object(details) };
  return Array.isArray(unwritten) ? unwritten.map(String) : [];
}
