/**
 * Sends the operations of a restore as one undo step: all or none in one request, or, where they are too many for one, in
 * several that make one step and are taken back together when one of them fails.
 */
import type { PatchOperation, PatchVerdict } from "../../protocol/fields/patches.ts";
import { StudioBridgeError } from "../../protocol/errors.ts";
import { shownPath } from "../instance-path.ts";
import { LongStep, type Patched, type StepLink } from "../change/long-step.ts";
import { partSizeOf, partsOf } from "../change/parts.ts";
import type { RunSurface } from "../../output/run-surface.ts";

/** What a restore needs of the session of the edited place. */
export type RestoreLink = StepLink & Pick<RunSurface, "status">;

/** The first refusal of a value divides its operation, the second leaves the value out. */
const ATTEMPTS = 3;

/** A value that Studio refuses stops only itself: everything else is done. Any other refusal undoes the whole. */
export async function applyOperationsAsync(
  operations: readonly PatchOperation[],
  name: string,
  link: RestoreLink,
): Promise<Patched> {
  const [first = [], ...more] = partsOf(operations, partSizeOf(link.session));
  return more.length === 0
    ? applyAtOnceAsync(first, name, link)
    : applyInPartsAsync([first, ...more], name, link);
}

async function applyAtOnceAsync(
  operations: readonly PatchOperation[],
  name: string,
  { callAsync, caller }: RestoreLink,
): Promise<Patched> {
  let left = operations;
  for (let attempt = 1; ; attempt += 1) {
    const result = await callAsync("applyPatch", { operations: [...left], name, caller, exact: true });
    if (result.ok) return result;
    const failed = failedIn(result);
    const fatal = [...failed.values()].find((verdict) => isFatal(verdict, left));
    if (fatal !== undefined || attempt === ATTEMPTS) throw refused(fatal ?? failed.values().next().value);
    left = left.flatMap((operation, index) => (failed.has(index) ? divided(operation) : [operation]));
  }
}

async function applyInPartsAsync(
  parts: readonly (readonly PatchOperation[])[],
  name: string,
  link: RestoreLink,
): Promise<Patched> {
  const step = new LongStep(link, { name, exact: true });
  const values: PatchOperation[] = [];
  let fatal: PatchVerdict | undefined;
  for (const [index, part] of parts.entries()) {
    link.status(`Restoring: part ${index + 1} of ${parts.length}`);
    const failed = failedIn(await step.sendAsync(part, false, () => parts.slice(index + 1).flat()));
    fatal = [...failed.values()].find((verdict) => isFatal(verdict, part));
    if (fatal !== undefined) break;
    values.push(...part.flatMap((operation, at) => (failed.has(at) ? divided(operation) : [])));
  }
  const last = await step.sendAsync(fatal === undefined ? values : [], true);
  if (fatal === undefined) return last;
  if (last.undo.recorded) await link.callAsync("undo", { steps: 1, only: link.caller.id });
  throw refused(fatal);
}

/** What was changed since it was compared must not be overwritten. */
const CHANGED = "PRECONDITION_FAILED";

const isFatal = ({ index, code }: PatchVerdict, operations: readonly PatchOperation[]): boolean =>
  code === CHANGED || operations[index]?.op !== "set";

const failedIn = ({ items }: Patched): ReadonlyMap<number, PatchVerdict> =>
  new Map(items.flatMap((item) => (item.ok ? [] : [[item.index, item] as const])));

/** One operation for each value; none for a single value. */
function divided({ op, path, properties = {}, attributes = {}, expect }: PatchOperation): PatchOperation[] {
  const single = [
    ...Object.entries(properties).map(([key, value]) => ({ properties: { [key]: value } })),
    ...Object.entries(attributes).map(([key, value]) => ({ attributes: { [key]: value } })),
  ];
  const to = { ...(path === undefined ? {} : { path }), ...(expect === undefined ? {} : { expect }) };
  return single.length === 1 ? [] : single.map((part): PatchOperation => ({ op, ...to, ...part }));
}

function refused(verdict: PatchVerdict | undefined): StudioBridgeError {
  const path = verdict?.path === undefined ? undefined : shownPath(verdict.path);
  if (verdict?.code === CHANGED)
    return new StudioBridgeError(
      "CHANGED_BY_OTHERS",
      `${path ?? "Something"} has changed while the restore was prepared. Nothing was restored.`,
      {
        hint: "Look at the place, then restore again. What changed during a long restore was taken back with it.",
      },
    );
  const what = verdict?.message ?? "Studio refused it.";
  return new StudioBridgeError(
    "EDIT_REFUSED",
    `Nothing was restored.${path === undefined ? "" : ` ${path}:`} ${what}`,
  );
}
