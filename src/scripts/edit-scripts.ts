/**
 * Edits the sources of scripts: works out the new sources here, asks the compiler about them, and has them written as one
 * change, all or none.
 */
import { stepName } from "../tree/change/step-name.ts";
import type { SessionLink } from "../session/session-link.ts";
import { nearPathAsync } from "../session/path-failure.ts";
import { hashOf, readScriptAsync } from "./script-sources.ts";
import type { ReadScript } from "./script-sources.ts";
import { untilTestEnds } from "../session/session-messages.ts";
import { unifiedDiff } from "./unified-diff.ts";
import { shownPath } from "../tree/instance-path.ts";
import type { ActionResult } from "../protocol/actions.ts";
import { StudioBridgeError } from "../protocol/errors.ts";
import { gitBlobHash } from "../util/git-blob-hash.ts";
import { planEdits, replaceIn, replaceInSource } from "./apply-edits.ts";
import type { EditFault, Replacement } from "./apply-edits.ts";
import { checkSize, withBreaks } from "./edit-input.ts";
import type { ScriptEdit } from "./edit-input.ts";
import type { NumberedLine } from "./near-lines.ts";

export interface EditOptions {
  /** A source that does not compile is refused. */
  readonly check: boolean;
  readonly dryRun: boolean;
  /** What the new sources bring that was not there before. Errors refuse the edit. */
  readonly checkTypesAsync?: CheckTypes;
}

/** What a type checker finds in one script, whose path stands as results show it. */
interface TypeFinding {
  readonly file: string;
  readonly line: number;
  readonly severity: "error" | "warning";
  readonly code: string;
  readonly message: string;
}

export type CheckTypes = (
  changed: readonly { readonly path: string; readonly source: string }[],
) => Promise<readonly TypeFinding[]>;

/** What became of one edit, or would become of it. */
export interface EditVerdict {
  readonly index: number;
  readonly ok: boolean;
  readonly path: string;
  readonly id?: string;
  /** Of the source as it is after the call, and with a dry run as it would be. */
  readonly hash?: string;
  /** What this edit changes. */
  readonly diff?: string;
  /** Where the compiler does not take the new source. */
  readonly compile?: { readonly line?: number | undefined; readonly message: string };
  readonly code?: string;
  readonly message?: string;
  readonly nearest?: NumberedLine[];
}

export interface EditResult {
  readonly ok: boolean;
  readonly items: EditVerdict[];
  readonly undo: ActionResult<"applyPatch">["undo"];
  readonly untilTestEnds?: true;
  /** Absent where Studio's compiler could be asked. */
  readonly isUnchecked?: boolean;
  /** What a type checker finds that was not there before; present where it was asked. */
  readonly findings?: TypeFinding[];
}

/** A script with the edits that it gets. */
interface Target {
  readonly script: ReadScript;
  readonly hash: string;
  /** The source with line feeds alone. */
  readonly before: string;
  /** What is written: the line ends are those of the script, or of a new whole source. */
  readonly written: string;
  readonly replacements: ReadonlyMap<number, readonly Replacement[]>;
}

/** Each reading waits for a frame of Studio, and a client has 64 requests under way at most. */
const READS_AT_ONCE = 32;

type Faults = Map<number, EditFault & { readonly path?: string }>;
type Numbered = ScriptEdit & { readonly index: number };

export async function editScriptsAsync(
  link: SessionLink,
  edits: readonly ScriptEdit[],
  { check, dryRun, checkTypesAsync }: EditOptions,
): Promise<EditResult> {
  const numbered = edits.map((edit, index) => ({ ...edit, index }));
  const faults: Faults = new Map();
  const targets = await targetsAsync(link, numbered, faults);
  const changed = targets.filter(({ script, written }) => script.source !== written);
  checkSize(changed.map(({ written }) => written));
  const compiler = await checkedAsync(link, changed, check, faults);
  const findings = faults.size === 0 ? await typesAsync(changed, checkTypesAsync, faults) : undefined;
  const name = stepOf(changed);
  const patch =
    faults.size === 0 && changed.length > 0
      ? await writtenAsync(link, changed, { name, dryRun }, faults)
      : undefined;
  const isDone = faults.size === 0;
  const targetOfEdit = new Map(
    targets.flatMap((target) => Array.from(target.replacements.keys(), (index) => [index, target] as const)),
  );
  const told = new Set<Target>();
  const items = numbered.map((edit) => {
    const target = targetOfEdit.get(edit.index);
    const compile = target === undefined ? undefined : compiler.faultOf.get(target);
    const isFirst = target !== undefined && !told.has(target);
    if (isFirst) told.add(target);
    return verdict(edit, { target, isFirst, fault: faults.get(edit.index), compile, isDone });
  });
  const reason = isDone ? "nothing changes" : "nothing was changed";
  return {
    ok: isDone,
    items,
    undo: isDone && patch !== undefined ? patch.undo : { recorded: false, name, reason },
    ...(isDone && !dryRun ? untilTestEnds(link.session) : {}),
    ...(compiler.isUnchecked ? { isUnchecked: true } : {}),
    ...(findings === undefined ? {} : { findings }),
  };
}

