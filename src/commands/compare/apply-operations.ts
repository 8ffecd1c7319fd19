/**
 * Sends the operations of a restore as one undo step: all or none in one patch, or, where they are too many for one, in
 * several that make one step and are taken back together when one of them fails.
 */
import type { ActionResult, PatchOperation } from "../../protocol/actions.ts";
import { limits } from "../../protocol/limits.ts";
import { StudioBridgeError } from "../../protocol/errors.ts";
import { isTagged } from "../../protocol/values.ts";
import type { SerializedValue } from "../../protocol/values.ts";
import type { SessionCommandContext } from "../../command/context.ts";
import { sliceOf } from "../../command/tree/read-tree.ts";
import { shownPath } from "../../command/words/instance-path.ts";

type Patched = ActionResult<"applyPatch">;
type Verdict = Patched["items"][number];

/** The first refusal of a value divides its operation, the second leaves the value out. */
const ATTEMPTS = 3;
const PART_OPERATIONS = 2_000;
const PART_BYTES = 4 * 1024 * 1024;

/** A value that Studio refuses stops only itself: everything else is done. Any other refusal undoes the whole. */
export async function applyOperationsAsync(
  operations: readonly PatchOperation[],
  name: string,
  context: SessionCommandContext,
): Promise<Patched> {
  return isSmall(operations)
    ? applyAtOnceAsync(operations, name, context)
    : applyInPartsAsync(operations, name, context);
}

function isSmall(operations: readonly PatchOperation[]): boolean {
  const sources = operations.flatMap(({ source }) => source ?? []);
  const bytes = sources.reduce((sum, source) => sum + Buffer.byteLength(source), 0);
  return (
    operations.length <= limits.patchOperations &&
    sources.length <= limits.patchSources &&
    bytes <= limits.patchSourceBytes
  );
}

async function applyAtOnceAsync(
  operations: readonly PatchOperation[],
  name: string,
  { callAsync, caller }: SessionCommandContext,
): Promise<Patched> {
  let left = operations;
  for (let attempt = 1; ; attempt += 1) {
    const result = await callAsync("applyPatch", { operations: [...left], name, caller });
    if (result.ok) return result;
    const failed = failedIn(result);
    const fatal = [...failed.values()].find(({ index }) => left[index]?.op !== "set");
    if (fatal !== undefined || attempt === ATTEMPTS) throw refused(fatal ?? failed.values().next().value);
    left = left.flatMap((operation, index) => (failed.has(index) ? divided(operation) : [operation]));
  }
}

async function applyInPartsAsync(
  operations: readonly PatchOperation[],
  name: string,
  context: SessionCommandContext,
): Promise<Patched> {
  const id = crypto.randomUUID();
  const ids = new Map<string, string>();
  const sendAsync = async (part: readonly PatchOperation[], isLast: boolean): Promise<Patched> => {
    const { caller } = context;
    const sent = part.map((operation) => withKnownIds(operation, ids));
    const result = await context.callAsync("applyPatch", {
      operations: sent,
      name,
      caller,
      step: { id, isLast },
      ...sliceOf(context),
    });
    for (const { index, id: made } of result.items) {
      const given = sent[index]?.as;
      if (given !== undefined && made !== undefined) ids.set(given, made);
    }
    return result;
  };
  const values: PatchOperation[] = [];
  let fatal: Verdict | undefined;
  for (const part of partsOf(operations)) {
    const result = await sendAsync(part, false);
    for (const verdict of failedIn(result).values()) {
      const operation = part[verdict.index];
      if (operation?.op === "set") values.push(...divided(operation));
      else fatal ??= verdict;
    }
    if (fatal !== undefined) break;
  }
  const last = await sendAsync(fatal === undefined ? values : [], true);
  if (fatal === undefined) return last;
  if (last.undo.recorded) await context.callAsync("undo", { steps: 1, only: context.caller.id });
  throw refused(fatal);
}

const failedIn = ({ items }: Patched): ReadonlyMap<number, Verdict> =>
  new Map(items.flatMap((item) => (item.ok ? [] : [[item.index, item] as const])));

function* partsOf(operations: readonly PatchOperation[]): Generator<readonly PatchOperation[]> {
  let part: PatchOperation[] = [];
  let bytes = 0;
  for (const operation of operations) {
    const size = (operation.source?.length ?? 0) + (operation.model?.length ?? 0);
    if (part.length > 0 && (part.length >= PART_OPERATIONS || bytes + size > PART_BYTES)) {
      yield part;
      part = [];
      bytes = 0;
    }
    part.push(operation);
    bytes += size;
  }
  if (part.length > 0) yield part;
}

/** A name that an earlier part gave means nothing in this one, so the Instance's id stands for it. */
function withKnownIds(operation: PatchOperation, ids: ReadonlyMap<string, string>): PatchOperation {
  const known = (text: string) => text.replace(/^\$(\w+)/, (whole, given) => ids.get(given) ?? whole);
  const { path, parent, properties } = operation;
  const valueOf = (value: SerializedValue): SerializedValue =>
    isTagged(value) && value.type === "Instance" && typeof value.id === "string"
      ? { ...value, id: known(value.id) }
      : value;
  return {
    ...operation,
    ...(path === undefined ? {} : { path: known(path) }),
    ...(parent === undefined ? {} : { parent: known(parent) }),
    ...(properties === undefined
      ? {}
      : {
          properties: Object.fromEntries(
            Object.entries(properties).map(([name, value]) => [name, valueOf(value)]),
          ),
        }),
  };
}

/** One operation for each value; none for a single value. */
function divided({ op, path, properties = {}, attributes = {} }: PatchOperation): PatchOperation[] {
  const single = [
    ...Object.entries(properties).map(([key, value]) => ({ properties: { [key]: value } })),
    ...Object.entries(attributes).map(([key, value]) => ({ attributes: { [key]: value } })),
  ];
  const to = path === undefined ? {} : { path };
  return single.length === 1 ? [] : single.map((part): PatchOperation => ({ op, ...to, ...part }));
}

function refused(verdict: Verdict | undefined): StudioBridgeError {
  const where = verdict?.path === undefined ? "" : ` ${shownPath(verdict.path)}:`;
  const what = verdict?.message ?? "Studio refused it.";
  return new StudioBridgeError("EDIT_REFUSED", `Nothing was restored.${where} ${what}`);
}
