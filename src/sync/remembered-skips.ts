/** What a person never wants to be synced: `sync.skip` in the project's `sb.config.json`, which `--remember` adds to. */
import { dirname, join } from "node:path";
import { findProjectFileAsync, PROJECT_FILE } from "../project/find-project-file.ts";
import { openProjectFile } from "../project/project-settings.ts";
import { itemsBelow, selectedItems } from "./plan/selected.ts";
import type { SyncRun } from "./run-sync.ts";
import { syncSettingsAsync } from "./sync-settings.ts";
import type { Override } from "./types.ts";
import { setJson } from "../util/json-edit.ts";
import { visibleOnOneLine } from "../util/visible-controls.ts";
import { writeWholeFileAsync } from "../util/whole-file.ts";

interface RememberWishes {
  readonly projectFile: string;
  readonly overrides: readonly Override[];
}

/** Writes down what a run has skipped because a person chose so. Gives back what to tell. Throws the system's error. */
export async function rememberAsync(
  run: SyncRun,
  { projectFile, overrides }: RememberWishes,
): Promise<readonly string[]> {
  if (run.status === "rejected" || run.status === "interrupted") return [];
  const paths = skippedPaths(run, overrides);
  if (paths.length === 0) return ["Nothing to remember: no change was skipped"];
  const found = await findProjectFileAsync(dirname(projectFile));
  const file = found?.file ?? join(dirname(projectFile), PROJECT_FILE);
  const known = (await syncSettingsAsync(projectFile)).skips;
  const fresh = paths.filter((path) => !known.includes(path));
  let text = found === undefined ? "" : textOf(found);
  fresh.forEach((path, index) => {
    const isFirst = known.length + index === 0;
    text = isFirst
      ? setJson(text, ["sync", "skip"], [path])
      : setJson(text, ["sync", "skip", known.length + index], path);
  });
  if (fresh.length > 0) await writeWholeFileAsync(file, Buffer.from(text));
  return [`sync.skip in ${visibleOnOneLine(file)} has ${paths.join(", ")}`];
}

function textOf(found: NonNullable<Awaited<ReturnType<typeof findProjectFileAsync>>>): string {
  // Throws for what is no text, or no settings.
  openProjectFile(found);
  return "bytes" in found ? Buffer.from(found.bytes).toString("utf8") : "";
}

/** As the person has named them; by their paths, where they had no other names. */
function skippedPaths({ plan, replies }: SyncRun, overrides: readonly Override[]): readonly string[] {
  const isUsed = (index: number) => replies.find((reply) => reply.index === index)?.answer === "applied";
  const named = overrides.filter(({ direction }, index) => direction === "skip" && isUsed(index));
  const words = named.map(({ to }) =>
    to.startsWith("@") ? (selectedItems(plan, to).items[0]?.path ?? to) : to,
  );
  const covered = new Set(words.flatMap((word) => itemsBelow(plan, word)));
  const others = plan.items.filter(
    (item) => item.verdict === "skip" && plan.state.chosen.has(item) && !covered.has(item),
  );
  return [...new Set([...words, ...others.map(({ path }) => path)])];
}
