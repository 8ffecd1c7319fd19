/** The texts of the model as the trees that the product compares, and the items of its plans as keys of the model. */
import type { RojoNode } from "../../src/roblox/rojo/node.ts";
import type { Entry } from "../../src/sync/plan/entries.ts";
import type { SyncPlan } from "../../src/sync/plan/plan.ts";
import type { GitOfScript } from "../../src/sync/plan/verdicts.ts";
import type { PlanItem } from "../../src/sync/types.ts";
import { FOLDER, node, number, place } from "../unit/sync/plan/trees.ts";
import type { GitFacts, Texts } from "./rules.ts";
import { isCompiled, type Key, keyOf, keysOf, YES } from "./side.ts";

const FLAG = "flag";
/** Each path of a project has a class of its own, so that no script is taken for another that was moved. */
const CLASSES = ["ModuleScript", "Script", "LocalScript"] as const;
const nameOf = (path: number): string => `M${path}`;

/** `isFile`: the nodes say from which files they are. */
export function treeOfTexts(texts: Texts, paths: readonly number[], isFile: boolean): RojoNode {
  const scriptsAt = (some: readonly number[]) =>
    some.flatMap((path) => {
      const [exists, source, flag] = keysOf(path);
      if (texts.get(exists) !== YES) return [];
      const attributes = { [FLAG]: number(Number(texts.get(flag))) };
      const className = CLASSES[path % CLASSES.length] ?? CLASSES[0];
      const made = node(nameOf(path), className, { source: texts.get(source) ?? "", attributes });
      if (isFile) made.file = `${FOLDER}/src/${nameOf(path)}.luau`;
      return [made];
    });
  const compiled = node("Out", "Folder", {
    children: scriptsAt(paths.filter(isCompiled)),
    ...(isFile ? { origin: { kind: "folder", path: `${FOLDER}/out` } } : {}),
  });
  return place(...scriptsAt(paths.filter((path) => !isCompiled(path))), compiled);
}

const pathOf = (name: string): number => Number(name.slice(1));

/** The aspects that an item decides. */
export function keysOfItem({ change, aspects, file, studio, base }: PlanItem): readonly Key[] {
  const path = pathOf((file ?? studio ?? base)?.name ?? "");
  if (change === "add" || change === "remove") return [keyOf(path, "exists")];
  return aspects.map(({ aspect, name = "" }) => {
    if (aspect === "source") return keyOf(path, "source");
    if (aspect === "attribute" && name === FLAG) return keyOf(path, "flag");
    throw new Error(`the model has no ${aspect} ${name}`);
  });
}

/** What git says of each script that both sides or Studio alone have. */
export function gitOfPlan(
  { state }: SyncPlan,
  git: GitFacts | "failed" | undefined,
): Map<RojoNode, GitOfScript> {
  const found = new Map<RojoNode, GitOfScript>();
  if (git === undefined) return found;
  for (const entry of state.entries.all) {
    const node = entry.file ?? entry.studio;
    const source = sourceOf(entry.studio);
    if (node === undefined || source === undefined) continue;
    found.set(node, git === "failed" ? { failed: "git did not answer" } : factsOf(entry, source, git));
  }
  return found;
}

function factsOf({ file, studio }: Entry, source: string, git: GitFacts): GitOfScript {
  const path = pathOf((file ?? studio)?.name ?? "");
  const own = sourceOf(file);
  const [head, index] = [git.head(path), git.index(path)];
  return {
    studio: kindOf(path, source, git),
    isHead: own !== undefined && own === head,
    isIndex: own !== undefined && own === index,
    ...(head === undefined ? {} : { headText: head }),
  };
}

function kindOf(path: number, source: string, git: GitFacts) {
  if (git.isInHistory(path, source) || git.index(path) === source) return { kind: "here" } as const;
  if (git.isBelowHead(source)) return { kind: "atOtherPath", path: "src/Other.luau" } as const;
  if (git.isKnown(source)) return { kind: "elsewhere" } as const;
  return git.isShallow
    ? ({ kind: "unknowable", reason: "the clone is shallow" } as const)
    : ({ kind: "unknown" } as const);
}

function sourceOf(node: RojoNode | undefined): string | undefined {
  const source = node?.properties.get("Source");
  return typeof source?.value === "string" ? source.value : undefined;
}
