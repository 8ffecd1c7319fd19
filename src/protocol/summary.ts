/**
 * What a request asks, in a line for people: in the journal of the host, and for the person at Studio. It is built from
 * the fields listed here and from nothing else, so that values, sources, arguments and search patterns stay out of it.
 */
import type { z } from "zod";
import type { ActionName, actions } from "./actions.ts";
import type { PatchOperation } from "./fields/patches.ts";
import { limits } from "./limits.ts";

/** A request as its row reads it, with its defaults. */
export type CheckedRequest<Name extends ActionName> = z.output<ReturnType<(typeof actions)[Name]["request"]>>;

/** How many paths a summary names. */
const NAMED = 3;

const safeTexts: { readonly [Name in ActionName]: (request: CheckedRequest<Name>) => string } = {
  queryState: () => "asks for the state",
  queryLogs: ({ count }) => counted(count, "line"),
  queryDataModel: ({ path = "the services" }) => path,
  checkSources: ({ sources }) => counted(sources.length, "source"),
  readScript: ({ path }) => path,
  readScripts: ({ path }) => path,
  readTree: ({ roots, cursor }) => (cursor === undefined ? listed(roots) : "the next page"),
  readItems: ({ ids }) => counted(ids.length, "Instance"),
  othersChanges: () => "asks what others changed",
  findInstances: ({ path }) => path,
  select: ({ paths = [] }) => listed(paths),
  wait: ({ condition, path = "" }) => `${condition} ${path}`.trim(),
  readInterface: ({ path = "" }) => path,
  setViewport: ({ viewport }) =>
    viewport === undefined ? "its own" : `${viewport.width}x${viewport.height}`,
  input: ({ steps }) => steps.map((step) => `${step.do} ${step.target ?? ""}`.trim()).join(", "),
  captureScreenshot: none,
  complete: none,
  execute: none,
  tryScript: () => "for trial",
  runInGame: () => "in the game",
  provideInput: () => "gives input",
  applyPatch: ({ operations, dryRun }) => `${dryRun ? "try " : ""}${patchText(operations)}`,
  insertModel: (request) => `${modelText(request)} below ${request.parent}`,
  findModels: () => "searches the Creator Store",
  exportModel: ({ paths }) => listed(paths),
  queryCaveats: () => "asks what was simulated otherwise",
  queryPlaceFile: () => "asks for the place file",
  savePlace: ({ file }) => fileName(file),
  endStudio: none,
  startTest: ({ mode, players }) => (mode === "play" ? `with ${counted(players, "client")}` : "of a server"),
  stopTest: none,
  undo: ({ steps, redo }) => `${redo ? "again " : ""}${counted(steps, "step")}`,
  listSteps: () => "lists the steps",
  syncOpen: ({ holdMs }) => (holdMs === 0 ? "ends" : ""),
  nameRevision: () => "names the revision",
  watchTree: ({ isOn }) => (isOn ? "on" : "off"),
  subscribe: ({ events }) => events.join(", "),
  unsubscribe: ({ events }) => events.join(", "),
};

/** `verb`: the command that asks, with what of its input may be told. `request` has the shape that the action's row says. */
export function summaryOf<Name extends ActionName>(
  action: Name,
  request: CheckedRequest<Name>,
  verb: string = action,
): string {
  const text = [verb, safeTexts[action](request)].filter((part) => part !== "").join(" ");
  return text.length <= limits.summaryChars ? text : `${text.slice(0, limits.summaryChars - 1)}…`;
}

/** The last part of a path; the folders above it say where a person keeps things. */
export const fileName = (path: string): string => path.split(/[/\\]/).at(-1) ?? path;

function none(): string {
  return "";
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;

function listed(paths: readonly string[]): string {
  const named = paths.slice(0, NAMED).join(", ");
  return paths.length > NAMED ? `${named}, … (${paths.length})` : named;
}

/** `game.Workspace.Part` for one operation; `3 set, 1 create: PATHS` for several. */
function patchText(operations: readonly PatchOperation[]): string {
  const paths = operations.flatMap(({ path, parent, className }) => {
    const place = path ?? (parent === undefined ? undefined : `${className ?? "model"} in ${parent}`);
    return place === undefined ? [] : [place];
  });
  if (operations.length === 1) return listed(paths);
  const counts = new Map<string, number>();
  for (const { op } of operations) counts.set(op, (counts.get(op) ?? 0) + 1);
  const kinds = [...counts].map(([op, count]) => `${count} ${op}`).join(", ");
  return `${kinds}: ${listed(paths)}`;
}

function modelText({ assetId: id, query }: CheckedRequest<"insertModel">): string {
  if (id !== undefined) return `asset ${id}`;
  return query === undefined ? "a model" : "a model of the Creator Store";
}
