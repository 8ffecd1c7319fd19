/** What `sb test --watch` runs: the tests of the caller's project, or of several. */
import type { CommandContext } from "../../command-kit/context.ts";
import { readSeveralAsync } from "../../project/test-run/members.ts";
import { readWishesAsync } from "../../project/test-run/read-wishes.ts";
import type { TestInput } from "../../project/test-run/test-input.ts";
import { runBeforeAsync } from "../../testing/project/before.ts";
import type { TestSurface } from "../../testing/project/test-surface.ts";
import type { TestWishes } from "../../testing/project/test-wishes.ts";
import { checkWatchable } from "../../testing/project/watch/watch-subject.ts";
import type { OpenSubject } from "../../testing/project/watch/watch-tests.ts";

/** Opens it at the beginning, and whenever settings have changed. */
export function watchedBy(words: TestInput, context: CommandContext, surface: TestSurface): OpenSubject {
  return async ({ isFirst = false, ...changes }) => {
    const now = { ...words, ...changes };
    const several = await readSeveralAsync(now, context);
    const wishes = several?.members[0].wishes ?? (await readWishesAsync(now, context)).wishes;
    const all = several?.members.map((member) => member.wishes) ?? [wishes];
    for (const each of all) checkWatchable(each);
    if (isFirst && !(await hasBegunAsync(all, surface))) return undefined;
    if (several !== undefined) {
      const { WatchedMembers } = await import("../../testing/project/several/watched-members.ts");
      return WatchedMembers.openAsync(several, surface);
    }
    const { OneProject } = await import("../../testing/project/watch/one-project.ts");
    return OneProject.openAsync(wishes, surface);
  };
}

/** Runs `test.before` once in each folder. False if it has failed. */
async function hasBegunAsync(all: readonly TestWishes[], surface: TestSurface): Promise<boolean> {
  const folders = new Map(all.map((wishes) => [wishes.folder, wishes]));
  for (const wishes of folders.values())
    if ((await runBeforeAsync(wishes, surface)) !== undefined) return false;
  return true;
}
