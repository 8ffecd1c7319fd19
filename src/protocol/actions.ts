/**
 * THE action table: one row per request that the plugin answers, in a file for each family. Message unions, decoders,
 * capabilities, typed calls, default timeouts, the Luau constants, golden files and docs/protocol.md are derived from it.
 */
import type { z } from "zod";
import { changeActions } from "./actions/changes.ts";
import { interfaceActions } from "./actions/interface.ts";
import { modelActions } from "./actions/models.ts";
import { placeFileActions } from "./actions/place-files.ts";
import { playTestActions } from "./actions/play-tests.ts";
import { queryActions } from "./actions/queries.ts";
import { scriptActions } from "./actions/scripts.ts";
import { sourceActions } from "./actions/sources.ts";
import { studioActions } from "./actions/studio.ts";
import { syncActions } from "./actions/sync.ts";
import { treeActions } from "./actions/trees.ts";

export const actions = {
  ...studioActions,
  ...placeFileActions,
  ...sourceActions,
  ...queryActions,
  ...interfaceActions,
  ...treeActions,
  ...scriptActions,
  ...playTestActions,
  ...changeActions,
  ...modelActions,
  ...syncActions,
} as const;

export type ActionName = keyof typeof actions;
export type ActionRequest<Name extends ActionName> = z.input<ReturnType<(typeof actions)[Name]["request"]>>;
export type ActionResult<Name extends ActionName> = z.output<ReturnType<(typeof actions)[Name]["result"]>>;

export const actionNames = Object.keys(actions).filter(isActionName);

/** Whether a request must not run twice: its plugin remembers it, and can be asked what became of it. */
export function runsOnce(name: ActionName): boolean {
  return !actions[name].retrySafe;
}

/** Whether a request lasts until something happens, so that its plugin is told when its caller is gone. */
export function endsWithCaller(name: ActionName): boolean {
  return "endsWithCaller" in actions[name];
}

/** Whether it is asked beside another request, so that it is no call of its own. */
export function isAside(name: ActionName): boolean {
  return "isAside" in actions[name];
}

export function isActionName(name: string): name is ActionName {
  return Object.hasOwn(actions, name);
}
