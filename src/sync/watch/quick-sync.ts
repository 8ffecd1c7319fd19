/**
 * Syncs scripts of which only the source has changed, without reading everything: what the last whole sync has found
 * equal is enough to know which side is newer. Whatever is not as simple as that is left to a whole sync.
 */
import { readFile, stat } from "node:fs/promises";
import type { RojoNode } from "../../roblox/rojo/node.ts";
import { applyPlanAsync } from "../apply-plan.ts";
import { notePlanRevisionAsync } from "../files/plan-record.ts";
import type { FileOperation } from "../files/operations.ts";
import { type Root, rootsOfAsync } from "../files/safe-path.ts";
import { contentEdit } from "../files/statements.ts";
import { newPlanId } from "../files/trash.ts";
import { withLineAsync } from "../revision-lock.ts";
import { lockedAsync } from "../with-sync-lock.ts";
import type { Entry } from "../plan/entries.ts";
import { shown } from "../plan/project-paths.ts";
import { USUAL_OVERWRITES } from "../plan/many-overwrites.ts";
import type { SyncPlan } from "../plan/plan.ts";
import type { SyncRun } from "../run-sync.ts";
import { QuickEnding, type ItemsOfStudio, itemsOfStudio } from "../quick-ending.ts";
import { currentLineAsync, type KeptLine } from "../revisions/store.ts";
import type { SyncState } from "../state-paths.ts";
import type { Direction, ItemResult, PlanItem } from "../types.ts";
import { type ByteString, textOfByteString, utf8ByteString } from "../../util/bytes.ts";
import { gitBlobHash } from "../../util/git-blob-hash.ts";
import type { SessionCounterpart } from "../studio/session-counterpart.ts";
import type { Changes } from "./watch-loop.ts";

/** How long a file may be gone while an editor saves it. */
const WRITING_MS = 100;

/** A script whose source was the same on both sides when it was last looked at. */
interface Script {
  readonly entry: Entry;
  readonly file: RojoNode;
  readonly path: string;
  readonly studio: RojoNode;
}

export interface QuickScope {
  readonly studio: SessionCounterpart;
  readonly state: SyncState;
  readonly command: string;
  readonly callerId: string;
  readonly signal: AbortSignal;
  readonly allowsOutside: boolean;
}

export class QuickSync {
  readonly #scope: QuickScope;
  readonly #plan: SyncPlan;
  readonly #roots: readonly Root[];
  readonly #byFile = new Map<string, Script>();
  readonly #byId = new Map<number, Script>();
  /** Found out before the first save, because it takes a while in a large project. */
  readonly #items: ItemsOfStudio;
  /** What the whole sync has read, absolute; undefined where it has also written files, of which it knows no list. */
  readonly #known: ReadonlySet<string> | undefined;
  #kept: KeptLine;

  private constructor(scope: QuickScope, { plan, results }: SyncRun, kept: KeptLine, roots: readonly Root[]) {
    this.#scope = scope;
    this.#plan = plan;
    this.#kept = kept;
    this.#items = itemsOfStudio(kept.line);
    this.#roots = roots;
    const hasWritten = results.some(({ item: { verdict } }) => verdict === "pull" || verdict === "merge");
    this.#known = hasWritten ? undefined : pathsOf(plan);
    for (const entry of plan.state.entries.all) {
      const { file, studio } = entry;
      const isScript =
        file?.origin?.fileKind?.endsWith("Script") === true && studio?.properties.has("Source") === true;
      if (!isScript || file.file === undefined || sourceOf(file) !== sourceOf(studio)) continue;
      const script = { entry, file, path: file.file, studio };
      this.#byFile.set(script.path, script);
      if (studio.studioId !== undefined) this.#byId.set(studio.studioId, script);
    }
  }

  /** After a whole sync. */
  static async afterAsync(run: SyncRun, scope: QuickScope): Promise<QuickSync | undefined> {
    const [root] = run.plan.pairs.keys();
    if (root === undefined || run.kept === undefined) return undefined;
    const { folder } = run.plan.state;
    return new QuickSync(scope, run, run.kept, await rootsOfAsync({ folder, root }, scope));
  }

  /** The results of what was done; undefined where a whole sync is needed. */
  async syncAsync({ files, isStudio, isAll, typing }: Changes): Promise<readonly ItemResult[] | undefined> {
    if (isAll || typing.size > 0) return undefined;
    const pushes = await this.#pushesAsync(files);
    const pulls = pushes === undefined || !isStudio ? [] : await this.#pullsAsync();
    if (pushes === undefined || pulls === undefined) return undefined;
    // What both sides have changed is no simple case.
    const operations = pulls.map(({ operation }) => operation);
    const items = [...pushes, ...operations.flatMap((operation) => operation.items)];
    if (new Set(items.map(({ file }) => file)).size < items.length) return undefined;
    return items.length === 0 ? [] : this.#applyAsync(items, operations);
  }