/** Reads each script once, and finds what its edits replace. What cannot be done goes to `faults`. */
async function targetsAsync(
  link: SessionLink,
  edits: readonly Numbered[],
  faults: Faults,
): Promise<readonly Target[]> {
  const byId = new Map<string, { readonly script: ReadScript; readonly edits: Numbered[] }>();
  const byPath = [...Map.groupBy(edits, (edit) => edit.path)];
  for (let start = 0; start < byPath.length; start += READS_AT_ONCE) {
    const batch = byPath.slice(start, start + READS_AT_ONCE);
    const readings = await Promise.allSettled(batch.map(([path]) => readScriptAsync(link, path)));
    for (const [position, [path, ofPath]] of batch.entries()) {
      const reading = readings[position];
      if (reading?.status === "fulfilled") {
        const known = byId.get(reading.value.id);
        byId.set(reading.value.id, { script: reading.value, edits: [...(known?.edits ?? []), ...ofPath] });
      } else {
        const fault = await pathFaultAsync(reading?.reason, path, link);
        for (const { index } of ofPath) faults.set(index, fault);
      }
    }
  }
  return Array.from(byId.values(), (each) => targetOf(each.script, each.edits, faults));
}

const PATH_CODES: readonly string[] = ["INSTANCE_NOT_FOUND", "PROPERTY_NOT_FOUND", "AMBIGUOUS_PATH"];

/** In words for people and agents alike. Anything that is not about the path fails the call. */
async function pathFaultAsync(error: unknown, path: string, link: SessionLink): Promise<EditFault> {
  if (!(error instanceof StudioBridgeError) || !PATH_CODES.includes(error.code)) throw error;
  const { code, message, data } = error;
  const near = await nearPathAsync(data["details"], link);
  const [, parent, name] = /^(?:game\.)?([\w.]+)\.(\w+)$/.exec(path) ?? [];
  const isMissing = code === "INSTANCE_NOT_FOUND" && parent !== undefined;
  const instead = isMissing ? `\`sb new ModuleScript ${parent} Name=${name}\` creates one.` : "";
  const sentences = [message.replace(/\.?$/, "."), near, instead];
  return { code, message: sentences.filter((each) => each !== "").join(" ") };
}

function targetOf(script: ReadScript, unordered: readonly Numbered[], faults: Faults): Target {
  const edits = unordered.toSorted((a, b) => a.index - b.index);
  const hash = hashOf(script);
  const before = withBreaks(script.source);
  const replacements = new Map<number, readonly Replacement[]>();
  const planned = planEdits(
    before,
    edits.map(({ edit }) => edit),
  );
  for (const [position, { index, edit, hash: expected }] of edits.entries()) {
    const plan = planned[position];
    replacements.set(index, plan !== undefined && "replacements" in plan ? plan.replacements : []);
    if (script.bytes !== undefined && edit.kind !== "whole") faults.set(index, notText);
    else if (expected !== undefined && expected !== hash) faults.set(index, changedSince(hash));
    else if (plan !== undefined && "fault" in plan) faults.set(index, plan.fault);
  }
  const all = [...replacements.values()].flat();
  const whole = edits.find(({ edit }) => edit.kind === "whole")?.edit;
  const written = whole?.kind === "whole" ? whole.source : replaceInSource(script.source, all);
  return { script, hash, before, written, replacements };
}

function changedSince(hash: string): EditFault {
  const message = `The source has changed since it was read: its hash is ${hash}. Read the script again.`;
  return { code: "PRECONDITION_FAILED", message };
}

const notText: EditFault = {
  code: "EDIT_REFUSED",
  message: "The source is not valid UTF-8, so that only source, for the whole of it, can replace it.",
};

interface Compiler {
  readonly faultOf: ReadonlyMap<Target, NonNullable<EditVerdict["compile"]>>;
  readonly isUnchecked: boolean;
}

