/** Turns the input of `sb wait` into the request to the plugin, or into the pattern for log lines. */
import type { ActionRequest } from "../../protocol/actions.ts";
import type { StudioState } from "../../protocol/fields/contexts.ts";
import { propertyValue } from "../../edit/assignments.ts";
import { invalidInput } from "../../protocol/messages.ts";
import { logCursor } from "../../logs/log-filter.ts";
import type { LogWish } from "../../logs/wait-for-log.ts";
import { wirePath } from "../../tree/instance-path.ts";

export const DEFAULT_WAIT_MS = 30_000;
export const MAX_WAIT_MS = 600_000;

export const states = ["Edit", "Play", "Run", "Paused"] as const satisfies readonly StudioState[];
const wishes = ["until", "log", "exists", "gone", "property", "players", "state"] as const;

export interface WaitWish {
  readonly until?: string | undefined;
  readonly log?: string | undefined;
  readonly since?: string | number | undefined;
  readonly exists?: string | undefined;
  readonly gone?: string | undefined;
  readonly property?: { readonly path: string; readonly name: string; readonly value?: unknown } | undefined;
  readonly players?: number | undefined;
  readonly state?: string | undefined;
}

export type WaitRequest = Omit<ActionRequest<"wait">, "timeoutMs">;
/** For the plugin, or for the lines that it pushes. */
export type WaitTask = { readonly request: WaitRequest } | LogWish;

/** Throws INVALID_INPUT unless exactly one thing is waited for. */
export function waitTask(wish: WaitWish): WaitTask {
  const given = wishes.filter((key) => wish[key] !== undefined);
  const [only, second] = given;
  if (only === undefined)
    throw invalidInput(
      "Nothing to wait for.",
      "Name a PATH, or give one of --until, --log, --property, --players and --state.",
      `Give one of ${wishes.join(", ")}.`,
    );
  if (second !== undefined)
    throw invalidInput(
      `Cannot wait for ${given.join(" and ")} at once.`,
      "Name one of them; `until` takes Luau that asks for several things.",
    );
  if (wish.since !== undefined && only !== "log")
    throw invalidInput("Only --log takes --since.", "Leave it out, or wait for a line of the log.");
  return taskOf(wish);
}

function taskOf({ until, log, since, exists, gone, property, players, state }: WaitWish): WaitTask {
  if (log !== undefined) return { log, ...(since === undefined ? {} : { since: logCursor(since) }) };
  if (until !== undefined) return { request: { condition: "until", source: until } };
  if (exists !== undefined) return { request: { condition: "exists", path: wirePath(exists) } };
  if (gone !== undefined) return { request: { condition: "gone", path: wirePath(gone) } };
  if (players !== undefined) return { request: { condition: "players", count: players } };
  if (property !== undefined) {
    const { path, name, value } = property;
    return {
      request: {
        condition: "property",
        path: wirePath(path),
        property: name,
        value: value ?? { type: "nil" },
      },
    };
  }
  return { request: { condition: "state", state: stateOf(state ?? "") } };
}

function stateOf(text: string): StudioState {
  const found = states.find((state) => state.toLowerCase() === text.toLowerCase());
  if (found !== undefined) return found;
  throw invalidInput(
    `state: expected ${states.join(", ")}, got ${JSON.stringify(text)}`,
    "Name the mode that Studio is to be in.",
  );
}

/** `PATH=VALUE` as a person types it: the last segment of the path is the property, and the value JSON or plain text. */
export function typedProperty(text: string): NonNullable<WaitWish["property"]> {
  const [, path, name, value] = /^(.+)\.([A-Za-z_]\w*)\s*=\s*(.*)$/s.exec(text) ?? [];
  if (path === undefined || name === undefined || value === undefined)
    throw invalidInput(
      `Not a property and its value: ${text}`,
      "Write it as PATH.PROPERTY=VALUE, such as Workspace.Door.Transparency=1.",
    );
  return { path, name, value: value === "nil" ? null : propertyValue(value) };
}
