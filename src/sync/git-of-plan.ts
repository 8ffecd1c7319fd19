/** Asks git about the scripts of a plan of which the revisions do not show which side is newer. */
import { join } from "node:path";
import type { RojoNode } from "../roblox/rojo/node.ts";
import { askGitAsync, type ScriptInGit } from "./base/git-history.ts";
import { isPair } from "./plan/aspects.ts";
import type { Entry } from "./plan/entries.ts";
import { folderOf } from "./plan/folder-of.ts";
import { isScript } from "./plan/normalize.ts";
import type { SyncPlan } from "./plan/plan.ts";
import type { GitOfScript, GitOfScripts } from "./plan/verdicts.ts";
import type { PlanItem, Reason } from "./types.ts";

/** Empty where nothing is to be asked, and where there is no repository. Throws only when the signal fires. */
export async function gitOfPlanAsync(plan: SyncPlan, signal: AbortSignal): Promise<GitOfScripts> {
  const asked = plan.items.flatMap((item) => questionOf(item, plan) ?? []);
  if (asked.length === 0) return new Map();
  const { folder } = plan.state;
  const answer = await askGitAsync({ folder, scripts: asked.map(({ script }) => script), signal });
  if (answer.kind === "none") return new Map();
  return new Map(
    asked.map(({ node }, index): [RojoNode, GitOfScript] => {
      const facts = answer.kind === "facts" ? answer.scripts[index] : undefined;
      return [node, facts ?? { failed: answer.kind === "failed" ? answer.reason : "git did not answer" }];
    }),
  );
}

interface Question {
  /** The files' node, or Studio's of a script that only Studio has. */
  readonly node: RojoNode;
  readonly script: ScriptInGit;
}

const OPEN_REASONS = new Set<Reason | undefined>(["no_base", "both_changed"]);

function questionOf(item: PlanItem, plan: SyncPlan): Question | undefined {
  const entry = plan.state.entryOf.get(item);
  if (entry === undefined) return undefined;
  const { file, studio } = entry;
  const source = item.aspects.find(({ aspect }) => aspect === "source");
  if (studio === undefined || source?.studio?.type !== "text" || !isScript(studio.className))
    return undefined;
  if (isPair(entry)) {
    if (!OPEN_REASONS.has(item.openedAs) || source.file?.type !== "text") return undefined;
    const paths = formsOf(entry);
    return { node: entry.file, script: { paths, file: source.file.value, studio: source.studio.value } };
  }
  // A place whose revision is known has no old scripts but those that its revisions know.
  if (file !== undefined || item.change !== "add" || plan.state.lineage?.base !== undefined) return undefined;
  const paths = formsOf(entry);
  return paths.length === 0 ? undefined : { node: studio, script: { paths, studio: source.studio.value } };
}

const SUFFIXES: Readonly<Record<string, readonly string[]>> = {
  ModuleScript: [""],
  Script: [".server", ".client", ".plugin", ".legacy"],
  LocalScript: [".client"],
};

/** The files that would make a script, the present one first. Empty where no folder of the project would contain it. */
function formsOf(entry: Entry): string[] {
  const present = entry.file?.file;
  const node = entry.file ?? entry.studio;
  const folder = folderOf(entry.file === undefined ? entry.studioParent : entry.fileParent);
  if (node === undefined || folder === undefined) return present === undefined ? [] : [present];
  const forms = (SUFFIXES[node.className] ?? [""]).flatMap((suffix) =>
    ["luau", "lua"].flatMap((ending) => [
      join(folder, `${node.name}${suffix}.${ending}`),
      join(folder, node.name, `init${suffix}.${ending}`),
    ]),
  );
  return present === undefined ? forms : [present, ...forms.filter((path) => path !== present)];
}