async function checkedAsync(
  link: SessionLink,
  changed: readonly Target[],
  isRequired: boolean,
  faults: Faults,
): Promise<Compiler> {
  if (changed.length === 0) return { faultOf: new Map(), isUnchecked: false };
  const sources = changed.map(({ written }) => written);
  const { isChecked, faults: found } = await link.callAsync("checkSources", { sources });
  if (isRequired && !isChecked)
    throw new StudioBridgeError("EDIT_REFUSED", "This Studio does not let plugins ask the Luau compiler.", {
      hint: "Leave out check; nothing was changed.",
    });
  const faultOf = new Map<Target, { readonly line?: number | undefined; readonly message: string }>();
  for (const { index, line, message } of found) {
    const target = changed[index];
    if (target === undefined) continue;
    faultOf.set(target, { message, ...(line === undefined ? {} : { line }) });
    if (isRequired)
      refuseAll(target, { code: "SCRIPT_LOAD_ERROR", message: compileText({ line, message }) }, faults);
  }
  return { faultOf, isUnchecked: !isChecked };
}

/** New errors of types go to `faults` of all scripts, because they may be in one that only requires what changes. */
async function typesAsync(
  changed: readonly Target[],
  checkTypesAsync: EditOptions["checkTypesAsync"],
  faults: Faults,
): Promise<TypeFinding[] | undefined> {
  if (checkTypesAsync === undefined) return undefined;
  const sources = changed.map(({ script, written }) => ({ path: script.path, source: written }));
  const findings = changed.length === 0 ? [] : await checkTypesAsync(sources);
  const errors = findings.filter(({ severity }) => severity === "error");
  const [first] = errors;
  if (first !== undefined) {
    const count = errors.length === 1 ? "a new type error" : `${errors.length} new type errors`;
    const message = `It brings ${count}. ${first.file}, line ${first.line}: ${first.message}`;
    for (const target of changed) refuseAll(target, { code: "TYPE_ERROR", message }, faults);
  }
  return [...findings];
}

export function compileText({ line, message }: NonNullable<EditVerdict["compile"]>): string {
  return `The new source does not compile${line === undefined ? "" : `, line ${line}`}: ${message}`;
}

/** Edits of that script that are sound by themselves share its fault. */
function refuseAll({ replacements }: Target, fault: EditFault, faults: Faults): void {
  for (const index of replacements.keys()) if (!faults.has(index)) faults.set(index, fault);
}

async function writtenAsync(
  link: SessionLink,
  changed: readonly Target[],
  { name, dryRun }: { readonly name: string; readonly dryRun: boolean },
  faults: Faults,
): Promise<ActionResult<"applyPatch">> {
  const operations = changed.map((target) => ({
    op: "source" as const,
    path: target.script.id,
    source: target.written,
    expect: { hash: target.hash },
  }));
  const patch = await link.callAsync("applyPatch", {
    operations,
    name,
    caller: link.caller,
    dryRun,
  });
  for (const { index, ok, code, message } of patch.items) {
    const target = changed[index];
    if (ok || target === undefined) continue;
    refuseAll(
      target,
      { code: code ?? "EDIT_REFUSED", message: message ?? "Studio refused the source." },
      faults,
    );
  }
  return patch;
}

function stepOf(changed: readonly Target[]): string {
  const [only, ...others] = changed;
  if (only === undefined) return stepName("edit no script");
  return stepName(
    others.length === 0 ? `edit ${shownPath(only.script.path)}` : `edit ${changed.length} scripts`,
  );
}

interface Findings {
  readonly target: Target | undefined;
  /** No earlier edit of the call is of that script. */
  readonly isFirst: boolean;
  readonly fault: EditFault | undefined;
  readonly compile: EditVerdict["compile"];
  readonly isDone: boolean;
}

/** What is true of the script as a whole is said once, with its first edit. */
function verdict(
  { index, path }: Numbered,
  { target, isFirst, fault, compile, isDone }: Findings,
): EditVerdict {
  const facts = {
    path: target?.script.path ?? path,
    ...(target === undefined || !isFirst ? {} : { id: target.script.id, hash: hashAfter(target, isDone) }),
  };
  if (fault !== undefined) {
    const { code, message, nearest } = fault;
    return {
      index,
      ok: false,
      ...facts,
      code,
      message,
      ...(nearest === undefined ? {} : { nearest: [...nearest] }),
    };
  }
  return {
    index,
    ok: true,
    ...facts,
    ...diffOf(target, index),
    ...(compile === undefined || !isFirst ? {} : { compile }),
  };
}

function hashAfter({ script, hash, written }: Target, isDone: boolean): string {
  return isDone && script.source !== written ? gitBlobHash(written) : hash;
}

function diffOf(target: Target | undefined, index: number): { readonly diff?: string } {
  if (target === undefined) return {};
  const { script, before, replacements } = target;
  const after = withBreaks(replaceIn(before, replacements.get(index) ?? []));
  return { diff: unifiedDiff(script.path, before, after) };
}