  async #pushesAsync(paths: ReadonlySet<string>): Promise<readonly PlanItem[] | undefined> {
    const items: PlanItem[] = [];
    const gone = await goneAsync(paths);
    // Some editors remove a file, or move it aside, before they write it.
    if (gone.some((path) => this.#known?.has(path) !== false)) await Bun.sleep(WRITING_MS);
    for (const path of paths) {
      const script = this.#byFile.get(path);
      // What an editor has written beside a file for a moment is gone again.
      if (this.#known?.has(path) === false && !(await existsAsync(path))) continue;
      const source = script === undefined ? undefined : await sourceInAsync(path);
      if (script === undefined || source === undefined) return undefined;
      if (source !== sourceOf(script.file))
        items.push(this.#itemOf(script, "push", source, sourceOf(script.studio)));
    }
    return items;
  }

  async #pullsAsync(): Promise<readonly { readonly operation: FileOperation }[] | undefined> {
    const changed = await this.#scope.studio.changedSourcesAsync();
    if (changed === undefined) return undefined;
    const pulls: { readonly operation: FileOperation }[] = [];
    for (const [id, source] of changed) {
      const script = this.#byId.get(id);
      // What Studio has changed in a one-way folder is replaced, which a whole sync tells.
      if (script === undefined || this.#plan.state.limits.isOneWay(script.entry)) return undefined;
      if (withLf(textOfByteString(source)) === sourceOf(script.file)) continue;
      const operation = await this.#writeAsync(script, source);
      if (operation === undefined) return undefined;
      pulls.push({ operation });
    }
    // So many files at once are a question for a person, and so is what Ctrl+Z took back. A whole sync asks.
    if (pulls.length > USUAL_OVERWRITES) return undefined;
    return pulls.length === 0 || (await this.#isAsNamedAsync()) ? pulls : undefined;
  }

  async #isAsNamedAsync(): Promise<boolean> {
    const { studio } = this.#scope;
    await studio.refreshNamesAsync();
    return studio.names?.named === this.#kept.line.name;
  }

  /** Undefined where the file has changed too. */
  async #writeAsync(script: Script, source: ByteString): Promise<FileOperation | undefined> {
    const { path, file } = script;
    const kind = file.origin?.fileKind;
    const old = await readFile(path).catch(() => undefined);
    if (kind === undefined || old === undefined || withLf(old.toString()) !== sourceOf(file))
      return undefined;
    const changed = new Map(script.studio.properties).set("Source", { type: "String", value: source });
    const edit = contentEdit(kind, { ...script.studio, properties: changed })(old);
    if ("refused" in edit || edit.content === undefined) return undefined;
    const item = this.#itemOf(script, "pull", sourceOf(file), withLf(textOfByteString(source)));
    return { type: "write", path, before: gitBlobHash(old), content: edit.content, items: [item] };
  }

  #itemOf(script: Script, verdict: Direction, inFile: string, inStudio: string): PlanItem {
    const { entry, file, path, studio } = script;
    const { paths, folder } = this.#plan.state;
    return {
      id: `@${studio.studioId}`,
      path: paths.of(entry),
      fsPath: shown(folder, path),
      className: studio.className,
      change: "edit",
      verdict,
      reason: verdict === "push" ? "file_changed" : "studio_changed",
      file,
      studio,
      aspects: [
        {
          aspect: "source",
          file: { type: "text", value: inFile },
          studio: { type: "text", value: inStudio },
          base: undefined,
        },
      ],
    };
  }

  async #applyAsync(
    items: PlanItem[],
    operations: FileOperation[],
  ): Promise<readonly ItemResult[] | undefined> {
    const { state, studio, command, callerId, signal } = this.#scope;
    const { pairs } = this.#plan;
    const files = { operations, paths: new Map(), refusals: new Map() };
    const planId = newPlanId();
    const common = { planId, state, counterpart: studio, signal, callerId, status: () => {} };
    return lockedAsync(state, studio.place, command, () =>
      withLineAsync(state, command, async () => {
        const kept = await currentLineAsync(state, this.#kept);
        // Another Studio has been synced with the project meanwhile.
        if (kept !== this.#kept) return undefined;
        const ending = new QuickEnding(state, studio, kept, this.#items);
        const scope = {
          ...common,
          beginPushesAsync: (pulled: readonly ItemResult[], pushes: readonly PlanItem[]) =>
            ending.beginAsync(pulled, pushes),
        };
        const applied = await applyPlanAsync({ items, pairs }, { files, roots: this.#roots }, scope);
        this.#kept = await ending.endAsync(applied);
        await notePlanRevisionAsync(state, planId, this.#kept.line.name);
        for (const { item, applied: isDone } of applied) if (isDone) agree(item);
        // A whole sync finds out what is to be said of an item that could not be applied.
        return applied.every((result) => result.applied) ? applied : undefined;
      }),
    );
  }
}

/** Both nodes now hold what was written. */
function agree({ verdict, file, studio, aspects: [source] }: PlanItem): void {
  const held = verdict === "push" ? source?.file : source?.studio;
  if (held?.type !== "text") return;
  for (const node of [file, studio])
    node?.properties.set("Source", { type: "String", value: utf8ByteString(held.value) });
}

/** The files and folders that the files' nodes were read from. */
function pathsOf({ state }: SyncPlan): ReadonlySet<string> {
  const paths = new Set<string>();
  for (const { file } of state.entries.all) {
    const { path, init, meta, projectFile } = file?.origin ?? {};
    for (const each of [path, init, meta, projectFile]) if (each !== undefined) paths.add(each);
  }
  return paths;
}

const withLf = (text: string): string => text.replaceAll("\r\n", "\n");

function sourceOf({ properties }: RojoNode): string {
  const source = properties.get("Source")?.value;
  return typeof source === "string" ? withLf(textOfByteString(source)) : "";
}

/** Undefined for what is not plain text, and for a file that is gone. */
async function sourceInAsync(path: string): Promise<string | undefined> {
  const bytes = await readFile(path).catch(() => undefined);
  if (bytes === undefined) return undefined;
  const text = bytes.toString();
  return text.startsWith("\uFEFF") || !Buffer.from(text).equals(bytes) ? undefined : withLf(text);
}

async function goneAsync(paths: ReadonlySet<string>): Promise<readonly string[]> {
  const isGone = await Promise.all([...paths].map(async (path) => !(await existsAsync(path))));
  return [...paths].filter((_, index) => isGone[index]);
}

const existsAsync = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );
