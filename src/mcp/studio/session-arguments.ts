/** How a call names a session: `sessionId`, and `context` with the client where there are several. */
import type { ArgumentIssue } from "../server/features.ts";
import { stringIn } from "../wire/json.ts";
import type { JsonObject } from "../wire/json.ts";

const PLAYER = /^client:\s*(.*)$/is;

/** `client:2` and `client:NAME` become the context and the player that commands take. */
export function sessionArguments(args: JsonObject): JsonObject {
  const player = playerIn(args);
  return player === undefined ? args : { player, ...args, context: "client" };
}

/** What is wrong with the context of a call, beyond what the schema of commands says. */
export function contextIssues(args: JsonObject): readonly ArgumentIssue[] {
  const player = playerIn(args);
  if (player === undefined) return [];
  if (player === "") return [{ key: "context", message: "expected client:2 or client:NAME" }];
  const other = stringIn(args, "player");
  if (other === undefined || other === player) return [];
  return [{ key: "player", message: `says ${other}, where context says ${player}; leave it out` }];
}

function playerIn(args: JsonObject): string | undefined {
  return PLAYER.exec(stringIn(args, "context") ?? "")?.[1]?.trim();
}
