/** Runs a list of operations in a session, and reports the result of each. */
import type { ClassApi } from "../headless/index.ts";
import { undoReportSchema } from "../protocol/fields/undo-steps.ts";
import type { PatchOperation, PatchVerdict } from "../protocol/fields/patches.ts";
import { lazy } from "../protocol/lazy.ts";
import { defineSchema } from "../protocol/schema.ts";
import type { OutputOf } from "../protocol/schema.ts";
import { visibleOnOneLine } from "../util/visible-controls.ts";
import type { Style } from "../util/style.ts";
import { untilTestEnds, untilTestEndsField } from "../session/session-messages.ts";
import type { SessionLink } from "../session/session-link.ts";
import { nearPathAsync } from "../session/path-failure.ts";
import { pathFault } from "../session/plugin-failure.ts";
import { withoutGame } from "../tree/instance-path.ts";
import { placed, wireOperations } from "./operations.ts";
import type { Operation, OperationFault, WireOperation } from "./operations.ts";
import { compileText } from "../scripts/edit-scripts.ts";
import { stepName } from "../tree/change/step-name.ts";
import { sourceFaultsAsync } from "./source-faults.ts";
import { unrecordedLines } from "./unrecorded-lines.ts";
import { classFault, propertyFault, unfitValue, unknownProperty } from "./property-values.ts";
import type { ValueFault } from "./property-values.ts";

export const editOutput = defineSchema((z) =>
  z.object({
    /** False: nothing was changed. */
    ok: z.boolean(),
    items: z.array(
      z.object({
        index: z.int(),
        ok: z.boolean(),
        path: z.string().optional(),
        id: z.string().optional(),
        /** What later operations of the call name it by. */
        as: z.string().optional(),
        code: z.string().optional(),
        message: z.string().optional(),
        /** What was found in place of what was expected, or the Instances that a path fits. */
        details: z.unknown().optional(),
        before: z.unknown().optional(),
        after: z.unknown().optional(),
        /** Where the compiler does not take a source that was written. */
        compile: z.object({ line: z.int().optional(), message: z.string() }).optional(),
      }),
    ),
    /** Parts that no operation names and that joints have moved along. */
    movedAlong: z.array(z.string()).optional(),
    undo: undoReportSchema(z),
    ...untilTestEndsField(z),
  }),
);
export type EditResult = OutputOf<typeof editOutput>;
type Item = EditResult["items"][number];

interface Edit {
  readonly operations: readonly Operation[];
  readonly dryRun: boolean;
}

/** Unpacked once: a process that stays makes many calls. */
const classApi = lazy(async (): Promise<ClassApi> => {
  const { loadClassApiAsync } = await import("../headless/index.ts");
  return loadClassApiAsync();
});

/** Faults that the class data shows are told without asking Studio. What is wrong is told to people at once. */
export async function editPlaceAsync(edit: Edit, link: SessionLink): Promise<EditResult> {
  const result = await tryEditAsync(edit, link);
  if (!result.ok) link.emit({ stream: "stderr", text: (style) => wrongText(result, style) });
  return result;
}

async function tryEditAsync({ operations, dryRun }: Edit, link: SessionLink): Promise<EditResult> {
  const api = await classApi();
  const { wire, faults } = wireOperations(operations);
  const name = stepOf(operations, wire);
  const known = [...faults, ...knownFaults(wire, api)];
  if (known.length > 0) return refused(operations, known, name);
  const { ok, items, movedAlong, undo } = await link.callAsync("applyPatch", {
    operations: wire.map(({ operation }) => operation),
    name,
    caller: link.caller,
    dryRun,
  });
  const nearPaths = ok ? new Map() : await nearPathsAsync(items, link);
  const answer = { wire, verdicts: items, isDone: ok && !dryRun, api, nearPaths };
  const faultOf = ok ? await sourceFaultsAsync(wire, link) : undefined;
  return {
    ok,
    items: operations.map((operation, index) => {
      const compile = faultOf?.get(index);
      return { ...itemOf(operation, index, answer), ...(compile === undefined ? {} : { compile }) };
    }),
    ...(movedAlong === undefined ? {} : { movedAlong: movedAlong.map(withoutGame) }),
    undo,
    ...(answer.isDone ? untilTestEnds(link.session) : {}),
  };
}

/** As many paths are compared with what there is; a call with more wrong ones has one cause. */
const NEAR_PATHS = 20;

/** For each path that leads nowhere, what it may have meant. */
async function nearPathsAsync(
  verdicts: readonly PatchVerdict[],
  link: SessionLink,
): Promise<ReadonlyMap<PatchVerdict, string>> {
  const lost = verdicts.filter(({ code }) => code === "INSTANCE_NOT_FOUND").slice(0, NEAR_PATHS);
  const near = lost.map(async (verdict): Promise<[PatchVerdict, string]> => [
    verdict,
    await nearPathAsync(verdict.details, link),
  ]);
  return new Map(await Promise.all(near));
}

