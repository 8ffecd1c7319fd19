/** Studio's part of a sync that is taken back: one undo step, which carries the plan. */
import type { SessionLink } from "../../session/session-link.ts";
import type { PlanRecord } from "../files/plan-record.ts";
import { syncStateAsync } from "../state-paths.ts";
import type { OtherSide } from "../undo-sync.ts";
import { NamesInPlace } from "./names-in-place.ts";
import { studioLinkOf } from "./studio-link.ts";

export function studioPart(
  { planId: plan, projectFile }: Pick<PlanRecord, "planId" | "projectFile">,
  link: SessionLink,
): OtherSide {
  const wish = { steps: 1, force: true, plan };
  let isOwn = false;
  return {
    takeBackAsync: async () => {
      const { steps, undone } = await link.callAsync("listSteps", {});
      // A person may have undone it in Studio, or an earlier undo may have been interrupted there.
      if (undone.some(({ sync }) => sync?.plan === plan)) return undefined;
      const [newest] = steps;
      if (newest?.sync?.plan !== plan) {
        const isThere = steps.some(({ sync }) => sync?.plan === plan);
        return isThere
          ? `"${newest?.name}" was done after the sync; undo that first`
          : "Studio no longer has the undo step of the sync; `sb sync undo --files` takes back the files alone";
      }
      const taken = await link.callAsync("undo", { ...wish, redo: false });
      isOwn = taken.undone.length === 1;
      return isOwn ? undefined : "Studio did not undo the step";
    },
    nameAsync: async (revision) => {
      // A person who has undone it may have undone more, which the next sync finds out by the name that the place has now.
      if (!isOwn) return;
      const names = new NamesInPlace(studioLinkOf(link), await syncStateAsync(projectFile));
      await names.writeAsync(revision);
    },
    redoAsync: async () => (await link.callAsync("undo", { ...wish, redo: true })).undone.length === 1,
  };
}
