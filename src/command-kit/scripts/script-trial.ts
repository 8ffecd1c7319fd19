/** The dry run of a script: the plugin lists what it changes, and takes it back. */
import { wireChangeSchema } from "../../protocol/fields/changes.ts";
import type { ActionRequest, ActionResult } from "../../protocol/actions.ts";
import { StudioBridgeError } from "../../protocol/errors.ts";
import { capabilityNotSupported } from "../../protocol/messages.ts";
import type { SessionInfo } from "../../protocol/network.ts";
import { defineSchema } from "../../protocol/schema.ts";
import type { Style } from "../../util/style.ts";
import { visibleOnOneLine } from "../../util/visible-controls.ts";
import { changeOf, changesText } from "../changes/change-list.ts";
import type { Change } from "../changes/change-schema.ts";
import type { SessionCommandContext } from "../context.ts";

const wireChangesSchema = defineSchema((z) => z.array(wireChangeSchema(z)));
type RestoredCopy = NonNullable<ActionResult<"tryScript">["restoredAsCopy"]>[number];

/** Throws before anything runs. An older plugin would run the script for good. */
export function checkTrial({ context, capabilities }: SessionInfo): void {
  if (context !== "edit")
    throw new StudioBridgeError(
      "DRY_RUN_REFUSED",
      "A dry run needs the edit context, because a play test has no undo.",
      { hint: "Add --context edit (over MCP, context: edit).", outcome: "not_started" },
    );
  if (!capabilities.includes("tryScript")) throw capabilityNotSupported("tryScript");
}

/** What a dry run found out. */
export interface TrialFacts {
  readonly dryRun?: true;
  readonly diff?: Change[];
  readonly diffTotal?: number;
  readonly restoredAsCopy?: RestoredCopy[];
  readonly notHeld?: string[];
}

type Reply = Omit<ActionResult<"tryScript">, "diff" | "diffTotal" | "restoredAsCopy" | "notHeld">;

/** Throws DRY_RUN_INCOMPLETE, with what differs, where the place is not what it was. */
export async function tryScriptAsync(
  context: SessionCommandContext,
  request: ActionRequest<"tryScript">,
  listeners: Parameters<SessionCommandContext["callAsync"]>[2],
): Promise<{ readonly reply: Reply; readonly facts: TrialFacts }> {
  const answer = await context.callAsync("tryScript", request, listeners).catch((error: unknown) => {
    throw withDifferences(error, context);
  });
  const { diff, diffTotal, restoredAsCopy, notHeld, ...reply } = answer;
  const facts = {
    dryRun: true as const,
    diff: diff.map(changeOf),
    ...(diffTotal > diff.length ? { diffTotal } : {}),
    ...(restoredAsCopy === undefined ? {} : { restoredAsCopy: restoredAsCopy.map(copyOf) }),
    ...(notHeld === undefined ? {} : { notHeld }),
  };
  return { reply, facts };
}

function copyOf({ path, ...rest }: RestoredCopy): RestoredCopy {
  return { ...(path === undefined ? {} : { path: path.replace(/^game\./, "") }), ...rest };
}

export function trialText(
  { diff = [], diffTotal, restoredAsCopy = [], notHeld = [] }: TrialFacts,
  style: Style,
): string {
  const { dim, yellow } = style;
  const head = diff.length === 0 ? "It would change nothing." : changesText(diff, style);
  const more = diffTotal === undefined ? [] : [dim(`… and ${diffTotal - diff.length} more changes`)];
  const copies = restoredAsCopy.map(
    ({ path = "", id }) => `${yellow("restored as a copy:")} ${visibleOnOneLine(path)} ${dim(id)}`,
  );
  const reach =
    copies.length === 0 ? [] : [dim("Undoing an earlier step does not remove or change these copies.")];
  const rest = notHeld.map((what) => `${yellow("not taken back:")} ${what}`);
  return [head, ...more, ...copies, ...reach, ...rest, dim("Dry run: its changes were taken back.")].join(
    "\n",
  );
}

function withDifferences(error: unknown, context: SessionCommandContext): unknown {
  if (!(error instanceof StudioBridgeError) || error.code !== "DRY_RUN_INCOMPLETE") return error;
  const { differences: found, ...rest } = error.data;
  const checked = wireChangesSchema.read(found)?.value ?? [];
  const differences = checked.map(changeOf);
  context.emit({ stream: "stderr", text: (style) => changesText(differences, style) });
  return new StudioBridgeError(error.code, error.message, {
    hint: error.hint,
    data: { ...rest, differences },
    cause: error,
  });
}
