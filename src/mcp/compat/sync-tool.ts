/** The tool atlas_sync: a sync of the project of the working folder, in the words and the form that its clients expect. */
import { syncForToolAsync, toolOverrides } from "../../sync/index.ts";
import type { ToolChange, ToolSync } from "../../sync/index.ts";
import { StudioBridgeError } from "../../protocol/errors.ts";
import { invalidInput } from "../../protocol/messages.ts";
import { defineSchema } from "../../protocol/schema.ts";
import description from "./atlas_sync.md" with { type: "text" };
import { defineCompat } from "./define-compat.ts";

/** Each status with the sentence that an answer begins with. */
const sentences = {
  success: "The sync is done; every change was read back.",
  empty: "Files and Studio agree, so nothing was changed.",
  dryrun: "Nothing was changed. A sync would do this:",
  rejected: "The sync was not confirmed, so nothing was changed.",
  fastfail_unresolved: "Nothing was changed, because some changes need an override.",
  sync_in_progress: "Another sync works on this place.",
  error: "Not every change was applied",
} as const;
type Status = keyof typeof sentences;

const failures: readonly Status[] = ["rejected", "fastfail_unresolved", "sync_in_progress", "error"];
const presented: readonly Status[] = ["dryrun", ...failures];

const input = defineSchema((z) =>
  z.object({
    mode: z.enum(["standard", "manual", "fastfail", "dryrun"]).optional(),
    overrides: z
      .array(
        z.object({
          id: z.string(),
          direction: z.string(),
          studioHash: z.string().optional(),
          expectedProperties: z.unknown().optional(),
        }),
      )
      .optional(),
  }),
);

export const syncTool = defineCompat({
  name: "atlas_sync",
  summary: "Sync the project's files with Studio",
  description,
  readOnly: false,
  target: "session",
  input,
  output: defineSchema((z) => z.string()),
  failed: (answer: string) => failures.some((status) => answer.startsWith(sentences[status])),
  handler: async ({ mode = "standard", overrides = [] }, context) => {
    const odd = overrides.find(({ direction }) => direction !== "push" && direction !== "pull");
    if (odd !== undefined)
      throw invalidInput(`overrides: the direction of ${odd.id} must be push or pull, not ${odd.direction}`);
    const chosen = toolOverrides(overrides);
    try {
      return answerText(await syncForToolAsync({ mode, overrides: chosen }, context));
    } catch (error) {
      // A sync that another one keeps from beginning has a status of its own.
      if (!(error instanceof StudioBridgeError) || error.code !== "SYNC_IN_PROGRESS") throw error;
      return `${sentences.sync_in_progress} ${error.message}`;
    }
  },
});

function answerText({ status: told, changes: all, unused }: ToolSync): string {
  // What was left out by an override is no change.
  const changes = all.filter(({ verdict, reason }) => verdict !== "skip" || reason !== undefined);
  const status = statusOf(told, changes.length);
  if (changes.length === 0 && unused.length === 0) return sentences[status];
  const failure = changes.find((change) => change.failure !== undefined)?.failure;
  const why =
    status === "error" ? `: ${failure ?? "it was interrupted"}. Sync again to see what is left.` : "";
  const heading = presented.includes(status) ? "Presented changes:" : "Changes:";
  const json = JSON.stringify({
    status,
    changes: changes.map(changeJson),
    ...(unused.length === 0 ? {} : { unusedOverrides: unused.map(({ sentence: _, ...facts }) => facts) }),
  });
  return [
    `${sentences[status]}${why}`,
    ...unused.map(({ id, sentence }) => `${id}: ${sentence}`),
    "",
    ...(changes.length === 0 ? [] : [heading, ...changes.map(changeLine), ""]),
    "<json>",
    json,
    "</json>",
  ].join("\n");
}

function statusOf(status: ToolSync["status"], count: number): Status {
  if (status === "partial_failure" || status === "interrupted") return "error";
  return count === 0 && status === "dryrun" ? "empty" : status;
}

const patchTypes = { add: "Add", edit: "Edit", move: "Edit", remove: "Remove" } as const;

/** What cannot be done has no direction, as what waits for a choice. */
const directionOf = ({ verdict }: ToolChange) =>
  verdict === "push" || verdict === "pull" ? verdict : "unresolved";

/** The names on the way, without escapes. */
const slashPath = (path: string): string =>
  [...path.matchAll(/(?:\\.|[^.\\])+/gs)].map(([name]) => name.replaceAll(/\\(.)/gs, "$1")).join("/");

function changeLine(change: ToolChange): string {
  const { path, change: kind, className, fsPath } = change;
  const file = fsPath === undefined ? "" : `, fs=${fsPath}`;
  return `- [${directionOf(change)}] ${slashPath(path)} (${patchTypes[kind]}, ${className}${file})`;
}

function changeJson(change: ToolChange) {
  const { path, id, className, change: kind, studioHash = null, defaultSelection, fsPath = null } = change;
  const properties = Object.entries(change.properties).map(([name, { studio, files }]) => [
    name,
    { current: studio, incoming: files },
  ]);
  return {
    path: slashPath(path),
    direction: directionOf(change),
    id,
    className,
    patchType: patchTypes[kind],
    studioHash,
    defaultSelection,
    fsPath,
    properties: Object.fromEntries(properties),
  };
}