/** A step of one operation is called by what that does, so that the steps of a list can be told apart. */
function stepOf(operations: readonly Operation[], wire: readonly WireOperation[]): string {
  const [only, ...others] = operations;
  if (only === undefined || others.length > 0) return stepName(`edit ${wire.length} instances`);
  const { op, path, parent, className, name = className } = only;
  const made = [parent, name].filter((part) => part !== undefined).join(".");
  return stepName(`${op} ${withoutGame(path ?? made)}`);
}

/** What the class data can tell: of what is created, and of what is expected to be of a class. */
function knownFaults(wire: readonly WireOperation[], api: ClassApi): OperationFault[] {
  const classes = new Map<string, ReturnType<typeof classFault>>();
  const isKnown = new Map<string, boolean>();
  const checked = new Map<string, ReturnType<typeof propertyFault>>();
  return wire.flatMap((each) => {
    const { item, operation } = each;
    const { op, className, properties = {}, expect } = operation;
    const faultOf = ({ code, message }: ValueFault) => ({ item, code, message: placed(each, message) });
    const owner = op === "create" ? className : op === "set" ? expect?.className : undefined;
    if (owner === undefined) return [];
    if (!classes.has(owner) && op === "create") classes.set(owner, classFault(owner, api));
    const fault = op === "create" ? classes.get(owner) : undefined;
    if (fault !== undefined) return [faultOf(fault)];
    if (!isKnown.has(owner)) isKnown.set(owner, api.class(owner) !== undefined);
    if (isKnown.get(owner) !== true) return [];
    return Object.entries(properties).flatMap(([name, value]) => {
      const key = JSON.stringify([owner, name, value]);
      if (!checked.has(key)) checked.set(key, propertyFault(owner, name, value, api));
      const wrong = checked.get(key);
      return wrong === undefined ? [] : [faultOf(wrong)];
    });
  });
}

function refused(
  operations: readonly Operation[],
  faults: readonly OperationFault[],
  name: string,
): EditResult {
  const byItem = Map.groupBy(faults, ({ item }) => item);
  const items = operations.map((operation, index): Item => {
    const own = byItem.get(index) ?? [];
    const [fault] = own;
    const path = operation.path ?? operation.parent;
    return {
      index,
      ok: false,
      ...(path === undefined ? {} : { path }),
      code: fault?.code ?? "NOT_TRIED",
      message:
        fault === undefined
          ? "Not tried, because another operation is wrong."
          : own.map(({ message }) => message).join(" "),
    };
  });
  return { ok: false, items, undo: { recorded: false, name, reason: "nothing was changed" } };
}

interface Answer {
  readonly wire: readonly WireOperation[];
  readonly verdicts: readonly PatchVerdict[];
  /** The changes are there now. */
  readonly isDone: boolean;
  readonly api: ClassApi;
  readonly nearPaths: ReadonlyMap<PatchVerdict, string>;
}

/** Where the operations of an item stand, which follow each other on the wire. */
function rangeOf(item: number, wire: readonly WireOperation[]): [first: number, end: number] {
  // An item has at least one operation on the wire, so that it begins at its index or later.
  let first = item;
  while (first < wire.length && (wire[first]?.item ?? item) < item) first += 1;
  let end = first;
  while (wire[end]?.item === item) end += 1;
  return [first, end];
}

/** The verdict for an operation of the caller, which may be several on the wire: the first that fails counts. */
function itemOf(operation: Operation, index: number, answer: Answer): Item {
  const { wire, verdicts, isDone } = answer;
  const [first, end] = rangeOf(index, wire);
  const own = verdicts.slice(first, end);
  const [main] = own;
  const failedAt = own.findIndex(({ ok }) => !ok);
  const failed = own[failedAt];
  const path = main?.path === undefined ? pathBefore(main) : withoutGame(main.path);
  const isMade = operation.op === "create" || operation.op === "clone";
  const named = path ?? operation.path ?? operation.parent;
  return {
    index,
    ok: failed === undefined,
    ...(named === undefined ? {} : { path: named }),
    // What a call that failed has made is gone again.
    ...(main?.id === undefined || (isMade && !isDone) ? {} : { id: main.id }),
    ...(operation.as === undefined ? {} : { as: operation.as }),
    ...(failed === undefined ? shownChange(main) : failureOf(failed, wire[first + failedAt], answer)),
  };
}

function shownChange(verdict: PatchVerdict | undefined): Partial<Item> {
  return {
    ...(verdict?.before === undefined ? {} : { before: inWords(verdict.before) }),
    ...(verdict?.after === undefined ? {} : { after: inWords(verdict.after) }),
  };
}

