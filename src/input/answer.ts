/** The plugin's answer to steps of input, as commands and tools show it. */
import type { ActionResult } from "../protocol/actions.ts";
import { shownPath } from "../tree/instance-path.ts";

type Named = { readonly path: string; readonly id: string };
const shownNamed = ({ path, id }: Named) => ({ path: shownPath(path), id });

export function shownAnswer({ ok, steps, released }: ActionResult<"input">) {
  return {
    ok,
    steps: steps.map(({ target, at, hit, fired, coveredBy, waitedMs, ...rest }) => ({
      ...rest,
      ...(target === undefined ? {} : { target: shownNamed(target) }),
      ...(at === undefined ? {} : { at: [at.x, at.y] }),
      hit: hit === undefined ? null : shownNamed(hit),
      fired: fired.map(({ path, event }) => ({ path: shownPath(path), event })),
      waitedMs: Math.round(waitedMs),
      ...(coveredBy === undefined ? {} : { coveredBy: shownNamed(coveredBy) }),
    })),
    ...(released.length === 0 ? {} : { released }),
  };
}