/** `part` is what failed on the wire: the operation itself, or one of its children. */
function failureOf(
  verdict: PatchVerdict,
  part: WireOperation | undefined,
  { api, nearPaths }: Answer,
): Partial<Item> {
  const all = [verdict, ...othersIn(verdict.details)];
  const [first, ...others] = all.map((each) => failureInWords(each, part?.operation, api));
  const near = nearPaths.get(verdict) ?? "";
  const advice = near === "" ? "" : `. ${near}`;
  const messages = [`${first?.message}${advice}`, ...others.map(({ message }) => message)];
  return { ...first, message: placed(part ?? { child: "" }, messages.join(" ")) };
}

/** What else is wrong with an operation. */
function othersIn(details: unknown): readonly Pick<PatchVerdict, "code" | "message" | "details">[] {
  const { others } = objectOf(details);
  return Array.isArray(others) ? others.filter((each) => typeof each === "object" && each !== null) : [];
}

function failureInWords(
  { code = "INTERNAL_ERROR", message = "", details }: Pick<PatchVerdict, "code" | "message" | "details">,
  operation: PatchOperation | undefined,
  api: ClassApi,
): Partial<Item> {
  const { property, className, typeName }: { [fact: string]: unknown } = { ...objectOf(details) };
  const isNamed = typeof property === "string" && typeof className === "string";
  if (code === "PROPERTY_NOT_FOUND" && isNamed)
    return { code, message: unknownProperty(className, property, api).message };
  if (code === "INVALID_VALUE" && typeof property === "string" && !isNamed)
    return { code, message: unfitAttribute(property) };
  if (code === "INVALID_VALUE" && isNamed && typeof typeName === "string")
    return {
      code,
      message: unfitValue(className, property, typeName, operation?.properties?.[property], api).message,
    };
  const text = pathFault(code, message, details) ?? message;
  return {
    code,
    message: withoutGame(text),
    ...(details === undefined ? {} : { details: inWords(details) }),
  };
}

/** An attribute that is not there yet has no type by which its value could be read. */
const unfitAttribute = (name: string): string =>
  `The attribute ${name} takes a text, a number, true, false, null or a typed value, such as { "type": "Vector3", "value": [0, 5, 0] }.`;

function objectOf(value: unknown): { readonly [key: string]: unknown } {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

function pathBefore(verdict: PatchVerdict | undefined): string | undefined {
  const { path } = objectOf(verdict?.before);
  return typeof path === "string" ? withoutGame(path) : undefined;
}

/** Paths among the facts are given without `game.`, as everywhere in results, and values in an order that stays. */
function inWords(facts: unknown): unknown {
  if (typeof facts !== "object" || facts === null) return facts;
  if (Array.isArray(facts)) return facts.map(inWords);
  const entries = Object.entries(facts).sort(([one], [other]) => factOrder(one, other));
  return Object.fromEntries(
    entries.map(([key, value]) => [
      key,
      key === "path" && typeof value === "string" ? withoutGame(value) : inWords(value),
    ]),
  );
}

function factOrder(one: string, other: string): number {
  if (one === "type" || other === "type") return one === "type" ? -1 : 1;
  return one < other ? -1 : 1;
}

/** One line for each operation that was done. */
export function editText({ ok, items, movedAlong = [], undo }: EditResult, style: Style): string {
  if (!ok) return "";
  const lines = items.flatMap(({ path = "", id = "", compile }) => [
    `${style.body(visibleOnOneLine(path))} ${style.dim(id)}`,
    ...(compile === undefined ? [] : [`${style.yellow("warning:")} ${style.body(compileText(compile))}`]),
  ]);
  return [...lines, ...movedAlongLines(movedAlong, style), ...unrecordedLines(undo, style)].join("\n");
}

/** A few of them, because an assembly may have hundreds of parts. */
const SHOWN_MOVES = 5;

function movedAlongLines(paths: readonly string[], style: Style): readonly string[] {
  const shown = paths.slice(0, SHOWN_MOVES).map(visibleOnOneLine).join(", ");
  const more = paths.length - SHOWN_MOVES;
  return paths.length === 0
    ? []
    : [style.dim(`joints moved along: ${shown}${more > 0 ? ` and ${more} more` : ""}`)];
}

/** What is wrong, one line for each operation. */
function wrongText({ items }: EditResult, style: Style): string {
  const wrong = items.filter(({ ok, code }) => !ok && code !== "NOT_TRIED");
  const lines = wrong.map(({ index, path, message = "" }) => {
    const place = items.length === 1 ? "" : `operation ${index + 1}: `;
    const isNamed = path === undefined || message.includes(path);
    const where = isNamed ? "" : `${visibleOnOneLine(path)}: `;
    return `${place}${where}${visibleOnOneLine(message)}`;
  });
  return [style.red("Nothing was changed."), ...lines].join("\n");
}

/** Whether the call failed as a whole. */
export const editFailed = ({ ok }: EditResult): boolean => !ok;
